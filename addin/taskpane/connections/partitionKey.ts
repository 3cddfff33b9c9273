/** The storage partition of the pane in Excel on the web; the published types lack it. */
export const partitionKey = (): string | undefined =>
  globalThis.Office?.context === undefined ? undefined : (Office.context as { partitionKey?: string }).partitionKey;
