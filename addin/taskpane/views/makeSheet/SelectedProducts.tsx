import { Text } from '@fluentui/react-text';
import { useMemo, useState } from 'react';
import type { Credential } from '../../../../shared/client/client.ts';
import type { Cell } from '../../../excel/cell.ts';
import { textOfCell } from '../../../excel/cell.ts';
import type { TableHandle } from '../../../excel/tables/tableMemory.ts';
import { usePane } from '../../paneContext.ts';
import { type NamedRow, productReader, readOneByOne } from '../../productSheet/readOneByOne.ts';
import { productKeys } from '../../sheetColumns/productTable.ts';
import { useJob } from '../../useJob.ts';
import { type SelectedNames, useSelectedRows } from '../../useSelectedRows.ts';
import { JobStatus } from '../JobStatus.tsx';
import { Notice } from '../Notice.tsx';
import { Section } from '../Section.tsx';
import { WorkButton } from '../WorkButton.tsx';

type Counts = { read: number; missing: number; total: number };

type Props = { handle: TableHandle; credential: Credential; requestsPerMinute: number | undefined };

/** Reads the present values of the selected rows of a product sheet, from a service that lists no products. */
export function SelectedProducts({ handle, credential, requestsPerMinute }: Props) {
  const { messages } = usePane();
  const texts = messages.selected;
  const names = useSelectedRows(useMemo(() => productsIn(handle.sheetId), [handle.sheetId]));
  const { job, start, cancel } = useJob<Counts, Counts>();
  const [left, setLeft] = useState<readonly NamedRow[]>([]);
  const { apiKey, username } = credential;

  const read = (rows: readonly NamedRow[]) =>
    start(async ({ report, retry, onWaiting }) => {
      const client = productReader({ apiKey, username }, onWaiting);
      let counts: Counts = { read: 0, missing: 0, total: rows.length };
      setLeft(rows);
      report(counts);
      const onRead = (row: NamedRow, wasFound: boolean) => {
        counts = { ...counts, ...(wasFound ? { read: counts.read + 1 } : { missing: counts.missing + 1 }) };
        setLeft((now) => now.filter((one) => one !== row));
        report(counts);
      };
      await readOneByOne(handle, client, rows, { messages, retry, onRead });
      return counts;
    });

  const minutesFor = (count: number) => Math.ceil(count / (requestsPerMinute ?? Number.POSITIVE_INFINITY));
  const timeFor = (count: number) => texts.time(minutesFor(count));
  return (
    <Section card title={texts.title}>
      {names.length === 0 ? (
        <Text>{texts.none}</Text>
      ) : (
        <>
          <WorkButton onClick={() => read(names.map(rowOf))}>{texts.read(names.length)}</WorkButton>
          <Text>{timeFor(names.length)}</Text>
        </>
      )}
      {left.length > 0 && job.state !== 'running' && (
        <WorkButton onClick={() => read(left)}>{texts.goOn(left.length)}</WorkButton>
      )}
      <JobStatus
        job={job}
        onCancel={cancel}
        running={(counts) =>
          counts === undefined
            ? texts.progress(0, 0)
            : `${texts.progress(counts.read + counts.missing, counts.total)} ${timeFor(
                counts.total - counts.read - counts.missing,
              )}`
        }
        cancelled={texts.cancelled}
        done={({ read, missing }) => (
          <Notice intent={missing === 0 ? 'success' : 'warning'}>{texts.done(read, missing)}</Notice>
        )}
      />
    </Section>
  );
}

/** What the selected rows of a sheet name: their key cells as JSON. */
const productsIn = (sheetId: string): SelectedNames => ({
  isWanted: (handle) => handle.sheetId === sheetId,
  keys: productKeys,
  nameOf: (row: ReadonlyMap<string, Cell>) => {
    const cells = productKeys.map((key) => textOfCell(row.get(key) ?? '').trim());
    return cells.every((cell) => cell === '') ? '' : JSON.stringify(cells);
  },
});

const rowOf = (name: string): NamedRow => {
  const [ArticleNumber = '', EAN = ''] = JSON.parse(name) as string[];
  return { ArticleNumber, EAN };
};
