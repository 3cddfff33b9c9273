import { Button } from '@fluentui/react-button';
import type { ReactNode } from 'react';
import { explainError } from '../explainError.ts';
import { usePane } from '../paneContext.ts';
import { Notice } from './Notice.tsx';

type Props = {
  error: unknown;
  /** Takes up again what failed. */
  onRetry: () => void;
  /** Says what the error means here; its own text stands where this says nothing. */
  explain?: ((error: unknown) => ReactNode) | undefined;
};

/** The text of an error, and a button that takes it up again; nothing when there is none. */
export function ErrorNotice({ error, onRetry, explain }: Props) {
  const { messages, busy } = usePane();
  if (error === undefined) return null;
  return (
    <Notice intent="error">
      {explain?.(error) ?? explainError(error, messages)}
      <div>
        <Button size="small" disabledFocusable={busy} onClick={onRetry}>
          {messages.tryAgain}
        </Button>
      </div>
    </Notice>
  );
}
