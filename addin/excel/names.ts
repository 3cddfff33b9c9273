/** The most characters of a sheet's name. */
export const MAX_SHEET_NAME = 31;

/** A valid name of a sheet: at most 31 characters with `ending`, and none that Excel forbids. */
export function sheetNameOf(wanted: string, ending = ''): string {
  const allowed = wanted
    .replace(/[\\/?*[\]:]/g, '-')
    .replace(/^'+|'+$/g, '')
    .trim();
  return `${allowed.slice(0, MAX_SHEET_NAME - ending.length).trimEnd()}${ending}`;
}

/** A valid name of a table: letters, digits and underscores, and not the form of a cell's address. */
export function tableNameOf(wanted: string): string {
  const words = wanted.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '');
  return /^\p{L}+_?\p{L}/u.test(words) && !/^[a-z]{1,3}\d+$/i.test(words) ? words.slice(0, 200) : `Table_${words}`;
}

/** The wanted name, or the first free numbered one; Excel compares names without case. */
export function freeName(
  wanted: string,
  taken: readonly string[],
  numbered: (wanted: string, number: number) => string,
): string {
  const folded = new Set(taken.map((name) => name.toLowerCase()));
  let name = wanted;
  for (let number = 2; folded.has(name.toLowerCase()); number++) name = numbered(wanted, number);
  return name;
}
