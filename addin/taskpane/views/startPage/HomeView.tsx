import { Link, Text } from '@fluentui/react-components';
import { useCallback, useEffect, useState } from 'react';
import { type TableHandle, tablesInWorkbook } from '../../../excel/tables/tableMemory.ts';
import { FirstSteps } from '../../firstSteps/FirstSteps.tsx';
import { type Connected, usePane } from '../../paneContext.ts';
import { InvoiceDocuments } from '../../selectedInvoices/InvoiceDocuments.tsx';
import { PRODUCTS } from '../../sheetColumns/productTable.ts';
import { viewGroups } from '../../viewNames.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { BehindSelection } from '../pullList/BehindSelection.tsx';
import { Section } from '../Section.tsx';
import { useFormStyles, ViewFrame } from '../ViewFrame.tsx';
import { OpeningChoice } from './OpeningChoice.tsx';
import { PulledSheets } from './PulledSheets.tsx';

type Props = Pick<Connected, 'connection'>;

/** The views of the pane, and the tables of the workbook that can be refreshed. */
export function HomeView({ connection }: Props) {
  const styles = useFormStyles();
  const { messages, go, busy, reading } = usePane();
  const texts = messages.home;
  const [tables, setTables] = useState<readonly TableHandle[]>();
  const [failure, setFailure] = useState<unknown>();
  const readTables = useCallback(() => tablesInWorkbook(reading).then(setTables, setFailure), [reading]);
  useEffect(() => {
    void readTables();
  }, [readTables]);

  const hasLedger = connection.identity.available.ledger;
  const hasProductSheet = tables?.some(({ memory }) => memory.view === PRODUCTS) ?? false;
  const group = (name: keyof typeof viewGroups) => (
    <Section title={texts[name]}>
      <ul className={styles.list}>
        {viewGroups[name].map((view) => (
          <li key={view} className={styles.entry}>
            <Link as="button" disabledFocusable={busy} onClick={() => go(view)}>
              <Text weight="semibold">{messages[view].title}</Text>
            </Link>
            <Text size={200} className={styles.muted}>
              {messages[view].summary}
            </Text>
          </li>
        ))}
      </ul>
    </Section>
  );
  return (
    <ViewFrame title={texts.title} back={false}>
      {!connection.pushedBefore && <FirstSteps current={hasProductSheet ? 2 : 1} />}
      <InvoiceDocuments connection={connection} />
      {hasLedger && <BehindSelection connection={connection} />}
      {group('pull')}
      {hasLedger && group('books')}
      {group('change')}
      <Section title={texts.inWorkbook}>
        <ErrorNotice error={failure} />
        <PulledSheets connection={connection} tables={tables} onRefreshed={readTables} />
        {tables !== undefined && tables.length > 0 && <OpeningChoice />}
        <Link as="button" disabledFocusable={busy} onClick={() => go('activity')}>
          {messages.activity.title}
        </Link>
      </Section>
    </ViewFrame>
  );
}
