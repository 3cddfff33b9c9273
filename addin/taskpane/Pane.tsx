import { Button } from '@fluentui/react-button';
import { FluentProvider } from '@fluentui/react-provider';
import { Text } from '@fluentui/react-text';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { defaultRetry } from '../excel/batch.ts';
import type { WaitReason } from '../excel/workbookProblem.ts';
import { AdministrationMark } from './connections/AdministrationMark.tsx';
import { activeConnection, administrationOf, captionOf, isIdentified, withChange } from './connections/connections.ts';
import { EarlierSheets } from './connections/EarlierSheets.tsx';
import { Limits, readObstacle } from './connections/Limits.tsx';
import { useConnections, useIdentity } from './connections/useConnections.ts';
import { useMixedQuestion } from './connections/useMixedQuestion.tsx';
import { FormulaNotices } from './ledgerFormulas/FormulaNotices.tsx';
import { reloadIfPossible } from './loadPart.ts';
import type { Messages } from './locales/en.ts';
import type { languageChoice } from './locales/language.ts';
import { loadMessages } from './locales/loadMessages.ts';
import type { Language } from './locales/words.ts';
import { PaneContext, type PaneValue } from './paneContext.ts';
import { onRibbonButton } from './ribbonActions.ts';
import { useKeptFocus } from './useKeptFocus.ts';
import { type ViewName, viewGroups, type WorkView } from './viewNames.ts';
import { ConnectView } from './views/ConnectView.tsx';
import { ErrorNotice } from './views/ErrorNotice.tsx';
import { LanguageField } from './views/LanguageField.tsx';
import { LoadedView } from './views/LoadedView.tsx';
import { Notice } from './views/Notice.tsx';
import { Status } from './views/Status.tsx';
import { HomeView } from './views/startPage/HomeView.tsx';
import { UnfinishedWork } from './views/UnfinishedWork.tsx';
import { ViewFrame } from './views/ViewFrame.tsx';
import { ownPresses } from './views/WorkButton.tsx';

type Texts = { language: Language; messages: Messages };

type PaneProps = {
  ofExcel: Language;
  choice: ReturnType<typeof languageChoice>;
  /** The language that the pane begins in. */
  first: Texts;
  firstView: ViewName;
};

