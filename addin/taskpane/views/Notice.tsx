import { MessageBar, MessageBarBody } from '@fluentui/react-message-bar';
import type { ReactNode } from 'react';

/** A message that screen readers read out: an error at once, any other in the next pause. */
export function Notice({
  intent,
  children,
}: {
  intent: 'success' | 'info' | 'warning' | 'error';
  children: ReactNode;
}) {
  return (
    <MessageBar intent={intent} layout="multiline" politeness={intent === 'error' ? 'assertive' : 'polite'}>
      <MessageBarBody>
        <div role={intent === 'error' ? 'alert' : 'status'}>{children}</div>
      </MessageBarBody>
    </MessageBar>
  );
}
