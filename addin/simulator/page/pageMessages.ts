import type { Messages } from '../../taskpane/locales/en.ts';
import { chooseLanguage } from '../../taskpane/locales/language.ts';
import type { Language } from '../../taskpane/locales/words.ts';

/** The page's texts. Those of Excel itself (Sheet1, TRUE) depend on the language of the workbook. */
export type PageMessages = Messages['page'];

/** The language of the page: that of `?lang=`, else the browser's. */
export const pageLanguage = (search: string, browser: string): Language =>
  chooseLanguage([new URLSearchParams(search).get('lang') ?? browser]);
