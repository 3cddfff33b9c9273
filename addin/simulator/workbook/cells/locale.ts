import type { Language } from '../../../taskpane/locales/words.ts';

/** How Excel reads and shows values in a language of the pane, and names what it makes. */
export type Locale = {
  language: Language;
  /** By BCP 47. */
  tag: string;
  decimal: string;
  group: string;
  dayFirst: boolean;
  shortDate: string;
  true: string;
  false: string;
  /** The names of new sheets, charts, tables and columns, before their number. */
  names: { sheet: string; chart: string; table: string; column: string };
};

export const english: Locale = {
  language: 'en',
  tag: 'en-US',
  decimal: '.',
  group: ',',
  dayFirst: false,
  shortDate: 'm/d/yyyy',
  true: 'TRUE',
  false: 'FALSE',
  names: { sheet: 'Sheet', chart: 'Chart', table: 'Table', column: 'Column' },
};

export const dutch: Locale = {
  language: 'nl',
  tag: 'nl-NL',
  decimal: ',',
  group: '.',
  dayFirst: true,
  shortDate: 'dd-mm-yyyy',
  true: 'WAAR',
  false: 'ONWAAR',
  names: { sheet: 'Blad', chart: 'Grafiek', table: 'Tabel', column: 'Kolom' },
};

export const french: Locale = {
  language: 'fr',
  tag: 'fr-FR',
  decimal: ',',
  group: '\u202f',
  dayFirst: true,
  shortDate: 'dd/mm/yyyy',
  true: 'VRAI',
  false: 'FAUX',
  names: { sheet: 'Feuil', chart: 'Graphique', table: 'Tableau', column: 'Colonne' },
};

export const locales = { en: english, nl: dutch, fr: french } satisfies Record<Language, Locale>;
