import type { Locale } from '../locale.ts';
import { dutchFunctions } from './dutchFunctions.ts';
import {
  english as englishSpelling,
  rewriteTokens,
  type Token,
  type Spelling as TokenSpelling,
} from './formulaTokens.ts';
import { frenchFunctions } from './frenchFunctions.ts';

/* Workbooks keep formulas as files and the API have them: in English. People write and read them in their language. */

/** How one language writes formulas. */
type Spelling = TokenSpelling & {
  /** Between the columns of an array constant; its rows are parted by `;` in every language. */
  arrayColumn: string;
};

/** What a language writes otherwise than English: pairs of the English word and its own. */
type Vocabulary = { spelling: Spelling; functions: Pairs; constants: Pairs; errors: Pairs; tableParts: Pairs };
type Pairs = readonly (readonly [english: string, own: string])[];

const english: Spelling = { ...englishSpelling, arrayColumn: ',' };

const vocabularies: Readonly<Record<Exclude<Locale['language'], 'en'>, Vocabulary>> = {
  nl: {
    spelling: { decimal: ',', list: ';', arrayColumn: '\\' },
    functions: dutchFunctions,
    constants: [
      ['TRUE', 'WAAR'],
      ['FALSE', 'ONWAAR'],
    ],
    errors: [
      ['#NULL!', '#LEEG!'],
      ['#DIV/0!', '#DEEL/0!'],
      ['#VALUE!', '#WAARDE!'],
      ['#REF!', '#VERW!'],
      ['#NAME?', '#NAAM?'],
      ['#NUM!', '#GETAL!'],
      ['#N/A', '#N/B'],
      ['#SPILL!', '#OVERLOOP!'],
      ['#BUSY!', '#BEZET!'],
    ],
    // As in `Table1[#Headers]`.
    tableParts: [
      ['#All', '#Alles'],
      ['#Data', '#Gegevens'],
      ['#Headers', '#Kopteksten'],
      ['#Totals', '#Totalen'],
      ['#This Row', '#Deze rij'],
    ],
  },
  fr: {
    spelling: { decimal: ',', list: ';', arrayColumn: '.' },
    functions: frenchFunctions,
    constants: [
      ['TRUE', 'VRAI'],
      ['FALSE', 'FAUX'],
    ],
    errors: [
      ['#NULL!', '#NUL!'],
      ['#VALUE!', '#VALEUR!'],
      ['#NAME?', '#NOM?'],
      ['#NUM!', '#NOMBRE!'],
      ['#SPILL!', '#PROPAGATION!'],
      ['#BUSY!', '#OCCUPE!'],
    ],
    tableParts: [
      ['#All', '#Tout'],
      ['#Data', '#Données'],
      ['#Headers', '#En-têtes'],
      ['#Totals', '#Totaux'],
      ['#This Row', '#Cette ligne'],
    ],
  },
};

type Words = ReadonlyMap<string, string>;

const dictionary = (pairs: Pairs, from: 0 | 1): Words =>
  new Map(pairs.map((pair) => [pair[from].toUpperCase(), pair[1 - from]!]));

type Direction = { from: Spelling; to: Spelling; functions: Words; constants: Words; errors: Words; tableParts: Words };

const direction = (from: Spelling, to: Spelling, words: Vocabulary, side: 0 | 1): Direction => ({
  from,
  to,
  functions: dictionary(words.functions, side),
  constants: dictionary(words.constants, side),
  errors: dictionary(words.errors, side),
  tableParts: dictionary(words.tableParts, side),
});

const directionsOf = (words: Vocabulary) => ({
  into: direction(words.spelling, english, words, 1),
  from: direction(english, words.spelling, words, 0),
});

/** Into English and from it; English itself is not translated. */
const directions = {
  en: undefined,
  nl: directionsOf(vocabularies.nl),
  fr: directionsOf(vocabularies.fr),
} satisfies Record<Locale['language'], ReturnType<typeof directionsOf> | undefined>;

