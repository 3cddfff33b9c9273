import type { CalendarDate } from '../../../shared/wire/calendarDate.ts';
import { partitionKey } from '../connections/partitionKey.ts';
import { type Language, languages } from './words.ts';

/** The first of some language tags (`nl-BE`, `en`) that the pane has texts for; English when there is none. */
export function chooseLanguage(tags: readonly (string | null | undefined)[]): Language {
  for (const tag of tags) {
    const language = languages.find((known) => tag?.toLowerCase().split('-')[0] === known);
    if (language !== undefined) return language;
  }
  return 'en';
}

type LanguageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/**
 * The language that the user chose in the pane, which this browser remembers; `null` is that of Excel.
 * @param storage returns the storage of the browser, or throws: then a choice lasts as long as the pane
 */
export function languageChoice(storage: () => LanguageStorage, partition: string | undefined) {
  const name = `${partition ?? ''}ledgerline.language`;
  return {
    read: (): Language | null => {
      try {
        const stored = storage().getItem(name);
        return languages.find((known) => known === stored) ?? null;
      } catch {
        return null;
      }
    },
    write: (language: Language | null): void => {
      try {
        if (language === null) storage().removeItem(name);
        else storage().setItem(name, language);
      } catch {
        // Only this pane knows it then.
      }
    },
  };
}

/** The language of Excel: that of the page's address, else what Excel tells, else the browser's. */
export const excelLanguage = (): Language =>
  chooseLanguage([
    new URLSearchParams(location.search).get('lang'),
    globalThis.Office?.context?.displayLanguage,
    ...navigator.languages,
  ]);

/** The language of the pane: the chosen one, else that of Excel. */
export const paneLanguage = (): Language =>
  languageChoice(() => localStorage, partitionKey()).read() ?? excelLanguage();

/** Formats of numbers, by language and decimals: to make one takes longer than to use it a hundred times. */
const decimalFormats = new Map<string, Intl.NumberFormat>();

function decimalFormat(language: Language, decimals: number): Intl.NumberFormat {
  const key = `${language} ${decimals}`;
  const format =
    decimalFormats.get(key) ??
    new Intl.NumberFormat(language, { minimumFractionDigits: decimals, maximumFractionDigits: 8 });
  decimalFormats.set(key, format);
  return format;
}

/** A number in decimal text, with all its digits. */
export const formatDecimal = (language: Language, text: string, decimals = 0): string =>
  // Newer browsers format the text exactly, older ones as a number.
  decimalFormat(language, decimals).format(text as unknown as number);

/** A short date. */
export const formatDay = (language: Language, day: CalendarDate): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(day),
  );

/** A short date and time in the time zone of the user. */
export const formatMoment = (language: Language, instant: Date): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { dateStyle: 'medium', timeStyle: 'short' }).format(
    instant,
  );

/** A time of day to the second, in the time zone of the user. */
export const formatTimeOfDay = (language: Language, instant: Date): string =>
  new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { timeStyle: 'medium' }).format(instant);

/** A short time in the time zone of the user, with its date unless that is today. */
export const formatTime = (language: Language, instant: Date, now: Date): string =>
  instant.toDateString() === now.toDateString()
    ? new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, { timeStyle: 'short' }).format(instant)
    : formatMoment(language, instant);
