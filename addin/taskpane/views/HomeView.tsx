import { Button, Link, makeStyles, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { useCallback, useEffect, useState } from 'react';
import type { Written } from '../../excel/tables/table.ts';
import { isSameAdministration, type TableHandle, tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { administrationOf } from '../connections.ts';
import { InvoiceDocuments } from '../documents/InvoiceDocuments.tsx';
import { explainError } from '../explainError.ts';
import { FirstSteps } from '../firstSteps/FirstSteps.tsx';
import { formatMoment } from '../locales/language.ts';
import { type Connected, usePane } from '../paneContext.ts';
import { canRefresh, refreshPull } from '../pull/pulls.ts';
import { refreshContext } from '../pull/refreshContext.ts';
import { PRODUCTS } from '../tables/productTable.ts';
import { useJob } from '../useJob.ts';
import { viewGroups } from '../viewNames.ts';
import { Notice } from './Notice.tsx';
import { PullStatus } from './PullStatus.tsx';
import { useFormStyles, ViewFrame } from './ViewFrame.tsx';

const useStyles = makeStyles({
  section: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  entry: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXXS },
});

/** What the pane can do, and the tables of this workbook it can refresh. */
export function HomeView({ connection, client }: Pick<Connected, 'connection' | 'client'>) {
  const styles = useStyles();
  const form = useFormStyles();
  const { messages, go, busy } = usePane();
  const texts = messages.home;
  const [hasProductSheet, setHasProductSheet] = useState(false);
  useEffect(() => {
    // Without an answer the steps begin at the beginning; the list of tables says what is wrong.
    tablesInWorkbook().then(
      (tables) => setHasProductSheet(tables.some(({ memory }) => memory.view === PRODUCTS)),
      () => {},
    );
  }, []);
  const group = (name: keyof typeof viewGroups, title: string) => (
    <section className={styles.section}>
      <Subtitle2 as="h2" className={form.heading}>
        {title}
      </Subtitle2>
      <ul className={form.list}>
        {viewGroups[name].map((view) => (
          <li key={view} className={`${form.card} ${styles.entry}`}>
            <Link as="button" disabled={busy} onClick={() => go(view)}>
              <Text weight="semibold">{messages[view].title}</Text>
            </Link>
            <Text size={200} className={form.muted}>
              {messages[view].summary}
            </Text>
          </li>
        ))}
      </ul>
    </section>
  );
  return (
    <ViewFrame title={texts.title} back={false}>
      {!connection.pushedBefore && <FirstSteps current={hasProductSheet ? 2 : 1} />}
      <InvoiceDocuments connection={connection} />
      {group('pull', texts.pull)}
      {group('change', texts.change)}
      <WorkbookTables connection={connection} client={client} />
    </ViewFrame>
  );
}

function WorkbookTables({ connection, client }: Pick<Connected, 'connection' | 'client'>) {
  const styles = useStyles();
  const form = useFormStyles();
  const { messages, language, busy } = usePane();
  const texts = messages.home;
  const [tables, setTables] = useState<TableHandle[]>();
  const [failure, setFailure] = useState<unknown>();
  const { job, start, cancel } = useJob<number, Written[]>();

  const look = useCallback(async () => {
    try {
      setTables((await tablesInWorkbook()).filter(({ memory }) => canRefresh(memory)));
    } catch (error) {
      setFailure(error);
    }
  }, []);
  useEffect(() => {
    look();
  }, [look]);

  const refresh = (table: TableHandle) =>
    start(async (tools) => {
      const written = await refreshPull(refreshContext(connection, client, messages, tools), table.memory);
      await look();
      return written;
    });

  return (
    <section className={styles.section}>
      <Subtitle2 as="h2" className={form.heading}>
        {texts.inWorkbook}
      </Subtitle2>
      {failure !== undefined && <Notice intent="error">{explainError(failure, messages)}</Notice>}
      <PullStatus job={job} onCancel={cancel} />
      {tables?.length === 0 && <Text className={form.muted}>{texts.nothingYet}</Text>}
      <ul className={form.list}>
        {tables?.map((table) => {
          const { administration, pulledAt } = table.memory;
          const ours = isSameAdministration(administration, administrationOf(connection));
          return (
            <li key={table.sheetId} className={`${form.card} ${styles.entry}`}>
              <Text weight="semibold">{table.sheetName}</Text>
              <Text size={200} className={form.muted}>
                {texts.ofAdministration(administration.label)},{' '}
                {texts.pulledAt(formatMoment(language, new Date(pulledAt)))}
              </Text>
              {ours ? (
                <Button
                  size="small"
                  className={form.submit}
                  disabledFocusable={busy}
                  aria-label={texts.refreshNamed(table.sheetName)}
                  onClick={() => refresh(table)}
                >
                  {texts.refresh}
                </Button>
              ) : (
                <Text size={200}>{texts.otherAdministration(administration.label)}</Text>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
