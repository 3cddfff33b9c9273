import { explainError } from '../explainError.ts';
import { usePane } from '../paneContext.ts';
import { Notice } from './Notice.tsx';

/** The text of an error; nothing when there is none. */
export function ErrorNotice({ error }: { error: unknown }) {
  const { messages } = usePane();
  return error === undefined ? null : <Notice intent="error">{explainError(error, messages)}</Notice>;
}
