import { type FieldError, refusalText } from '../../shared/fieldErrors.ts';
import type { Messages } from './locales/en.ts';

/** The error of one field, in the language of the pane. */
export const explainField = (error: FieldError, { fieldErrors }: Messages): string => refusalText(error, fieldErrors);

/** The errors of fields, with the headings of the sheets for the fields that they have; a line is named by its place. */
export function explainFields(errors: readonly FieldError[], messages: Messages): string {
  const headings: Readonly<Record<string, string>> = { ...messages.headings.documents, ...messages.headings.products };
  return errors
    .flatMap((error) => (error.code === 'ROW_REFUSED' ? (error.params.errors as FieldError[]) : error))
    .map((error) => {
      const text = explainField(error, messages);
      // The refusal of a whole row needs no heading.
      if (error.path === '' || /^rows(\[\d+\])?$/.test(error.path)) return text;
      const [, line, member = error.path] = /\[(\d+)\]\.(\w+)$/.exec(error.path) ?? [];
      const heading = Object.hasOwn(headings, member) ? headings[member]! : error.path;
      return messages.cell.field(line === undefined ? heading : messages.cell.line(heading, Number(line) + 1), text);
    })
    .join('; ');
}