/** The pane: the active administration above, one view below it. */
export function Pane({ ofExcel, choice, first, firstView }: PaneProps) {
  const [chosen, setChosen] = useState(choice.read);
  const [{ language, messages }, setTexts] = useState(first);
  const [notLoaded, setNotLoaded] = useState<unknown>();
  const [view, setView] = useState<ViewName>(firstView);
  /** The view that the user came for: it opens when there is a connection. */
  const [wantedView, setWantedView] = useState(firstView);
  /** How many jobs run: those of two parts of a view may overlap. */
  const [jobs, setJobs] = useState(0);
  const busy = jobs > 0;
  const setBusy = useCallback((begins: boolean) => setJobs((now) => now + (begins ? 1 : -1)), []);
  const [waiting, setWaiting] = useState<WaitReason>();
  const [finished, setFinished] = useState(0);
  const [told, setTold] = useState('');
  const main = useRef<HTMLElement>(null);
  useKeptFocus(main);
  const reading = useMemo(() => ({ ...defaultRetry, onWaiting: setWaiting }), []);
  const { connections, change, connect, isStored, isOpening, wanted, failure, readAgain, notes } =
    useConnections(reading);
  const { ask: askMixed, dialog } = useMixedQuestion(messages);
  const identifying = useIdentity(connections, change);
  const connection = activeConnection(connections);
  const shown = connection === undefined && !isOpening ? 'connect' : view;
  const pane = useMemo<PaneValue>(
    () => ({
      language,
      messages,
      view: shown,
      go: (next) => {
        setTold('');
        setView(next);
      },
      busy,
      setBusy,
      reading,
      connections,
      connect,
      change,
      notes,
      askMixed,
    }),
    [language, messages, shown, busy, setBusy, reading, connections, connect, change, notes, askMixed],
  );

  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);

  /** The latest choice: texts of an earlier one may arrive after its own. */
  const latestChoice = useRef<Language | null>(null);
  const chooseLanguage = async (next: Language | null): Promise<boolean> => {
    const language = next ?? ofExcel;
    latestChoice.current = next;
    try {
      const messages = await loadMessages(language);
      if (latestChoice.current !== next) return true;
      setTexts({ language, messages });
      choice.write(next);
      setChosen(next);
      setNotLoaded(undefined);
      return true;
    } catch (error) {
      if (latestChoice.current === next) setNotLoaded(error);
      return false;
    }
  };
  /** Some browsers remember that the texts did not arrive, until the pane is opened anew. */
  const chooseAgain = async () => {
    const next = latestChoice.current;
    if (!(await chooseLanguage(next)) && !busy) await reloadIfPossible(shown, () => choice.write(next));
  };

  // While a job runs its view stays.
  const open = useEffectEvent((next: ViewName) => {
    if (busy) return;
    setWantedView(next);
    pane.go(next);
  });
  useEffect(() => onRibbonButton((next) => open(next)), []);

  // For keyboards and screen readers the focus moves to the opened view, since the pressed button is no longer there.
  const opened = useRef(shown);
  useEffect(() => {
    if (opened.current !== shown) {
      window.scrollTo(0, 0);
      if (document.hasFocus()) main.current?.focus({ preventScroll: true });
    }
    opened.current = shown;
  }, [shown]);

  const content = () => {
    if (isOpening) {
      return (
        <ViewFrame title={messages.title} back={false}>
          <Status>{messages.openingWorkbook}</Status>
        </ViewFrame>
      );
    }
    if (connection === undefined || view === 'connect') {
      return (
        <ConnectView
          wanted={wanted}
          onConnected={(text) => {
            setTold(text);
            setView(wantedView);
          }}
        />
      );
    }
    if (!isIdentified(connection)) {
      return (
        <ViewFrame title={messages.title} back={false}>
          {identifying.failure === undefined && <Status>{messages.identifying}</Status>}
          <ErrorNotice error={identifying.failure} onRetry={identifying.askAgain} />
        </ViewFrame>
      );
    }
    if (view === 'home') return <HomeView key={`${connection.id} ${finished}`} connection={connection} />;
    if (isPull(view) && readObstacle(connection.identity) !== undefined)
      return <ViewFrame title={messages[view].title}>{null}</ViewFrame>;
    const onPushed = () => change((now) => withChange(now, connection.id, { pushedBefore: true }));
    const key = `${view} ${connection.id} ${finished}`;
    return <LoadedView key={key} name={view} connection={connection} onPushed={onPushed} />;
  };

  return (
    <FluentProvider {...(isDark() ? { className: 'dark' } : {})}>
      <PaneContext value={pane}>
        <div className="pane" {...ownPresses}>
          <header className="header">
            <div className="administration">
              <span className="caption">{messages.administration}</span>
              {connection === undefined ? (
                <Text weight="semibold">{isOpening ? messages.openingWorkbook : messages.notConnected}</Text>
              ) : (
                <>
                  <AdministrationMark administration={administrationOf(connection)} />
                  <span className="caption">{captionOf(connection)}</span>
                </>
              )}
            </div>
            {connection !== undefined && view !== 'connect' && (
              <Button className="switch" size="small" disabledFocusable={busy} onClick={() => pane.go('connect')}>
                {messages.switchAdministration}
              </Button>
            )}
          </header>
          <main ref={main} className="main" tabIndex={-1} aria-busy={isOpening}>
            {!isStored && <Notice intent="warning">{messages.storageClosed}</Notice>}
            {waiting !== undefined && <Notice intent="info">{messages.waitingFor[waiting]}</Notice>}
            <ErrorNotice error={failure} onRetry={readAgain} />
            <ErrorNotice error={notLoaded} onRetry={() => void chooseAgain()} />
            <FormulaNotices />
            {told !== '' && <Notice intent="info">{told}</Notice>}
            {isIdentified(connection) && view !== 'connect' && <Limits identity={connection.identity} view={view} />}
            {isIdentified(connection) && view !== 'connect' && (
              <EarlierSheets
                key={`earlier ${connection.id} ${connection.identity.id}`}
                connection={connection}
                onConfirmed={() => setFinished(finished + 1)}
              />
            )}
            {isIdentified(connection) && (
              <UnfinishedWork
                // The view beside it has the id as its key, and React drops the second element with a key.
                key={`unfinished ${connection.id}`}
                connection={connection}
                onFinished={() => setFinished(finished + 1)}
              />
            )}
            {content()}
            {(shown === 'home' || shown === 'connect') && <LanguageField chosen={chosen} onChosen={chooseLanguage} />}
            {dialog}
          </main>
        </div>
      </PaneContext>
    </FluentProvider>
  );
}

const isPull = (view: WorkView): boolean => [...viewGroups.pull, ...viewGroups.books].some((name) => name === view);

/** Whether Excel has a dark theme; not every Excel has this information. */
function isDark(): boolean {
  const background = Office.context.officeTheme?.bodyBackgroundColor;
  const digits = /^#?([0-9a-f]{6})$/i.exec(background ?? '')?.[1];
  if (digits === undefined) return false;
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((start) => Number.parseInt(digits.slice(start, start + 2), 16));
  return red * 0.299 + green * 0.587 + blue * 0.114 < 128;
}
