import { Text } from '@fluentui/react-text';
import { type ReactNode, useMemo } from 'react';
import { groupBy } from '../../../../../shared/groupBy.ts';
import { usePane } from '../../../paneContext.ts';
import { isSendable, type ProductRow } from '../../../productSheet/readProductRow.ts';
import { explainUnusual } from '../../../productSheet/unusualPrice.ts';
import { Notice } from '../../Notice.tsx';
import { Section } from '../../Section.tsx';
import { Status } from '../../Status.tsx';
import { ModeCounts } from './ModeCounts.tsx';

/** The most rows in a list; after a push each row of the sheet has its own message. */
const MAX_ISSUES = 10;

type Props = {
  rows: readonly ProductRow[];
  /** The button that sends them: above the list of errors, which may be long. */
  submit: ReactNode;
};

function summaryOf(rows: readonly ProductRow[]) {
  const byKind = groupBy(rows, ({ kind }) => kind);
  const ready = (byKind.get('ready') ?? []).filter(isSendable);
  return {
    countOf: (kind: ProductRow['kind']) => byKind.get(kind)?.length ?? 0,
    bad: (byKind.get('bad') ?? []).filter((row) => row.kind === 'bad'),
    ready,
    hidden: ready.filter((row) => row.hidden).length,
    unusual: ready.filter((row) => row.unusual.length > 0),
  };
}

/** How many rows of a sheet will be sent, and why the others will not. */
export function CheckedRows({ rows, submit }: Props) {
  const { messages } = usePane();
  const texts = messages.push;
  const { countOf, bad, ready, hidden, unusual } = useMemo(() => summaryOf(rows), [rows]);
  const [held, repeated] = [countOf('held'), countOf('repeated')];
  const [unchanged, applied] = [countOf('unchanged'), countOf('applied')];
  return (
    <Section card title={texts.found}>
      <Status>
        <Text weight="semibold">{texts.ready(ready.length)}</Text>
      </Status>
      {ready.length > 0 && <ModeCounts rows={ready} />}
      {hidden > 0 && <Text>{texts.hiddenFound(hidden)}</Text>}
      {unchanged > 0 && <Text className="muted">{texts.unchanged(unchanged)}</Text>}
      {applied > 0 && <Text className="muted">{texts.asApplied(applied)}</Text>}
      {repeated > 0 && <Notice intent="warning">{texts.repeated(repeated)}</Notice>}
      {held > 0 && <Notice intent="warning">{messages.labelled(texts.held(held), messages.rowMessage.held)}</Notice>}
      {submit}
      <RowIssues
        title={texts.unusualFound(unusual.length)}
        issues={unusual.map((row) => ({ ...row, message: explainUnusual(row.unusual, messages) }))}
      />
      <RowIssues title={texts.bad(bad.length)} issues={bad} />
    </Section>
  );
}

function RowIssues({ title, issues }: { title: string; issues: readonly { number: number; message: string }[] }) {
  const texts = usePane().messages.push;
  if (issues.length === 0) return null;
  return (
    <Notice intent="warning">
      <strong>{title}</strong>
      <ul className="bullets">
        {issues.slice(0, MAX_ISSUES).map(({ number, message }) => (
          <li key={number}>{texts.rowIssue(number, message)}</li>
        ))}
      </ul>
      {issues.length > MAX_ISSUES && texts.more(issues.length - MAX_ISSUES)}
    </Notice>
  );
}
