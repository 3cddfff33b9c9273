import { en, type Messages } from './en.ts';
import { fr } from './fr.ts';
import { nl } from './nl.ts';
import { en as enOutside, type OutsideTexts } from './outside/en.ts';
import { fr as frOutside } from './outside/fr.ts';
import { nl as nlOutside } from './outside/nl.ts';
import type { Language } from './words.ts';

/** Every text in every language, for what the build makes. The pane loads its language only: `loadMessages`. */
export const messagesOf: Readonly<Record<Language, Messages>> = { en, fr, nl };

/** The texts outside the pane in every language: those of the manifest, the functions in cells and the workbook page. */
export const outsideTextsOf: Readonly<Record<Language, OutsideTexts>> = { en: enOutside, fr: frOutside, nl: nlOutside };
