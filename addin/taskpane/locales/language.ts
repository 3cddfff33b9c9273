import { type Language, languages } from './messages.ts';

/** The first of some language tags (`nl-BE`, `en`) that the pane speaks; English when it speaks none. */
export function chooseLanguage(tags: readonly (string | null | undefined)[]): Language {
  for (const tag of tags) {
    const language = languages.find((known) => tag?.toLowerCase().split('-')[0] === known);
    if (language !== undefined) return language;
  }
  return 'en';
}

/** The language of the page: what its address asks for, else Excel's, else the browser's. */
export const pageLanguage = (): Language =>
  chooseLanguage([
    new URLSearchParams(location.search).get('lang'),
    globalThis.Office?.context?.displayLanguage,
    ...navigator.languages,
  ]);

/** A number that is decimal text, with every digit it has. */
export const formatDecimal = (language: Language, text: string, decimals = 0): string =>
  new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: 8 }).format(
    // Text is formatted exactly where the browser can, and as a number where it cannot.
    text as unknown as number,
  );

/** A moment, short, on the clock of whoever looks. */
export const formatMoment = (language: Language, instant: Date): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    instant,
  );

/** A moment to come: the time alone when it is today. */
export const formatTime = (language: Language, instant: Date, now: Date): string =>
  instant.toDateString() === now.toDateString()
    ? new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { timeStyle: 'short' }).format(instant)
    : formatMoment(language, instant);
