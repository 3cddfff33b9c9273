import type { DocumentForm } from '../../../shared/client/documentClient.ts';
import { Problem } from '../../../shared/problem.ts';
import { explainError } from '../explainError.ts';
import { explainField } from '../explainFields.ts';
import type { Messages } from '../locales/en.ts';

/** Why a document could not be fetched, and the fields that its invoice lacks, in the language of the pane. */
export function explainDocument(
  error: unknown,
  form: DocumentForm,
  number: string,
  messages: Messages,
): { text: string; fields: readonly string[] } {
  const texts = messages.documents;
  const isRefusal = error instanceof Problem;
  if (isRefusal && error.code === 'NOT_IMPLEMENTED') return { text: texts.notOffered, fields: [] };
  if (isRefusal && error.code === 'NOT_FOUND') return { text: texts.notFound(number), fields: [] };
  if (!isRefusal || error.code !== 'INVALID_REQUEST' || error.errors.length === 0) {
    return { text: explainError(error, messages), fields: [] };
  }
  return { text: texts.cannotBeCreated[form], fields: error.errors.map((one) => explainField(one, messages)) };
}
