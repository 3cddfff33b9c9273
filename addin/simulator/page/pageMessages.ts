import { chooseLanguage } from '../../taskpane/locales/language.ts';
import type { OutsideTexts } from '../../taskpane/locales/outside/en.ts';
import type { Language } from '../../taskpane/locales/words.ts';

/** The page's texts. Those of Excel itself (Sheet1, TRUE) depend on the language of the workbook. */
export type PageMessages = OutsideTexts['page'];

/** The language of the page: that of `?lang=`, else the browser's. */
export const pageLanguage = (search: string, browser: string): Language =>
  chooseLanguage([new URLSearchParams(search).get('lang') ?? browser]);

/** What the page shows, and the texts of the add-in that Excel shows, in a language. */
export const loadTexts: Readonly<Record<Language, () => Promise<OutsideTexts>>> = {
  en: async () => (await import('../../taskpane/locales/outside/en.ts')).en,
  fr: async () => (await import('../../taskpane/locales/outside/fr.ts')).fr,
  nl: async () => (await import('../../taskpane/locales/outside/nl.ts')).nl,
};
