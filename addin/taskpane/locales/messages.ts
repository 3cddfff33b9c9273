import { en, type Messages } from './en.ts';
import { fr } from './fr.ts';
import { nl } from './nl.ts';

/** Every text in every language: a language is added by its file and its line here. */
export const messagesOf = { en, fr, nl } satisfies Record<string, Messages>;

export type Language = keyof typeof messagesOf;
export const languages = Object.keys(messagesOf) as Language[];
