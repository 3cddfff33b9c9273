import { Button } from '@fluentui/react-button';
import { Link } from '@fluentui/react-link';
import { Subtitle1 } from '@fluentui/react-text';
import type { ReactNode } from 'react';
import { guideAddress } from '../guideAddress.ts';
import { usePane } from '../paneContext.ts';

/** A view: the button to the start page, its title with its page of the guide, and its content. */
export function ViewFrame({ title, back = true, children }: { title: string; back?: boolean; children: ReactNode }) {
  const { language, messages, view, go, busy } = usePane();
  return (
    <div className="view">
      <div className="top">
        {back && (
          <Button appearance="transparent" className="back" disabledFocusable={busy} onClick={() => go('home')}>
            <span aria-hidden="true">‹&nbsp;</span>
            {messages.back}
          </Button>
        )}
        <div className="titleLine">
          <Subtitle1 as="h1" className="heading">
            {title}
          </Subtitle1>
          <Link className="help" href={guideAddress(language, view)} target="_blank" rel="noopener">
            {messages.help}
          </Link>
        </div>
      </div>
      {children}
    </div>
  );
}
