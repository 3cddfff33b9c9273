import { Link, Text } from '@fluentui/react-components';
import { useCallback, useEffect, useState } from 'react';
import { isSameAdministration, type TableHandle, tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { AdministrationMark } from '../connections/AdministrationMark.tsx';
import { administrationOf } from '../connections/connections.ts';
import { OtherAdministration } from '../connections/OtherAdministration.tsx';
import { FirstSteps } from '../firstSteps/FirstSteps.tsx';
import { formatMoment } from '../locales/language.ts';
import { type Connected, usePane } from '../paneContext.ts';
import { canRefresh, refreshPull } from '../pull/pulls.ts';
import { usePull } from '../pull/usePull.ts';
import { InvoiceDocuments } from '../selectedInvoices/InvoiceDocuments.tsx';
import { PRODUCTS } from '../sheetColumns/productTable.ts';
import { viewGroups } from '../viewNames.ts';
import { ErrorNotice } from './ErrorNotice.tsx';
import { PullStatus } from './PullStatus.tsx';
import { BehindBalances } from './pullList/BehindBalances.tsx';
import { Section } from './Section.tsx';
import { useFormStyles, ViewFrame } from './ViewFrame.tsx';
import { WorkButton } from './WorkButton.tsx';

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
      {hasLedger && <BehindBalances connection={connection} />}
      {group('pull')}
      {hasLedger && group('books')}
      {group('change')}
      <Section title={texts.inWorkbook}>
        <ErrorNotice error={failure} />
        <PulledTables connection={connection} tables={tables} onRefreshed={readTables} />
      </Section>
    </ViewFrame>
  );
}

type TablesProps = Props & { tables: readonly TableHandle[] | undefined; onRefreshed: () => Promise<void> };

function PulledTables({ connection, tables, onRefreshed }: TablesProps) {
  const styles = useFormStyles();
  const { messages, language } = usePane();
  const texts = messages.home;
  const { job, start, cancel } = usePull(connection);
  const refreshable = tables?.filter(({ memory }) => canRefresh(memory));
  const refresh = ({ memory }: TableHandle) =>
    start(async (context) => {
      const written = await refreshPull(context, memory);
      await onRefreshed();
      return written;
    });
  return (
    <>
      <PullStatus job={job} onCancel={cancel} />
      {refreshable?.length === 0 && <Text className={styles.muted}>{texts.nothingYet}</Text>}
      <ul className={styles.list}>
        {refreshable?.map((table) => {
          const { administration, pulledAt, dataAt } = table.memory;
          const moment = formatMoment(language, new Date(pulledAt));
          return (
            <li key={table.sheetId} className={styles.entry}>
              <Text weight="semibold">{table.sheetName}</Text>
              <Text size={200} className={styles.muted}>
                {texts.pulledAt(moment)}
                {dataAt !== undefined && `, ${texts.ofExport(formatMoment(language, new Date(dataAt)))}`}
              </Text>
              {isSameAdministration(administration, administrationOf(connection)) ? (
                <>
                  <div>
                    <AdministrationMark administration={administration} />
                  </div>
                  <WorkButton
                    size="small"
                    aria-label={messages.named(texts.refresh, table.sheetName)}
                    onClick={() => refresh(table)}
                  >
                    {texts.refresh}
                  </WorkButton>
                </>
              ) : (
                <OtherAdministration
                  administration={administration}
                  text={messages.otherAdministration.refresh}
                  sheetName={table.sheetName}
                />
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
