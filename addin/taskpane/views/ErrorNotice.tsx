import { Button } from '@fluentui/react-components';
import { explainError } from '../explainError.ts';
import { usePane } from '../paneContext.ts';
import { Notice } from './Notice.tsx';

type Props = {
  error: unknown;
  /** Does once more what failed. */
  onRetry?: () => void;
  /** Says what the error means here; its own text is the reason. */
  text?: (reason: string) => string;
};

/** The text of an error; nothing when there is none. */
export function ErrorNotice({ error, onRetry, text = (reason) => reason }: Props) {
  const { messages } = usePane();
  if (error === undefined) return null;
  return (
    <Notice intent="error">
      {text(explainError(error, messages))}
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
