import { Checkbox } from '@fluentui/react-components';
import { useEffect, useState } from 'react';
import { canOpenWithWorkbook, opensWithWorkbook, openWithWorkbook } from '../../../excel/startup.ts';
import { usePane } from '../../paneContext.ts';

/** Whether the pane opens with this workbook; nothing where this Excel cannot do so. */
export function OpeningChoice() {
  const { messages, busy } = usePane();
  const [opens, setOpens] = useState(false);
  useEffect(() => void opensWithWorkbook().then(setOpens, () => {}), []);
  if (!canOpenWithWorkbook()) return null;
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
