import type { Messages } from '../../taskpane/locales/en.ts';
import { chooseLanguage } from '../../taskpane/locales/language.ts';
import { type Language, messagesOf } from '../../taskpane/locales/messages.ts';

/** The page's texts. The workbook's own words (Sheet1, TRUE) come with its language. */
export type Words = Messages['page'];

/** The language of the page: `?lang=nl` or `?lang=en`, else the browser's. */
export const pageLanguage = (search: string, browser: string): Language =>
  chooseLanguage([new URLSearchParams(search).get('lang') ?? browser]);

export const wordsFor = (language: Language): Words => messagesOf[language].page;
