/** A refused value, which is JSON text, in the quotation marks of the pane. */
export const quoted = (value: string): string => `“${value.replace(/^"(.*)"$/s, '$1')}”`;

/** A name that ends a sentence: that of a "B.V." has its full stop already. */
export const ended = (name: string): string => (name.endsWith('.') ? name : `${name}.`);
