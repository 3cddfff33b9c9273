import { Text } from '@fluentui/react-text';
import { useMemo } from 'react';
import { dateOfSerial, textOfCell } from '../../../excel/cell.ts';
import type { SelectedRow } from '../../../excel/tables/selectedRows.ts';
import { isSameAdministration, type TableHandle } from '../../../excel/tables/tableMemory.ts';
import { type Connected, useAdministration, usePane } from '../../paneContext.ts';
import { pullList } from '../../pull/pulls.ts';
import { usePull } from '../../pull/usePull.ts';
import { accountCard } from '../../pulledLists/accountCard.ts';
import type { Question } from '../../pulledLists/list.ts';
import { NONE, OPEN_ITEMS } from '../../pulledLists/openItems.ts';
import { TRIAL_BALANCE } from '../../pulledLists/trialBalance.ts';
import { type SelectedNames, useSelectedRows } from '../../useSelectedRows.ts';
import { PullStatus } from '../PullStatus.tsx';
import { Section } from '../Section.tsx';
import { WorkButton } from '../WorkButton.tsx';
import { BehindBox } from './BehindBox.tsx';
import { BehindFormula } from './BehindFormula.tsx';
import { ReverseEntry } from './ReverseEntry.tsx';

type Props = Pick<Connected, 'connection'> & {
  /** Shown while nothing is selected that has entries behind it. */
  hint?: string;
};

/**
 * Brings in the entries behind what is selected: rows of a trial balance or of open items, or a formula; the
 * lines of a VAT box. Reverses the selected entry of an account card.
 */
export function BehindSelection({ connection, hint }: Props) {
  return (
    <>
      <BehindRows connection={connection} {...(hint === undefined ? {} : { hint })} />
      <BehindFormula connection={connection} />
      <ReverseEntry connection={connection} />
      <BehindBox connection={connection} />
    </>
  );
}

/** What the selected rows are about, and the question of an account card. */
type Selected = { document?: string; question: Question };

function BehindRows({ connection, hint }: Props) {
  const { messages } = usePane();
  const texts = messages.ledger;
  const selected = useSelectedQuestion(connection);
  const { job, start, cancel } = usePull(connection);
  if (selected === undefined && job.state === 'idle') {
    return hint === undefined ? null : (
      <Text size={200} className="muted">
        {hint}
      </Text>
    );
  }
  const title = ({ document, question: { Accounts = '' } }: Selected) =>
    document === undefined ? texts.selected(Accounts) : texts.selectedDocument(document);
  return (
    <Section card title={selected === undefined ? texts.showEntries : title(selected)}>
      {selected !== undefined && (
        <WorkButton onClick={() => start((context) => pullList(context, accountCard, selected.question))}>
          {texts.showEntries}
        </WorkButton>
      )}
      <PullStatus job={job} onCancel={cancel} />
    </Section>
  );
}

/** What each sheet's row asks; undefined for a row without entries behind it. */
const askedBy: Readonly<Record<string, (cells: SelectedRow['cells'], query: Question) => Selected | undefined>> = {
  [TRIAL_BALANCE](cells, query) {
    const Accounts = accountIn(cells.get('Number'));
    return Accounts === undefined ? undefined : { question: { ...query, Accounts } };
  },
  [OPEN_ITEMS](cells, { At }) {
    const Accounts = accountIn(cells.get('Account'));
    if (Accounts === undefined) return undefined;
    const [document = '', relation = ''] = ['Document', 'RelationGUID'].map((key) => textOfCell(cells.get(key) ?? ''));
    const date = cells.get('Date');
    const DateFrom = typeof date === 'number' ? dateOfSerial(date) : undefined;
    const question = {
      Accounts,
      ...(DateFrom === undefined ? {} : { DateFrom }),
      ...(At === undefined ? {} : { DateTill: At }),
      ...(relation === NONE ? {} : { RelationGUID: relation }),
      ...(document === NONE || document === '' ? {} : { Document: document }),
    };
    return question.Document === undefined ? { question } : { document, question };
  },
};

/** An account's number. Results without an account have a dash, and the user may have typed other texts there. */
function accountIn(cell: unknown): string | undefined {
  const text = String(cell ?? '').trim();
  return /^[^\s,;|:*–]+$/.test(text) ? text : undefined;
}

/** Accounts of a trial balance together; of open items the row of the active cell. */
function useSelectedQuestion(connection: Connected['connection']): Selected | undefined {
  const administration = useAdministration(connection);
  const names = useMemo(
    (): SelectedNames => ({
      isWanted: ({ memory }: TableHandle) =>
        Object.hasOwn(askedBy, memory.view) && isSameAdministration(memory.administration, administration),
      keys: ['Number', 'Account', 'Document', 'RelationGUID', 'Date'],
      nameOf: (cells, { memory: { view, query } }) => JSON.stringify(askedBy[view]?.(cells, query)) ?? '',
    }),
    [administration],
  );
  const found = useSelectedRows(names);
  return useMemo(() => {
    const [first, ...others] = found.map((text): Selected => JSON.parse(text));
    if (first === undefined || first.question.RelationGUID !== undefined) return first;
    const accounts = [first, ...others].map(({ question }) => question.Accounts);
    return { question: { ...first.question, Accounts: accounts.join(', ') } };
  }, [found]);
}
