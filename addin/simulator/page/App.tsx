import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { ExcelHost } from '../host.ts';
import { wholeSheet } from '../workbook/cells/address.ts';
import { resolveReference } from '../workbook/reference.ts';
import { activateSheet, select } from '../workbook/sheets.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { createActions } from './editing/actions.ts';
import type { Progress } from './editing/inParts.ts';
import { useCellEditor } from './editing/useCellEditor.ts';
import { FormulaBar } from './FormulaBar.tsx';
import { KEYBOARD_HELP } from './grid/CellField.tsx';
import { Grid } from './grid/Grid.tsx';
import { PaneFrame } from './PaneFrame.tsx';
import { ProgressDialog } from './ProgressDialog.tsx';
import { PageContext } from './pageContext.ts';
import type { PageMessages } from './pageMessages.ts';
import { Ribbon } from './Ribbon.tsx';
import { goToNextRegion } from './regions.ts';
import type { RibbonButton, RibbonGroup } from './ribbonGroups.ts';
import { SheetTabs } from './SheetTabs.tsx';
import { StatusBar } from './StatusBar.tsx';
import { OpenFile } from './saving/OpenFile.tsx';
import { useDownload } from './saving/useDownload.ts';
import { TitleBar } from './TitleBar.tsx';

type Props = {
  workbook: Workbook;
  messages: PageMessages;
  ribbon: RibbonGroup[];
  /** Replaces the workbook. The pane stays hidden, unless its add-in shows it. */
  onOpened: (workbook: Workbook, paneShown: boolean) => void;
  startsWithPane: boolean;
  host: ExcelHost;
  paneAddress: string;
};

/** The workbook page: a spreadsheet, and the pane beside it. */
export const App = ({ workbook, messages, ribbon, onOpened, startsWithPane, host, paneAddress }: Props) => {
  useSyncExternalStore(workbook.subscribe, () => workbook.version);
  const [message, setMessage] = useState('');
  const [paneShown, setPaneShown] = useState(startsWithPane);
  const [progress, setProgress] = useState<Progress>();
  const [opening, setOpening] = useState<File>();
  const cellField = useRef<HTMLTextAreaElement>(null);
  const page = useMemo(
    () => ({ workbook, messages, actions: createActions(workbook, messages, setMessage, setProgress) }),
    [workbook, messages],
  );
  const focusGrid = useCallback(() => cellField.current?.focus({ preventScroll: true }), []);
  const editor = useCellEditor(page, setMessage, focusGrid);
  const { isUnsaved, download } = useDownload(workbook, editor.isTyping);

  const goTo = (reference: string) => {
    const found = resolveReference(workbook, reference, workbook.active);
    if (!found) return setMessage(messages.goToUnknown);
    setMessage('');
    activateSheet(workbook, found.sheet);
    select(found.sheet, found.area);
    focusGrid();
  };

  const save = () => {
    if (editor.commit()) download().catch(() => setMessage(messages.notSaved));
  };

  useEffect(() => host.onShowPane(() => setPaneShown(true)), [host]);
  const press = ({ action }: RibbonButton) => {
    if (action === undefined) setPaneShown(true);
    else void host.actions.call(action, []);
  };

  const leaveRegion = (backwards: boolean) => {
    if (editor.commit() && !document.querySelector('dialog[open]')) goToNextRegion(backwards);
  };

  /** F9 calculates what is due, with Shift on the active sheet, with Ctrl and Alt everything. */
  const calculate = ({ ctrlKey, altKey, shiftKey }: KeyboardEvent) => {
    if (shiftKey) workbook.recalculate({ sheet: workbook.active, area: wholeSheet });
    else if (ctrlKey && altKey) workbook.recalculate();
    else workbook.calculateDue();
  };

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'F9' && !workbook.editing) {
      event.preventDefault();
      calculate(event);
      return;
    }
    if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    leaveRegion(event.shiftKey);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    // In the capturing phase: menus and cells stop their keys on the way up.
    window.addEventListener('keydown', listener, true);
    return () => window.removeEventListener('keydown', listener, true);
  }, []);

  return (
    <PageContext value={page}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the shortcut works wherever the focus is. */}
      <div
        className={paneShown ? 'page' : 'page paneless'}
        onKeyDown={(event) => {
          if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
            event.preventDefault();
            save();
          }
        }}
      >
        <TitleBar
          isUnsaved={isUnsaved}
          paneShown={paneShown}
          onOpen={(file) => {
            if (editor.commit()) setOpening(file);
          }}
          onDownload={save}
          onTogglePane={() => setPaneShown(!paneShown)}
        />
        <Ribbon groups={ribbon} onPress={press} />
        <main className="spreadsheet">
          <FormulaBar editor={editor} onGoTo={goTo} />
          <Grid ref={cellField} editor={editor} />
          <SheetTabs onReport={setMessage} onLeave={editor.commit} />
          <StatusBar message={message} editor={editor} />
          <p id={KEYBOARD_HELP} className="for-screen-readers">
            {messages.keyboardHelp}
          </p>
        </main>
        <aside className="pane" hidden={!paneShown} aria-label={messages.pane}>
          <PaneFrame address={paneAddress} onLeave={leaveRegion} />
        </aside>
        {opening && (
          <OpenFile
            file={opening}
            isUnsaved={isUnsaved}
            onOpened={(next) => onOpened(next, paneShown)}
            onClosed={(reason) => {
              setOpening(undefined);
              setMessage(reason);
              focusGrid();
            }}
          />
        )}
        {progress && <ProgressDialog progress={progress} onClosed={focusGrid} />}
      </div>
    </PageContext>
  );
};
