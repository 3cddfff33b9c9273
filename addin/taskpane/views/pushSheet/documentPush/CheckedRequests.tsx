import { Button } from '@fluentui/react-button';
import { Text } from '@fluentui/react-text';
import type { ReactNode } from 'react';
import { showSheet } from '../../../../excel/showSheet.ts';
import type { CheckedRequest } from '../../../documentSheet/checkRequests.ts';
import { usePane } from '../../../paneContext.ts';
import { Notice } from '../../Notice.tsx';
import { Section } from '../../Section.tsx';
import { Status } from '../../Status.tsx';
import { RequestTotalsText } from './RequestTotalsText.tsx';

/** The most errors in the list; each is marked in the sheet too. */
const MAX_ISSUES = 20;

type Props = {
  sheetId: string;
  rows: readonly CheckedRequest[];
  /** What they change in the books, where that is shown. */
  effects: ReactNode;
  /** The button that sends them: above the list of errors, which may be long. */
  submit: ReactNode;
};

/** What a sheet will make, and what is wrong with it, with a way to each cell. */
export function CheckedRequests({ sheetId, rows, effects, submit }: Props) {
  const { messages } = usePane();
  const texts = messages.documentPush;
  const ready = rows.filter(({ kind }) => kind === 'ready');
  const applied = rows.filter(({ kind }) => kind === 'applied').length;
  const issues = rows.flatMap((row) => row.issues);
  return (
    <Section card title={messages.push.found}>
      <Status>
        <Text weight="semibold">{texts.ready(ready.length)}</Text>
      </Status>
      <RequestTotalsText rows={ready} />
      {effects}
      {applied > 0 && <Text className="muted">{texts.applied(applied)}</Text>}
      {submit}
      {issues.length > 0 && (
        <Notice intent="warning">
          <strong>{texts.bad(issues.length)}</strong>
          <ul className="list">
            {issues.slice(0, MAX_ISSUES).map(({ address, message }) => (
              <li key={`${address} ${message}`} className="entry">
                <Text>{message}</Text>
                <Button size="small" className="submit" onClick={() => showSheet(sheetId, address)}>
                  {texts.goTo(address)}
                </Button>
              </li>
            ))}
          </ul>
          {issues.length > MAX_ISSUES && texts.more(issues.length - MAX_ISSUES)}
        </Notice>
      )}
    </Section>
  );
}
