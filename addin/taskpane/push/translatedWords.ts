import { type Cell, textOfCell } from '../../excel/cell.ts';
import type { Words } from '../locales/enWords.ts';
import { languages, wordsIn } from '../locales/words.ts';

/** Words are read in every language of the pane: a colleague with another Excel may have filled in the workbook. */
const wordsOf = (pick: (words: Words) => string): string[] =>
  languages.map((language) => pick(wordsIn[language]).toLowerCase());
const isWord = (cell: Cell, words: readonly string[]): boolean => words.includes(textOfCell(cell).toLowerCase());

const yesWords = [...wordsOf(({ yes }) => yes), 'true', '1'];
const noWords = [...wordsOf(({ no }) => no), 'false', '0'];
const unknownWords = wordsOf(({ status }) => status.unknown);
const appliedWords = wordsOf(({ status }) => status.applied);
const waitingWords = wordsOf(({ status }) => status.waiting);
const notSentWords = wordsOf(({ status }) => status.notSent);

export const yesOrNo = (cell: Cell): boolean | undefined =>
  isWord(cell, yesWords) ? true : isWord(cell, noWords) ? false : undefined;

export const isUnknownStatus = (cell: Cell): boolean => isWord(cell, unknownWords);
export const isAppliedStatus = (cell: Cell): boolean => isWord(cell, appliedWords);
export const isWaitingStatus = (cell: Cell): boolean => isWord(cell, waitingWords);
export const isNotSentStatus = (cell: Cell): boolean => isWord(cell, notSentWords);
