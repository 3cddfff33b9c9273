/** How Excel reads and shows values in a language. */
export type Locale = {
  language: 'en' | 'nl';
  /** By BCP 47. */
  tag: string;
  decimal: string;
  group: string;
  dayFirst: boolean;
  shortDate: string;
  true: string;
  false: string;
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
};

export const locales = { en: english, nl: dutch } satisfies Record<Locale['language'], Locale>;
