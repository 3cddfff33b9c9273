import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { resolveReference } from '../workbook/reference.ts';
import { sourceAt } from '../workbook/sheet.ts';
import { activateSheet, select } from '../workbook/sheets.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { createActions } from './actions.ts';
import { type Draft, type EntryRow, moveAfterEntry } from './editing/draft.ts';
import type { PasteProgress } from './editing/pasteInParts.ts';
import { FormulaBar } from './FormulaBar.tsx';
import { Grid } from './grid/Grid.tsx';
import { KeyboardHelp } from './KeyboardHelp.tsx';
import { PaneFrame } from './PaneFrame.tsx';
import { PasteDialog } from './PasteDialog.tsx';
import { Ribbon } from './Ribbon.tsx';
import { goToNextRegion } from './regions.ts';
import type { RibbonGroup } from './ribbonGroups.ts';
import { SheetTabs } from './SheetTabs.tsx';
import { StatusBar } from './StatusBar.tsx';
import { saveWorkbook } from './saveWorkbook.ts';
import { TitleBar } from './TitleBar.tsx';
import { useUnsaved } from './useUnsaved.ts';
import type { Words } from './words.ts';

type Props = { workbook: Workbook; words: Words; ribbon: RibbonGroup[]; paneAddress: (query: string) => string };

/** The workbook page: a spreadsheet, and the pane beside it. */
export const App = ({ workbook, words, ribbon, paneAddress }: Props) => {
  useSyncExternalStore(workbook.subscribe, () => workbook.version);
  const [message, setMessage] = useState('');
  const [draft, setDraftState] = useState<Draft>();
  const [paneShown, setPaneShown] = useState(true);
  const [leaving, setLeaving] = useState(false);
  const [opened, setOpened] = useState({ query: '', times: 0 });
  const [pasting, setPasting] = useState<PasteProgress>();
  const entryRow = useRef<EntryRow>(undefined);
  const cellField = useRef<HTMLTextAreaElement>(null);
  const actions = useMemo(() => createActions(workbook, words, setMessage, setPasting), [workbook, words]);

  const focusGrid = useCallback(() => cellField.current?.focus({ preventScroll: true }), []);

  /** A cell being edited is a draft; Excel takes no requests from add-ins meanwhile. */
  const setDraft = useCallback(
    (next: Draft | undefined) => {
      flushSync(() => setDraftState(next));
      if (workbook.editing !== (next !== undefined)) {
        workbook.editing = next !== undefined;
        workbook.emit({ kind: 'editing' });
      }
    },
    [workbook],
  );

  /** Ends editing and enters the draft, then moves by the key that ended it. */
  const commit = useCallback(
    (key?: string, shift = false): boolean => {
      if (!draft) return true;
      const { sheet, row, column, text } = draft;
      setDraft(undefined);
      if (!actions.type(sheet, row, column, text)) {
        setDraft({ ...draft, mode: 'edit' });
        return false;
      }
      if (key) {
        entryRow.current = moveAfterEntry(sheet, key, shift, entryRow.current);
        focusGrid();
      }
      return true;
    },
    [actions, draft, focusGrid, setDraft],
  );

  const cancel = useCallback(() => {
    setDraft(undefined);
    focusGrid();
  }, [focusGrid, setDraft]);

  const edit = useCallback(
    (changes: Pick<Draft, 'mode' | 'place'> & { text?: string }) => {
      const sheet = workbook.active;
      const { row, column } = sheet.activeCell;
      setMessage('');
      setDraft({ sheet, row, column, text: sourceAt(sheet, row, column), ...changes });
    },
    [setDraft, workbook],
  );

  const goTo = useCallback(
    (reference: string) => {
      const found = resolveReference(workbook, reference, workbook.active);
      if (!found) return setMessage(words.goToUnknown);
      setMessage('');
      activateSheet(workbook, found.sheet);
      select(found.sheet, found.area);
      focusGrid();
    },
    [focusGrid, words, workbook],
  );

  const isTyping = draft !== undefined && draft.text !== sourceAt(draft.sheet, draft.row, draft.column);
  const { isUnsaved, saving } = useUnsaved(workbook, isTyping);
  const download = useCallback(async () => {
    if (!commit()) return;
    try {
      await saving(() => saveWorkbook(workbook));
    } catch {
      setMessage(words.notSaved);
    }
  }, [commit, saving, words, workbook]);

  /** A button of the ribbon replaces the page in the pane, whatever that was doing, as in Excel. */
  const openInPane = (query: string) => {
    setPaneShown(true);
    setOpened(({ times }) => ({ query, times: times + 1 }));
  };

  const goOn = useCallback(
    (backwards: boolean) => {
      if (commit() && !document.querySelector('dialog[open]')) goToNextRegion(backwards);
    },
    [commit],
  );
  // Before everything else: the keys of menus and of the cells stop there.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'F6' || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      goOn(event.shiftKey);
    };
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [goOn]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut works wherever the focus is.
    <div
      className={paneShown ? 'page' : 'page paneless'}
      onKeyDown={(event) => {
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
          event.preventDefault();
          void download();
        }
      }}
    >
      <TitleBar
        name={workbook.name}
        words={words}
        isUnsaved={isUnsaved}
        paneShown={paneShown}
        onDownload={() => void download()}
        onTogglePane={() => setPaneShown(!paneShown)}
      />
      <Ribbon groups={ribbon} words={words} onOpen={openInPane} />
      <main className="spreadsheet">
        <FormulaBar
          workbook={workbook}
          words={words}
          name={actions.selectionName()}
          draft={draft}
          onEdit={(text) => edit({ mode: 'edit', place: 'bar', ...(text === undefined ? {} : { text }) })}
          onChange={(text) => draft && setDraft({ ...draft, text })}
          onCommit={commit}
          onCancel={cancel}
          onGoTo={goTo}
        />
        <Grid
          ref={cellField}
          workbook={workbook}
          words={words}
          actions={actions}
          draft={draft}
          leaving={leaving}
          onLeaving={setLeaving}
          onEdit={edit}
          onChange={(text) => draft && setDraft({ ...draft, text })}
          onCommit={commit}
          onCancel={cancel}
        />
        <SheetTabs workbook={workbook} words={words} actions={actions} onReport={setMessage} onLeave={commit} />
        <StatusBar workbook={workbook} words={words} message={message} draft={draft} leaving={leaving} />
        <KeyboardHelp words={words} />
      </main>
      <aside className="pane" hidden={!paneShown} aria-label={words.pane}>
        <PaneFrame key={opened.times} address={paneAddress(opened.query)} title={words.pane} onLeave={goOn} />
      </aside>
      {pasting && <PasteDialog progress={pasting} words={words} onClosed={focusGrid} />}
    </div>
  );
};
