/** The views in the groups of the start page; the buttons of the ribbon open one of them by its name. */
export const viewGroups = {
  pull: ['invoices', 'relations', 'accounts', 'taxCodes', 'materialBookings', 'exports'],
  books: ['trialBalance', 'accountCard', 'openItems', 'vatReturn', 'auditfiles'],
  change: ['products', 'documentSheets', 'push'],
} as const;

/** The views that work on an administration: those, and one that the start page offers by itself. */
export const workViews = [...Object.values(viewGroups).flat(), 'activity'] as const;
export type WorkView = (typeof workViews)[number];
export type ViewName = WorkView | 'home' | 'connect';

/** The view with a name; home when there is none. */
export const viewNamed = (name: string | null): ViewName => workViews.find((known) => known === name) ?? 'home';
