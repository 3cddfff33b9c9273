import { useMemo } from 'react';
import { vatSums } from '../../../../shared/resources/vatReturn/vatSums.ts';
import { textOfCell } from '../../../excel/cell.ts';
import { filterRows } from '../../../excel/tables/filterRows.ts';
import {
  isSameAdministration,
  isSameSource,
  type Source,
  tablesInWorkbook,
} from '../../../excel/tables/tableMemory.ts';
import { WorkbookProblem } from '../../../excel/workbookProblem.ts';
import { type Connected, useAdministration, usePane } from '../../paneContext.ts';
import { VAT_LINES, VAT_RETURN } from '../../pulledLists/vatReturn.ts';
import { useJob } from '../../useJob.ts';
import { type SelectedNames, useSelectedRows } from '../../useSelectedRows.ts';
import { JobStatus } from '../JobStatus.tsx';
import { Notice } from '../Notice.tsx';
import { Section } from '../Section.tsx';
import { WorkButton } from '../WorkButton.tsx';

/** Shows the lines behind the selected box of a VAT return, on the sheet beside it. */
export function BehindBox({ connection }: Pick<Connected, 'connection'>) {
  const { messages } = usePane();
  const texts = messages.vat;
  const administration = useAdministration(connection);
  const names = useMemo(
    (): SelectedNames => ({
      isWanted: ({ memory }) =>
        memory.view === VAT_RETURN && isSameAdministration(memory.administration, administration),
      keys: ['Box'],
      nameOf: (cells, { memory: { view, administration, endpoint, query } }) => {
        const box = textOfCell(cells.get('Box') ?? '');
        return box === '' ? '' : JSON.stringify({ box, source: { view, administration, endpoint, query } });
      },
    }),
    [administration],
  );
  const [text] = useSelectedRows(names);
  const selected = useMemo((): Selected | undefined => text && JSON.parse(text), [text]);
  const { job, start, cancel } = useJob<never, string>();
  if (selected === undefined && job.state === 'idle') return null;
  return (
    <Section card title={selected === undefined ? texts.showLines : texts.box(selected.box)}>
      {selected !== undefined && (
        <WorkButton onClick={() => void start(({ retry }) => showLines(selected, retry))}>{texts.showLines}</WorkButton>
      )}
      <JobStatus
        job={job}
        onCancel={cancel}
        running={() => texts.showing}
        cancelled={messages.cancelled}
        done={(box) => <Notice intent="success">{texts.shown(box)}</Notice>}
      />
    </Section>
  );
}

/** A box, and the source of its sheet. */
type Selected = { box: string; source: Source };

/** Filters the lines of a return on a box, or on those that it is the sum of. */
async function showLines({ box, source }: Selected, retry: Parameters<typeof tablesInWorkbook>[0]): Promise<string> {
  const wanted = { ...source, view: VAT_LINES };
  const lines = (await tablesInWorkbook(retry)).find(({ memory }) => isSameSource(memory, wanted));
  if (lines === undefined) throw new WorkbookProblem('TABLE_GONE');
  const sum = vatSums[box];
  await filterRows(lines, 'Box', sum === undefined ? [box] : [...sum.of, ...sum.less], retry);
  return box;
}
