import type { Language } from '../../../taskpane/locales/words.ts';
import { cellAt } from '../../workbook/sheet.ts';
import type { FormulaCell } from '../dependencies.ts';
import type { Result } from '../spills.ts';

/** Why a formula has no result, as its cell says it. */
const reasons = {
  circular: {
    en: 'This formula refers to its own cell, directly or through other formulas (a circular reference).',
    nl: 'Deze formule verwijst naar haar eigen cel, direct of via andere formules (een kringverwijzing).',
    fr: 'Cette formule fait référence à sa propre cellule, directement ou par d’autres formules (une référence circulaire).',
  },
  tooManyInCircle: {
    en: 'Too many formulas refer to each other in a circle. They cannot be calculated here.',
    nl: 'Te veel formules verwijzen in een kring naar elkaar. Ze kunnen hier niet worden berekend.',
    fr: 'Trop de formules font référence les unes aux autres en cercle. Elles ne peuvent pas être calculées ici.',
  },
  tooMuch: {
    en: 'This formula would take too long or too much memory here.',
    nl: 'Deze formule zou hier te veel tijd of geheugen kosten.',
    fr: 'Cette formule prendrait ici trop de temps ou trop de mémoire.',
  },
  tooEarly: {
    en: 'This function cannot be calculated here for days before 1 March 1900.',
    nl: 'Deze functie kan hier niet worden berekend voor dagen vóór 1 maart 1900.',
    fr: 'Cette fonction ne peut pas être calculée ici pour des jours antérieurs au 1er mars 1900.',
  },
  unread: {
    en: 'This formula cannot be read here: it is too long, too deep, or has a part that is not known.',
    nl: 'Deze formule kan hier niet worden gelezen: ze is te lang, te diep, of heeft een onbekend deel.',
    fr: 'Cette formule ne peut pas être lue ici : elle est trop longue, trop imbriquée, ou a une partie inconnue.',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Language, string>>>>;

export type Reason = keyof typeof reasons;

/** What a formula without a result gives: an error, and why. */
export const refused = (cell: FormulaCell, reason: Reason): Result => ({
  cell,
  values: [['#CALC!']],
  mayFill: cellAt(cell.sheet, cell.row, cell.column)?.spills !== undefined,
  message: reasons[reason][cell.sheet.workbook.locale.language],
});
