import { type Language, languages } from './messages.ts';

/** The first of some language tags (`nl-BE`, `en`) that the pane has texts for; English when there is none. */
export function chooseLanguage(tags: readonly (string | null | undefined)[]): Language {
  for (const tag of tags) {
    const language = languages.find((known) => tag?.toLowerCase().split('-')[0] === known);
    if (language !== undefined) return language;
  }
  return 'en';
}

/** The language of the page: that of its address, else Excel's, else the browser's. */
export const pageLanguage = (): Language =>
  chooseLanguage([
    new URLSearchParams(location.search).get('lang'),
    globalThis.Office?.context?.displayLanguage,
    ...navigator.languages,
  ]);

/** A number in decimal text, with all its digits. */
export const formatDecimal = (language: Language, text: string, decimals = 0): string =>
  new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: 8 }).format(
    // Newer browsers format the text exactly, older ones as a number.
    text as unknown as number,
  );

/** A short date and time in the time zone of the user. */
export const formatMoment = (language: Language, instant: Date): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    instant,
  );

/** A short time in the time zone of the user, with its date unless that is today. */
export const formatTime = (language: Language, instant: Date, now: Date): string =>
  instant.toDateString() === now.toDateString()
    ? new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { timeStyle: 'short' }).format(instant)
    : formatMoment(language, instant);
