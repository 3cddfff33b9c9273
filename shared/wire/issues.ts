import * as z from 'zod/mini';
import {
  type FieldError,
  type FieldErrorCode,
  type FieldErrorParams,
  fieldErrorOf,
  type Refusal,
  refusal,
  refusalText,
} from '../fieldErrors.ts';
import { describeValue } from './describeValue.ts';

/*
 * Converts issues of zod to errors of fields. Each has the code and parameters of the schema that raised it.
 */

/** A schema's issue. @param field the member of the value that is refused; left out: the value itself */
export const issueOf = (reason: Refusal, field?: string) => ({
  code: 'custom' as const,
  message: refusalText(reason),
  params: { reason },
  ...(field === undefined ? {} : { path: [field] }),
});

/** Refuses a member of an object within `superRefine`. */
export const refuseMember = <Code extends FieldErrorCode>(
  context: z.core.$RefinementCtx,
  field: string,
  code: Code,
  ...params: FieldErrorParams<Code>
): void => context.addIssue(issueOf(refusal(code, ...params), field));

/**
 * The errors of a `superRefine` rule for a value that no schema has read.
 * @param path of the value
 */
export function errorsOfRule(rule: (context: z.core.$RefinementCtx) => void, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const addIssue = ({ path: member = [], params }: ReturnType<typeof issueOf> & { path?: string[] }) =>
    errors.push(fieldErrorOf([path, ...member].join('.'), params.reason));
  rule({ addIssue } as unknown as z.core.$RefinementCtx);
  return errors;
}

/** The code of a list issue of zod, stored as the message of the check. */
export const codeOfIssue = (code: 'REQUIRED_LINES' | 'NOT_LINES' | 'NO_LINES') => code;

/** A list whose length is checked before its items are read, since each item costs time. */
export const listOf = <Item extends z.ZodMiniType>(
  max: number,
  items: z.ZodMiniArray<Item>,
  tooMany: (count: number) => Refusal = (count) => refusal('TOO_MANY_ITEMS', { max, count }),
) =>
  z.pipe(
    // The input is optional: the list behind it reports what it expected.
    z.optional(z.unknown()).check(
      z.superRefine((input, context) => {
        if (Array.isArray(input) && input.length > max) context.addIssue(issueOf(tooMany(input.length)));
      }),
    ),
    items.check(z.maxLength(max)),
  );

/** The error of an issue. The schema must report the input of its issues. */
export const errorOfIssue = (issue: z.core.$ZodIssue): FieldError =>
  fieldErrorOf(pathText(issue.path), reasonOf(issue));

function reasonOf(issue: z.core.$ZodIssue): Refusal {
  if (issue.code === 'custom' && issue.params?.reason !== undefined) return issue.params.reason;
  const code = issue.message as ReturnType<typeof codeOfIssue>;
  switch (code) {
    case 'NOT_LINES':
      return refusal(code, { type: typeof issue.input });
    case 'REQUIRED_LINES':
    case 'NO_LINES':
      return refusal(code);
  }
  // Fields report their own errors; the remaining issues are of lists and objects.
  const isList = issue.code === 'invalid_type' && issue.expected === 'array';
  if (issue.input === undefined) return refusal(isList ? 'REQUIRED_LIST' : 'REQUIRED_OBJECT');
  return refusal(isList ? 'NOT_LIST' : 'NOT_OBJECT', { given: describeValue(issue.input) });
}

/** `Invoice_InvoiceLine[2].Quantity` */
const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? String(step) : `${text}.${String(step)}`,
    '',
  );
