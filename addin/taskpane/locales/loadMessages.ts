import { loadPart } from '../loadPart.ts';
import type { Messages } from './en.ts';
import { withReadingOrder } from './readingOrder.ts';
import { type Language, languages } from './words.ts';

/** A language is added by its files, and by its lines here, in words.ts and in messages.ts. */
const loaders: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => (await import('./en.ts')).en,
  fr: async () => (await import('./fr.ts')).fr,
  nl: async () => (await import('./nl.ts')).nl,
};

/** All texts in a language. @throws NotLoaded */
export const loadMessages = async (language: Language): Promise<Messages> =>
  withReadingOrder(await loadPart(loaders[language]()));

/** All texts in every language. @throws NotLoaded */
export const loadAllMessages = (): Promise<Messages[]> => Promise.all(languages.map(loadMessages));
