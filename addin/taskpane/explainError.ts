import { UnreadableFile } from '../../shared/client/auditfileClient.ts';
import { Unreachable } from '../../shared/client/client.ts';
import { BooksChanged } from '../../shared/client/vatClient.ts';
import { Problem } from '../../shared/problem.ts';
import { WorkbookProblem } from '../excel/workbookProblem.ts';
import { explainFields } from './explainFields.ts';
import { FormulaProblem } from './ledgerFormulas/formulaProblem.ts';
import { NotLoaded } from './loadPart.ts';
import type { Messages } from './locales/en.ts';
import { inReadingOrder } from './locales/readingOrder.ts';

/** The text of an error for the user. */
export function explainError(error: unknown, messages: Messages): string {
  const { problems, notLoaded } = messages;
  if (error instanceof WorkbookProblem) {
    const text = problems.workbook[error.code];
    const named = error.code === 'COLUMN_GONE' || error.code === 'UNEXPECTED';
    return named && error.detail !== '' ? messages.labelled(text, error.detail) : text;
  }
  if (error instanceof Problem) {
    const seconds = error.headers['Retry-After'];
    if (error.code === 'RATE_LIMIT' && seconds !== undefined) return problems.rateLimit(seconds);
    const text = problems.service[error.code];
    if (error.code !== 'INVALID_REQUEST') return text;
    // A refusal has its own texts for the fields.
    const { errors } = error;
    return `${text} ${errors.length === 0 ? inReadingOrder(error.message) : explainFields(errors, messages)}`;
  }
  if (error instanceof Unreachable) return problems.offline;
  if (error instanceof FormulaProblem) return error.explain(messages);
  if (error instanceof NotLoaded) return `${notLoaded.title}. ${notLoaded.explanation}`;
  if (error instanceof BooksChanged) return problems.booksChanged;
  if (error instanceof UnreadableFile) return problems.unreadableFile;
  return problems.unexpected(error instanceof Error ? error.message : String(error));
}
