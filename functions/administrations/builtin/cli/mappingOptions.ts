import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Delimiter } from '../files/readCsv.ts';
import { type Mapping, plainMapping } from '../import/bind.ts';

/** The options of `import` for reading a file. */
export type MappingOptions = {
  delimiter?: Delimiter;
  sheet?: string;
  decimalComma?: boolean;
  columns?: Map<string, string>;
  set?: Map<string, string>;
  values?: Map<string, Map<string, string>>;
  only?: Map<string, Set<string>>;
};

/** The delimiters, as they are typed. */
const delimiters: ReadonlyMap<string, Delimiter> = new Map([
  [',', ','],
  [';', ';'],
  ['comma', ','],
  ['semicolon', ';'],
  ['tab', '\t'],
]);

export function addMappingOptions(command: Command): void {
  command
    .addOption(new Option('--delimiter <character>', 'between cells; left out: by the heading').argParser(delimiter))
    .option('--sheet <name>', 'the sheet of a workbook; left out: the first')
    .option('--decimal-comma', 'numbers are written as 1.234,50')
    .option('--columns <pairs>', 'our column and the heading in the file: "Number=Rekening,Name=Naam"', addPairs)
    .option('--set <pair>', 'one value for a column the file lacks: "FiscalYear=2026"', addPair)
    .option('--values <words>', 'words in a column and ours: "LedgerType:Balans=BalanceSheet"', addValues)
    .option('--only <rows>', 'import the rows with these words only: "Niveau=4|5"', addOnly);
}

/** Whether any of these options is set. */
export const isMapped = ({ columns, set, values, only, delimiter, sheet, decimalComma }: MappingOptions): boolean =>
  [columns, set, values, only, delimiter, sheet, decimalComma].some((option) => option !== undefined);

export const mappingOf = ({ decimalComma, columns, set, values, only }: MappingOptions): Mapping => ({
  decimalComma: decimalComma ?? plainMapping.decimalComma,
  columns: columns ?? plainMapping.columns,
  constants: set ?? plainMapping.constants,
  values: values ?? plainMapping.values,
  only: only ?? plainMapping.only,
});

function delimiter(text: string): Delimiter {
  const found = delimiters.get(text);
  if (found === undefined) throw new InvalidArgumentError(`Expected one of: ${[...delimiters.keys()].join(' ')}`);
  return found;
}

function pair(text: string): [string, string] {
  const [, left, right] = /^\s*([^=]+?)\s*=\s*(.*?)\s*$/s.exec(text) ?? [];
  if (left === undefined || right === undefined) {
    throw new InvalidArgumentError(`Expected two words with = between them, got "${text}".`);
  }
  return [left, right];
}

/** Pairs with commas between them. A comma within a heading is kept, unless = follows it before the next comma. */
const pairs = (text: string): [string, string][] => text.split(/,(?=[^,=]*=)/).map(pair);

const addPairs = (text: string, to: Map<string, string> = new Map()): Map<string, string> =>
  new Map([...to, ...pairs(text)]);

const addPair = (text: string, to: Map<string, string> = new Map()): Map<string, string> =>
  new Map([...to, pair(text)]);

function addValues(text: string, to = new Map<string, Map<string, string>>()): Map<string, Map<string, string>> {
  const [, column, words] = /^\s*([^:=]+?)\s*:(.*)$/s.exec(text) ?? [];
  if (column === undefined || words === undefined) {
    throw new InvalidArgumentError(`Expected a column, a colon and pairs of words, got "${text}".`);
  }
  return new Map([...to, [column, new Map([...(to.get(column) ?? []), ...pairs(words)])]]);
}

function addOnly(text: string, to = new Map<string, Set<string>>()): Map<string, Set<string>> {
  const [heading, words] = pair(text);
  return new Map([...to, [heading, new Set(words.split('|').map((word) => word.trim()))]]);
}
