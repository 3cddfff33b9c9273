import { Text } from '@fluentui/react-text';
import { type CopiedTable, handleOfCopy } from '../../../excel/tables/copiedTables.ts';
import { type Administration, distinctAdministrations, type TableHandle } from '../../../excel/tables/tableMemory.ts';
import { AdministrationMark } from '../../connections/AdministrationMark.tsx';
import { wordsFor } from '../../connections/connections.ts';
import { useComparison } from '../../connections/EvidenceList.tsx';
import { compareSheets, sourcesOf, verdictOn } from '../../connections/evidence.ts';
import { type Connected, usePane } from '../../paneContext.ts';
import { Notice } from '../Notice.tsx';
import { WorkButton } from '../WorkButton.tsx';

type Props = Pick<Connected, 'connection'> & {
  copies: readonly CopiedTable[];
  /** The sheets of the workbook whose rows are pushed. */
  sheets: readonly TableHandle[];
  onAdopt: (copy: CopiedTable) => void;
};

/**
 * Copies of sheets whose rows are pushed, which store nothing: each can become a sheet of its own. Where all such sheets
 * of the workbook are of the administration that the pane is connected to, so is the copy. Otherwise the user sees whose
 * they are, and which of its products that administration has.
 */
export function CopiedSheets({ connection, copies, sheets, onAdopt }: Props) {
  const texts = usePane().messages.push;
  return copies.map((copy) => {
    const { administration } = copy.model.source;
    const originals = sheets.filter(({ memory }) => memory.view === copy.model.source.view);
    const owners = distinctAdministrations(originals.map(({ memory }) => memory.administration));
    const others = distinctAdministrations([administration, ...owners]).slice(1);
    const adopt = (
      <div>
        <WorkButton size="small" onClick={() => onAdopt(copy)}>
          {texts.adoptCopy(copy.sheetName, wordsFor(administration))}
        </WorkButton>
      </div>
    );
    const isClear = owners.length > 0 && others.length === 0;
    return (
      <Notice key={copy.sheetId} intent={isClear ? 'info' : 'warning'}>
        <div>{texts.copied(copy.sheetName)}</div>
        {isClear ? adopt : <Doubtful connection={connection} copy={copy} others={others} adopt={adopt} />}
      </Notice>
    );
  });
}

type DoubtfulProps = Pick<Connected, 'connection'> & {
  copy: CopiedTable;
  /** The other administrations that have such sheets in the workbook. */
  others: readonly Administration[];
  /** Takes the copy for a sheet of the administration that the pane is connected to. */
  adopt: React.ReactNode;
};

function Doubtful({ connection, copy, others, adopt }: DoubtfulProps) {
  const { messages, reading } = usePane();
  const texts = messages.push;
  const { evidence, shown } = useComparison(
    (signal) => compareSheets([handleOfCopy(copy)], sourcesOf(connection), { ...reading, signal }),
    copy.sheetId,
  );
  return (
    <>
      {others.length > 0 && <Text>{messages.mixed.present}</Text>}
      {others.map((one) => (
        <div key={one.id}>
          <AdministrationMark administration={one} />
        </div>
      ))}
      <div>{texts.copyOfWhom(wordsFor(copy.model.source.administration))}</div>
      {shown}
      {evidence !== undefined && verdictOn(evidence) !== 'contradicted' && adopt}
    </>
  );
}
