import type { FieldError } from '../../../../shared/fieldErrors.ts';

/** What a reference of a request names, or why it names nothing. */
export type Found<Value, Reason = FieldError> = { kind: 'found'; value: Value } | { kind: 'refused'; reason: Reason };

export const found = <Value>(value: Value): { kind: 'found'; value: Value } => ({ kind: 'found', value });
export const refused = <Reason>(reason: Reason): { kind: 'refused'; reason: Reason } => ({ kind: 'refused', reason });

/** A value if there is one, else why there is none. */
export const foundOr = <Value, Reason>(value: Value | undefined, reason: () => Reason): Found<Value, Reason> =>
  value === undefined ? refused(reason()) : found(value);
