import { en, type Messages } from './en.ts';
import { fr } from './fr.ts';
import { nl } from './nl.ts';
import type { Language } from './words.ts';

/** Every text in every language, for what the build makes. The pane loads its language only: `loadMessages`. */
export const messagesOf: Readonly<Record<Language, Messages>> = { en, fr, nl };
