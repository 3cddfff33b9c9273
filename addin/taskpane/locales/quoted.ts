/** A refused value, which is JSON text, in the quotation marks of the pane. */
export const quoted = (value: string): string => `“${value.replace(/^"(.*)"$/s, '$1')}”`;
