import { Button } from '@fluentui/react-components';
import { explainError } from '../explainError.ts';
import { usePane } from '../paneContext.ts';
import { Notice } from './Notice.tsx';

/** The text of an error; nothing when there is none. @param onRetry does once more what failed */
export function ErrorNotice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { messages } = usePane();
  if (error === undefined) return null;
  return (
    <Notice intent="error">
      {explainError(error, messages)}
      {onRetry !== undefined && (
        <div>
          <Button size="small" onClick={onRetry}>
            {messages.tryAgain}
          </Button>
        </div>
      )}
    </Notice>
  );
}
