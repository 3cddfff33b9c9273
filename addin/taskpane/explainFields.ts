import { type FieldError, refusalText } from '../../shared/fieldErrors.ts';
import type { Messages } from './locales/en.ts';

/** What is wrong with one field, in the language of the pane. */
export const explainField = (error: FieldError, { fieldErrors }: Messages): string => refusalText(error, fieldErrors);

/** What is wrong with some fields, under the headings of a product sheet as far as it has the fields. */
export function explainFields(errors: readonly FieldError[], messages: Messages): string {
  const headings: Readonly<Record<string, string>> = messages.headings.products;
  return errors
    .flatMap((error) => (error.code === 'ROW_REFUSED' ? (error.params.errors as FieldError[]) : error))
    .map((error) => {
      const text = explainField(error, messages);
      // What a row as a whole is refused for says so itself.
      if (error.path === '' || /^rows(\[\d+\])?$/.test(error.path)) return text;
      return messages.cell.field(headings[error.path] ?? error.path, text);
    })
    .join('; ');
}
