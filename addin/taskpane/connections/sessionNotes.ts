/*
 * What a pane notes for the pages after it in the same tab or window: a ribbon button replaces the page. A browser may
 * forbid it; then the notes are lost with the page.
 */

export type SessionNotes = ReturnType<typeof sessionNotes>;

/** @param storage returns the storage of the tab, or throws */
export function sessionNotes(storage: () => Pick<Storage, 'getItem' | 'setItem'>, partition: string | undefined) {
  const active = `${partition ?? ''}ledgerline.activeConnection`;
  const denied = `${partition ?? ''}ledgerline.otherAdministrations`;
  const read = (name: string): string | null => {
    try {
      return storage().getItem(name);
    } catch {
      return null;
    }
  };
  const write = (name: string, text: string): void => {
    try {
      storage().setItem(name, text);
    } catch {
      // Only this page knows it then.
    }
  };
  return {
    /** The id of the connection that was last active in this tab. */
    readActive: (): string | null => read(active),
    writeActive: (id: string): void => write(active, id),
    /** Which administrations the user said not to be the same, in pairs. */
    readDenied: (): string[] => read(denied)?.split('\n').filter(Boolean) ?? [],
    writeDenied: (pairs: readonly string[]): void => write(denied, pairs.join('\n')),
  };
}
