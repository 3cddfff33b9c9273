import { Checkbox } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { canOpenWithWorkbook, opensWithWorkbook, openWithWorkbook } from '../../../excel/startup.ts';
import { usePane } from '../../paneContext.ts';

/** Whether the pane opens with this workbook; nothing where this Excel cannot do so, nor before Excel said what holds. */
export function OpeningChoice() {
  const { messages, busy } = usePane();
  const [opens, setOpens] = useState<boolean>();
  useEffect(() => void opensWithWorkbook().then(setOpens, () => setOpens(false)), []);
  if (opens === undefined || !canOpenWithWorkbook()) return null;
  const choose = (chosen: boolean) => {
    setOpens(chosen);
    openWithWorkbook(chosen).catch(() => setOpens(!chosen));
  };
  return (
    <Checkbox
      label={messages.home.openWithWorkbook}
      checked={opens}
      disabled={busy}
      onChange={(_, { checked }) => choose(checked === true)}
    />
  );
}
