import { MessageBar, MessageBarBody } from '@fluentui/react-message-bar';
import type { ReactNode } from 'react';
import { Status } from './Status.tsx';

/** A message that screen readers read out: an error at once, any other in the next pause. */
export function Notice({
  intent,
  children,
}: {
  intent: 'success' | 'info' | 'warning' | 'error';
  children: ReactNode;
}) {
  return (
    <MessageBar intent={intent} layout="multiline">
      <MessageBarBody>
        {intent === 'error' ? <div role="alert">{children}</div> : <Status>{children}</Status>}
      </MessageBarBody>
    </MessageBar>
  );
}
