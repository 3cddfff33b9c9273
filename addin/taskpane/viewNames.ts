/** What the pane can do, as its start page groups it; the buttons of the ribbon open one of these by name. */
export const viewGroups = { pull: ['accounts', 'invoices', 'exports'], change: ['products', 'push'] } as const;

/** The views that work on an administration. */
export type WorkView = (typeof viewGroups)[keyof typeof viewGroups][number];
export type ViewName = WorkView | 'home' | 'connect';

/** The view an address asks for; home when there is no such view. */
export const viewNamed = (name: string | null): ViewName =>
  Object.values(viewGroups)
    .flat()
    .find((known) => known === name) ?? 'home';
