import { useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { resolveReference } from '../workbook/reference.ts';
import { sourceAt } from '../workbook/sheet.ts';
import { activateSheet, select } from '../workbook/sheets.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { createActions } from './actions.ts';
import { type Draft, type EntryRow, moveAfterEntry } from './editing/draft.ts';
import { FormulaBar } from './FormulaBar.tsx';
import { Grid } from './Grid.tsx';
import { SheetTabs } from './SheetTabs.tsx';
import { StatusBar } from './StatusBar.tsx';
import { saveWorkbook } from './saveWorkbook.ts';
import { TitleBar } from './TitleBar.tsx';
import type { Words } from './words.ts';

type Props = { workbook: Workbook; words: Words; paneAddress: string };

/** The workbook page: a spreadsheet, and the pane beside it. */
export const App = ({ workbook, words, paneAddress }: Props) => {
  useSyncExternalStore(workbook.subscribe, () => workbook.version);
  const [message, setMessage] = useState('');
  const [draft, setDraftState] = useState<Draft>();
  const [paneShown, setPaneShown] = useState(true);
  const entryRow = useRef<EntryRow>(undefined);
  const gridElement = useRef<HTMLDivElement>(null);
  const actions = useMemo(() => createActions(workbook, words, setMessage), [workbook, words]);

  const focusGrid = useCallback(() => gridElement.current?.focus({ preventScroll: true }), []);

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

  const download = useCallback(() => {
    if (commit()) void saveWorkbook(workbook);
  }, [commit, workbook]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut works wherever the focus is.
    <div
      className={paneShown ? 'page' : 'page paneless'}
      onKeyDown={(event) => {
        if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
          event.preventDefault();
          download();
        }
      }}
    >
      <TitleBar
        name={workbook.name}
        words={words}
        paneShown={paneShown}
        onDownload={download}
        onTogglePane={() => setPaneShown(!paneShown)}
      />
      <main className="spreadsheet">
        <FormulaBar
          workbook={workbook}
          words={words}
          name={actions.selectionName()}
          draft={draft}
          onEdit={() => edit({ mode: 'edit', place: 'bar' })}
          onChange={(text) => draft && setDraft({ ...draft, text })}
          onCommit={commit}
          onCancel={cancel}
          onGoTo={goTo}
        />
        <Grid
          ref={gridElement}
          workbook={workbook}
          words={words}
          actions={actions}
          draft={draft}
          onEdit={edit}
          onChange={(text) => draft && setDraft({ ...draft, text })}
          onCommit={commit}
          onCancel={cancel}
        />
        <SheetTabs workbook={workbook} words={words} actions={actions} onReport={setMessage} onLeave={commit} />
        <StatusBar workbook={workbook} words={words} message={message} draft={draft} />
      </main>
      <aside className="pane" hidden={!paneShown} aria-label={words.pane}>
        <iframe src={paneAddress} title={words.pane} />
      </aside>
    </div>
  );
};
