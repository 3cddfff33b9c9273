/** What was given, from JSON text, between the quotation marks of the pane; a number as it is. */
export const quoted = (given: string): string => `“${given.replace(/^"(.*)"$/s, '$1')}”`;
