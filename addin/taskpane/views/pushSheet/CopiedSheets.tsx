import type { CopiedTable } from '../../../excel/tables/copiedTables.ts';
import { wordsFor } from '../../connections/connections.ts';
import { usePane } from '../../paneContext.ts';
import { Notice } from '../Notice.tsx';
import { WorkButton } from '../WorkButton.tsx';

type Props = { copies: readonly CopiedTable[]; onAdopt: (copy: CopiedTable) => void };

/** Copies of product sheets, which store nothing: each can become a product sheet of its own. */
export function CopiedSheets({ copies, onAdopt }: Props) {
  const texts = usePane().messages.push;
  return copies.map((copy) => (
    <Notice key={copy.sheetId} intent="info">
      {texts.copied(copy.sheetName)}
      <div>
        <WorkButton size="small" onClick={() => onAdopt(copy)}>
          {texts.adoptCopy(copy.sheetName, wordsFor(copy.model.source.administration))}
        </WorkButton>
      </div>
    </Notice>
  ));
}
