import { Text } from '@fluentui/react-text';
import { useState } from 'react';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import { usePane } from '../paneContext.ts';
import { WorkButton } from '../views/WorkButton.tsx';
import { AdministrationMark } from './AdministrationMark.tsx';
import { activeConnection, connectionsTo, withEarlierIds, wordsFor } from './connections.ts';
import { ReplacedKey } from './ReplacedKey.tsx';

type Props = {
  administration: Administration;
  /** What the sheet cannot be used for meanwhile. */
  text: string;
  /** The sheet, for the names of the buttons. */
  sheetName?: string;
};

/** Whose a sheet is, if it is of another administration than the pane's, and a button that connects to that one. */
export function OtherAdministration({ administration, text, sheetName }: Props) {
  const { messages, connections, connect, change, go } = usePane();
  const [isAsking, setAsking] = useState(false);
  const texts = messages.otherAdministration;
  const [found] = connectionsTo(connections.all, administration);
  const named = (action: string) =>
    sheetName === undefined ? {} : { 'aria-label': messages.named(action, sheetName) };
  const active = activeConnection(connections);
  const isRemote = administration.kind === 'remote' && active?.identity?.kind === 'remote';
  return (
    <div className="section">
      <AdministrationMark administration={administration} />
      <Text size={200}>{text}</Text>
      {found === undefined ? (
        <WorkButton size="small" {...named(texts.connect(wordsFor(administration)))} onClick={() => go('connect')}>
          {texts.connect(wordsFor(administration))}
        </WorkButton>
      ) : (
        <WorkButton
          size="small"
          {...named(texts.use(wordsFor(administration)))}
          onClick={() => connect((now) => ({ ...now, activeId: found.id }))}
        >
          {texts.use(wordsFor(administration))}
        </WorkButton>
      )}
      {isRemote && (
        <WorkButton size="small" {...named(texts.replaced)} onClick={() => setAsking(true)}>
          {texts.replaced}
        </WorkButton>
      )}
      {isAsking && active !== undefined && (
        <ReplacedKey
          earlier={administration}
          old={found}
          made={active}
          deny={messages.cancel}
          onDeny={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            change((now) => withEarlierIds(now, active.id, administration));
          }}
        />
      )}
    </div>
  );
}
