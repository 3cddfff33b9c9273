import type { Messages } from '../locales/en.ts';

/** Why a formula has no result: its arguments are wrong, or what it asks for is not available. */
export class FormulaProblem extends Error {
  override readonly name = 'FormulaProblem';
  readonly kind: 'invalidValue' | 'notAvailable';
  /** The text for the user, in the cell's own message. */
  readonly explain: (messages: Messages) => string;

  constructor(kind: FormulaProblem['kind'], explain: FormulaProblem['explain'], options?: ErrorOptions) {
    super(kind, options);
    this.kind = kind;
    this.explain = explain;
  }
}

/** An argument that cannot be understood. */
export const invalidValue = (text: (problems: Messages['formulas']['problems']) => string): FormulaProblem =>
  new FormulaProblem('invalidValue', ({ formulas }) => text(formulas.problems));

/** Something that is not there, or not now. */
export const notAvailable = (text: (problems: Messages['formulas']['problems']) => string): FormulaProblem =>
  new FormulaProblem('notAvailable', ({ formulas }) => text(formulas.problems));