/** An array constant: numbers, texts, truth values and errors. */
const translateArray = (array: string, { from, to, constants, errors }: Direction): string =>
  array.replace(/"(?:[^"]|"")*"|#[^.,;\\{}]+|[\p{L}]+|[\d.,]+|[\\]/gu, (part) => {
    if (part.startsWith('"')) return part;
    if (part === from.arrayColumn) return to.arrayColumn;
    if (/^[\d.,]/.test(part)) {
      // The comma that parts columns in English begins decimals in the other languages.
      return part.replace(/[.,]/g, (sign) => (sign === from.decimal ? to.decimal : to.arrayColumn));
    }
    return constants.get(part.toUpperCase()) ?? errors.get(part.toUpperCase()) ?? part;
  });

/** `[[#This Row],[Amount]]`: the parts have names, the columns are the person's own. */
const translateTablePart = (reference: string, { from, to, tableParts }: Direction): string => {
  const nested = reference.startsWith('[[');
  const part = (text: string) =>
    text.replace(/^\[(#[^\]]*)\]$/, (whole, name) => inBrackets(tableParts, name) ?? whole);
  if (!nested) return part(reference);
  return reference.replace(new RegExp(`\\[(?:[^[\\]']|'.)*\\]|${from.list}`, 'g'), (found) =>
    found === from.list ? to.list : part(found),
  );
};

const inBrackets = (words: Words, name: string): string | undefined => {
  const word = words.get(name.toUpperCase());
  return word && `[${word}]`;
};

const translate = (formula: string, to: Direction | undefined): string =>
  to === undefined ? formula : rewriteTokens(formula, (token) => translateToken(token, to), to.from);

const translateToken = (token: Token, to: Direction): string | undefined => {
  const { kind, text, sheet = '', table = '', part, name } = token;
  if (kind === 'structured') return `${sheet}${table}${translateTablePart(part!, to)}`;
  if (kind === 'array') return translateArray(text, to);
  if (kind === 'error')
    return `${sheet}${name!.replace(/^#[^!?]*[!?]?/, (code) => to.errors.get(code.toUpperCase()) ?? code)}`;
  if (kind === 'number') return text.replace(to.from.decimal, to.to.decimal);
  if (kind === 'list') return to.to.list;
  if ((kind !== 'call' && kind !== 'name') || sheet !== '') return undefined;
  const words = kind === 'name' ? to.constants : to.functions;
  return `${words.get(name!.toUpperCase()) ?? name}${text.slice(name!.length)}`;
};

/** A formula as it was typed, as the workbook keeps it. */
export const toEnglish = (formula: string, { language }: Locale): string =>
  translate(formula, directions[language]?.into);

/** A formula of the workbook, as the person reads it. */
export const fromEnglish = (formula: string, { language }: Locale): string =>
  translate(formula, directions[language]?.from);

/** How formulas are written in the language of the person. */
export const spellingOf = ({ language }: Locale): TokenSpelling =>
  language === 'en' ? english : vocabularies[language].spelling;

/** Functions that every language calls by their English name. */
const sameEverywhere = (
  'ABS ARRAYTOTEXT ASC BETA.INV BYCOL BYROW CHOOSECOLS CHOOSEROWS CODE COMPLEX COS COSH COT COTH DB DDB DELTA DROP ' +
  'EXP EXPAND F.INV F.TEST FISHER GAMMA GAUSS HSTACK INDEX INFO ISOMITTED LAMBDA LET LN LOG LOG10 LOGNORM.INV ' +
  'MAKEARRAY MAP MAX MAXA MIN MINA NORM.S.INV PHI PI QUOTIENT REDUCE SCAN SEC SECH SIN SINH SYD T.DIST T.INV ' +
  'T.INV.2T T.TEST TAKE TAN TANH TOCOL TOROW TYPE UNICODE VALUETOTEXT VAR VAR.S VDB VSTACK WRAPCOLS WRAPROWS Z.TEST'
).split(' ');

const functionNames: ReadonlySet<string> = new Set([
  ...[...dutchFunctions, ...frenchFunctions].map(([name]) => name),
  ...sameEverywhere,
]);

/** Whether a word, in capitals, is one of Excel's functions in English. */
export const isFunctionName = (word: string): boolean => functionNames.has(word);
