import {
  Button,
  FluentProvider,
  makeStyles,
  Text,
  tokens,
  webDarkTheme,
  webLightTheme,
} from '@fluentui/react-components';
import { type ComponentType, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { defaultRetry } from '../excel/batch.ts';
import type { WaitReason } from '../excel/workbookProblem.ts';
import {
  activeConnection,
  type Connections,
  type ConnectionsChange,
  connectionStore,
  withChange,
} from './connections.ts';
import { type Language, messagesOf } from './locales/messages.ts';
import { type Connected, PaneContext, type PaneValue } from './paneContext.ts';
import { useKeptFocus } from './useKeptFocus.ts';
import type { ViewName, WorkView } from './viewNames.ts';
import { AccountsView } from './views/AccountsView.tsx';
import { ConnectView } from './views/ConnectView.tsx';
import { ExportsView } from './views/ExportsView.tsx';
import { HomeView } from './views/HomeView.tsx';
import { InvoicesView } from './views/InvoicesView.tsx';
import { Notice } from './views/Notice.tsx';
import { ProductsView } from './views/products/ProductsView.tsx';
import { PushView } from './views/push/PushView.tsx';
import { UnfinishedWork } from './views/UnfinishedWork.tsx';

const useStyles = makeStyles({
  pane: {
    minHeight: '100vh',
    display: 'flex',
    flexDirection: 'column',
    // A label may be one long word, such as an e-mail address.
    overflowWrap: 'anywhere',
    backgroundColor: tokens.colorNeutralBackground2,
  },
  header: {
    position: 'sticky',
    top: 0,
    zIndex: 1,
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalS,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
    backgroundColor: tokens.colorNeutralBackground1,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  administration: { display: 'flex', flexDirection: 'column', minWidth: 0 },
  caption: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  label: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  switch: { flexShrink: 0 },
  main: { flexGrow: 1, padding: tokens.spacingHorizontalM, outlineStyle: 'none' },
});

/** The colours of Fluent's controls, and of those of the browser. */
const dark = { theme: webDarkTheme, style: { colorScheme: 'dark' } };
const light = { theme: webLightTheme, style: { colorScheme: 'light' } };

/** The views by their names in viewNames.ts. */
const views: Readonly<Record<WorkView, ComponentType<Connected>>> = {
  accounts: AccountsView,
  invoices: InvoicesView,
  exports: ExportsView,
  products: ProductsView,
  push: PushView,
};

/** The pane: the active administration above, one view below it. */
export function Pane({ language, firstView }: { language: Language; firstView: ViewName }) {
  const styles = useStyles();
  const messages = messagesOf[language];
  const store = useMemo(() => connectionStore(() => localStorage, partitionKey()), []);
  const [connections, setConnections] = useState<Connections>(store.read);
  const [isStored, setStored] = useState(store.isOpen);
  const [view, setView] = useState<ViewName>(firstView);
  const [busy, setBusy] = useState(false);
  const [waiting, setWaiting] = useState<WaitReason>();
  const [finished, setFinished] = useState(0);
  const main = useRef<HTMLElement>(null);
  useKeptFocus(main);
  const connection = activeConnection(connections);

  const latest = useRef(connections);
  latest.current = connections;
  const change = useCallback(
    (one: ConnectionsChange) => {
      const { connections: next, isStored } = store.change(latest.current, one);
      latest.current = next;
      setConnections(next);
      setStored(isStored);
    },
    [store],
  );
  // Other tabs and windows have the same connections.
  useEffect(() => {
    const update = ({ key }: StorageEvent) => {
      if (store.has(key)) setConnections(store.merged);
    };
    window.addEventListener('storage', update);
    return () => window.removeEventListener('storage', update);
  }, [store]);
  const reading = useMemo(() => ({ ...defaultRetry, onWaiting: setWaiting }), []);
  const pane = useMemo<PaneValue>(
    () => ({ language, messages, go: setView, busy, setBusy, reading }),
    [language, messages, busy, reading],
  );

  // For keyboards and screen readers the focus moves to the opened view, since the pressed button is no longer there.
  const shown = connection === undefined ? 'connect' : view;
  const opened = useRef(shown);
  useEffect(() => {
    if (opened.current !== shown) {
      window.scrollTo(0, 0);
      if (document.hasFocus()) main.current?.focus({ preventScroll: true });
    }
    opened.current = shown;
  }, [shown]);

  const content = () => {
    if (connection === undefined || view === 'connect') {
      return <ConnectView connections={connections} onChange={change} onConnected={() => setView(firstView)} />;
    }
    if (view === 'home') return <HomeView key={finished} connection={connection} />;
    const View = views[view];
    const onPushed = () => change((now) => withChange(now, connection.id, { pushedBefore: true }));
    return <View key={connection.id} connection={connection} onPushed={onPushed} />;
  };

  return (
    <FluentProvider {...(isDark() ? dark : light)}>
      <PaneContext value={pane}>
        <div className={styles.pane}>
          <header className={styles.header}>
            <div className={styles.administration}>
              <span className={styles.caption}>{messages.administration}</span>
              <Text weight="semibold" className={styles.label} title={connection?.label ?? ''}>
                {connection?.label ?? messages.notConnected}
              </Text>
            </div>
            {connection !== undefined && view !== 'connect' && (
              <Button
                className={styles.switch}
                size="small"
                disabledFocusable={busy}
                onClick={() => setView('connect')}
              >
                {messages.switchAdministration}
              </Button>
            )}
          </header>
          <main ref={main} className={styles.main} tabIndex={-1}>
            {!isStored && <Notice intent="warning">{messages.storageClosed}</Notice>}
            {waiting !== undefined && <Notice intent="info">{messages.waitingFor[waiting]}</Notice>}
            {connection !== undefined && (
              <UnfinishedWork
                // The view beside it has the id as its key, and React drops the second element with a key.
                key={`unfinished ${connection.id}`}
                connection={connection}
                onFinished={() => setFinished(finished + 1)}
              />
            )}
            {content()}
          </main>
        </div>
      </PaneContext>
    </FluentProvider>
  );
}

/** The storage partition of the pane in Excel on the web; the published types lack it. */
const partitionKey = (): string | undefined => (Office.context as { partitionKey?: string }).partitionKey;

/** Whether Excel has a dark theme; not every Excel has this information. */
function isDark(): boolean {
  const background = Office.context.officeTheme?.bodyBackgroundColor;
  const digits = /^#?([0-9a-f]{6})$/i.exec(background ?? '')?.[1];
  if (digits === undefined) return false;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) => Number.parseInt(digits.slice(start, start + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 < 128;
}
