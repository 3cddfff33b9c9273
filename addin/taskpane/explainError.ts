import { Unreachable } from '../../shared/client.ts';
import { Problem } from '../../shared/problem.ts';
import { WorkbookProblem } from '../excel/workbookProblem.ts';
import type { Messages } from './messages.ts';

/** What went wrong, in plain words. */
export function explainError(error: unknown, { problems }: Messages): string {
  if (error instanceof WorkbookProblem) {
    const text = problems.workbook[error.code];
    const named = error.code === 'COLUMN_GONE' || error.code === 'UNEXPECTED';
    return named && error.detail !== '' ? `${text}: ${error.detail}` : text;
  }
  if (error instanceof Problem) {
    const seconds = error.headers['Retry-After'];
    if (error.code === 'RATE_LIMIT' && seconds !== undefined) return problems.rateLimit(seconds);
    const text = problems.service[error.code];
    // A refused request says itself what is wrong with it.
    return error.code === 'INVALID_REQUEST' ? `${text} ${error.message}` : text;
  }
  if (error instanceof Unreachable) return problems.offline;
  return problems.unexpected(error instanceof Error ? error.message : String(error));
}
