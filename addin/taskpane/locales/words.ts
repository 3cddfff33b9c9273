import { enWords, type Words } from './enWords.ts';
import { frWords } from './frWords.ts';
import { nlWords } from './nlWords.ts';

/** The texts that a pane in any language has, in every language. */
export const wordsIn = { en: enWords, fr: frWords, nl: nlWords } satisfies Record<string, Words>;

export type Language = keyof typeof wordsIn;
export const languages = Object.keys(wordsIn) as Language[];
