import { useMemo } from 'react';
import { createLedgerClient } from '../../../../shared/client/ledgerClient.ts';
import { createProductClient } from '../../../../shared/client/productClient.ts';
import { createPushClient } from '../../../../shared/client/pushClient.ts';
import { MAX_LINES } from '../../../../shared/resources/document.ts';
import { defaultRetry } from '../../../excel/batch.ts';
import { textOfCell } from '../../../excel/cell.ts';
import { isSameAdministration } from '../../../excel/tables/tableMemory.ts';
import { writeObstacle } from '../../connections/Limits.tsx';
import type { Reversed } from '../../documentSheet/counterEntry.ts';
import { serviceOf } from '../../fetchWithRetry.ts';
import { loadPart } from '../../loadPart.ts';
import { type Connected, useAdministration, usePane } from '../../paneContext.ts';
import { usePull } from '../../pull/usePull.ts';
import { ACCOUNT_CARD } from '../../pulledLists/accountCard.ts';
import { type SelectedNames, useSelectedRows } from '../../useSelectedRows.ts';
import { JobStatus } from '../JobStatus.tsx';
import { Notice } from '../Notice.tsx';
import { Section } from '../Section.tsx';
import { WorkButton } from '../WorkButton.tsx';

/** Puts the counter-entry of the selected line of an account card into the sheet of journal entries. */
export function ReverseEntry({ connection }: Pick<Connected, 'connection'>) {
  const { messages, go } = usePane();
  const texts = messages.counterEntry;
  const administration = useAdministration(connection);
  const names = useMemo(
    (): SelectedNames => ({
      isWanted: ({ memory }) =>
        memory.view === ACCOUNT_CARD && isSameAdministration(memory.administration, administration),
      keys: ['Entry'],
      nameOf: (cells) => /^\d+$/.exec(textOfCell(cells.get('Entry') ?? ''))?.[0] ?? '',
    }),
    [administration],
  );
  const [entry] = useSelectedRows(names);
  const { job, start, cancel } = usePull<Reversed, never>(connection);
  const mayWrite = writeObstacle(connection.identity) === undefined;
  if ((entry === undefined || !mayWrite) && job.state === 'idle') return null;
  const reverse = (chosen: string) => {
    const service = serviceOf(connection);
    const products = connection.identity.available.products ? createProductClient(service) : undefined;
    const clients = { ledger: createLedgerClient(service), products, pushes: createPushClient(service) };
    return start(async ({ retry = defaultRetry, ...tools }) => {
      const { reverseEntry } = await loadPart(import('../../documentSheet/counterEntry.ts'));
      return reverseEntry(chosen, { ...tools, ...clients, retry });
    });
  };
  const done = (reversed: Reversed) => {
    if (!('sheetName' in reversed)) {
      const text = reversed.outcome === 'gone' ? texts.gone : texts.tooLong(MAX_LINES);
      return <Notice intent="warning">{text}</Notice>;
    }
    const { outcome, sheetName, number, leftOut } = reversed;
    return (
      <>
        <Notice intent={outcome === 'added' ? 'success' : 'info'}>{texts[outcome](sheetName, number)}</Notice>
        {leftOut.length > 0 && <Notice intent="warning">{texts.leftOut(leftOut.join(', '))}</Notice>}
        <WorkButton onClick={() => go('push')}>{messages.documentSheets.next}</WorkButton>
      </>
    );
  };
  return (
    <Section card title={entry === undefined ? texts.submit : texts.title(entry)}>
      {entry !== undefined && mayWrite && <WorkButton onClick={() => void reverse(entry)}>{texts.submit}</WorkButton>}
      <JobStatus job={job} onCancel={cancel} running={() => texts.working} cancelled={messages.cancelled} done={done} />
    </Section>
  );
}
