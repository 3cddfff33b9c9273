import type { Retry } from '../../../excel/batch.ts';
import { callsOfActiveCell, readActiveFormula } from '../../../excel/customFunctions.ts';
import type { Written } from '../../../excel/tables/table.ts';
import { administrationOf } from '../../connections/connections.ts';
import { NAMESPACE } from '../../ledgerFormulas/declaration.ts';
import { listsBehind } from '../../ledgerFormulas/listsBehind.ts';
import { findFormulaBooks, formulaBooks } from '../../ledgerFormulas/registerFormulas.ts';
import { type Connected, usePane } from '../../paneContext.ts';
import { pullList } from '../../pull/pulls.ts';
import { usePull } from '../../pull/usePull.ts';
import { useSelected } from '../../useSelectedRows.ts';
import { PullStatus } from '../PullStatus.tsx';
import { Section } from '../Section.tsx';
import { WorkButton } from '../WorkButton.tsx';

/** Formulas with an amount of the ledger. */
const amounts = new RegExp(`(?<![\\p{L}\\p{N}_.])${NAMESPACE}\\.(?:BALANCE|TURNOVER|OPEN)\\s*\\(`, 'iu');

const readAddress = async (retry: Retry): Promise<string[]> => {
  const found = await readActiveFormula(retry);
  return found !== undefined && amounts.test(found.formula) ? [found.address] : [];
};

/** Brings in the entries behind the figures of the selected formula. */
export function BehindFormula({ connection }: Pick<Connected, 'connection'>) {
  const { messages } = usePane();
  const [address] = useSelected(readAddress);
  const { job, start, cancel } = usePull(connection);
  if (address === undefined && job.state === 'idle') return null;
  const show = () =>
    start(async (context) => {
      const calls = await callsOfActiveCell(context.retry);
      const sources = { ask: formulaBooks().ask, findBooks: findFormulaBooks, ledger: context.ledger };
      const written: Written[] = [];
      for (const { list, question } of await listsBehind(
        calls,
        sources,
        administrationOf(connection).id,
        context.retry?.signal,
      )) {
        written.push(...(await pullList(context, list, question)));
      }
      return written;
    });
  const { showEntries, formula } = messages.ledger;
  return (
    <Section card title={address === undefined ? showEntries : formula(address.slice(address.lastIndexOf('!') + 1))}>
      {address !== undefined && <WorkButton onClick={() => void show()}>{showEntries}</WorkButton>}
      <PullStatus job={job} onCancel={cancel} />
    </Section>
  );
}
