import { Link } from '@fluentui/react-link';
import { useCallback, useEffect, useState } from 'react';
import { canOpenWithWorkbook, opensWithWorkbook, openWithWorkbook } from '../../../excel/startup.ts';
import { type TableHandle, tablesInWorkbook } from '../../../excel/tables/tableMemory.ts';
import { FirstSteps } from '../../firstSteps/FirstSteps.tsx';
import { type Connected, usePane } from '../../paneContext.ts';
import { InvoiceDocuments } from '../../selectedInvoices/InvoiceDocuments.tsx';
import { PRODUCTS } from '../../sheetColumns/productTable.ts';
import { viewGroups } from '../../viewNames.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { BehindSelection } from '../pullList/BehindSelection.tsx';
import { Section } from '../Section.tsx';
import { ViewFrame } from '../ViewFrame.tsx';
import { PulledSheets } from './PulledSheets.tsx';
import { PushesUnderWay } from './PushesUnderWay.tsx';
import { StoredChoice } from './StoredChoice.tsx';
import { ViewButtons } from './ViewButtons.tsx';

type Props = Pick<Connected, 'connection'>;

/** In the order of a working day: what is under way, what the workbook has, and then what can be brought in, made and sent. */
export function HomeView({ connection }: Props) {
  const { messages, go, busy, reading } = usePane();
  const texts = messages.home;
  const [tables, setTables] = useState<readonly TableHandle[]>();
  const [failure, setFailure] = useState<unknown>();
  const readTables = useCallback(() => {
    setFailure(undefined);
    return tablesInWorkbook(reading).then(setTables, setFailure);
  }, [reading]);
  useEffect(() => {
    void readTables();
  }, [readTables]);

  const hasLedger = connection.identity.available.ledger;
  const hasProductSheet = tables?.some(({ memory }) => memory.view === PRODUCTS) ?? false;
  const hasSheets = tables !== undefined && tables.length > 0;
  return (
    <ViewFrame title={texts.title} back={false}>
      {tables !== undefined && <PushesUnderWay tables={tables} />}
      {!connection.pushedBefore && <FirstSteps current={hasProductSheet ? 2 : 1} />}
      <ErrorNotice error={failure} onRetry={() => void readTables()} />
      <InvoiceDocuments connection={connection} />
      {hasLedger && <BehindSelection connection={connection} />}
      {hasSheets && (
        <Section title={texts.inWorkbook}>
          <PulledSheets connection={connection} tables={tables} onRefreshed={readTables} />
          {canOpenWithWorkbook() && (
            <StoredChoice label={texts.openWithWorkbook} read={opensWithWorkbook} store={openWithWorkbook} />
          )}
        </Section>
      )}
      <ViewButtons title={texts.pull} views={viewGroups.pull} />
      {hasLedger && <ViewButtons title={texts.books} views={viewGroups.books} />}
      <ViewButtons title={texts.change} views={viewGroups.change} />
      <Link as="button" className="submit" disabledFocusable={busy} onClick={() => go('activity')}>
        {messages.activity.title}
      </Link>
    </ViewFrame>
  );
}
