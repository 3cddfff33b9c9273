import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { turnReferences } from '../../workbook/cells/formulas/fixedReferences.ts';
import { spellingOf } from '../../workbook/cells/formulas/formulaLanguage.ts';
import { sourceAt } from '../../workbook/sheet.ts';
import type { Page } from '../pageContext.ts';
import { type Draft, type EntryRow, moveAfterEntry } from './draft.ts';

/** The editor of the active cell: what is typed, and the actions that begin, change and end it. */
export const useCellEditor = (
  { workbook, actions }: Page,
  report: (message: string) => void,
  focusGrid: () => void,
) => {
  const [draft, setDraftState] = useState<Draft>();
  /** Escape was pressed between two entries: the next Tab leaves the cells. */
  const [tabLeaves, setTabLeaves] = useState(false);
  const entryRow = useRef<EntryRow>(undefined);

  /** While there is a draft, Excel refuses the requests of add-ins. */
  const setDraft = (next: Draft | undefined) => {
    flushSync(() => setDraftState(next));
    if (workbook.editing === (next !== undefined)) return;
    workbook.editing = next !== undefined;
    workbook.emit({ kind: 'editing' });
  };

  /** Begins to edit the active cell. @param text replaces the text of the cell */
  const begin = (mode: Draft['mode'], place: Draft['place'], text?: string): void => {
    const sheet = workbook.active;
    const { row, column } = sheet.activeCell;
    report('');
    setDraft({ sheet, row, column, mode, place, text: text ?? sourceAt(sheet, row, column) });
  };

  const change = (text: string): void => {
    if (draft) setDraft({ ...draft, text });
  };

  /** Has the arrow keys move within the draft, or end it again. */
  const switchMode = (): void => {
    if (draft) setDraft({ ...draft, mode: draft.mode === 'enter' ? 'edit' : 'enter' });
  };

  /** Breaks the line of the draft where the caret of its field is, which stays there. */
  const breakLine = (field: HTMLTextAreaElement): void => {
    const { selectionStart, selectionEnd, value } = field;
    change(`${value.slice(0, selectionStart)}\n${value.slice(selectionEnd)}`);
    field.setSelectionRange(selectionStart + 1, selectionStart + 1);
  };

  /** Makes what references the caret of its field is in, or the selection, absolute or relative again. */
  const turn = (field: HTMLTextAreaElement): void => {
    const { selectionStart, selectionEnd, value } = field;
    const turned = turnReferences(value, selectionStart, selectionEnd, spellingOf(workbook.locale));
    if (turned === undefined) return;
    change(turned.text);
    field.setSelectionRange(turned.start, turned.end);
  };

  /**
   * Enters the draft, and moves the active cell by the key that ended editing.
   * @param text what is entered instead of what was typed @returns false when it was refused
   */
  const commit = (key?: string, shift = false, text = draft?.text ?? ''): boolean => {
    if (!draft) return true;
    const { sheet, row, column } = draft;
    setDraft(undefined);
    if (!actions.type(sheet, { row, column }, text)) {
      setDraft({ ...draft, text, mode: 'edit' });
      return false;
    }
    if (key) {
      entryRow.current = moveAfterEntry(sheet, key, shift, entryRow.current);
      focusGrid();
    }
    return true;
  };

  const cancel = (): void => {
    setDraft(undefined);
    focusGrid();
  };

  const isTyping = draft !== undefined && draft.text !== sourceAt(draft.sheet, draft.row, draft.column);
  return { draft, isTyping, begin, change, switchMode, breakLine, turn, commit, cancel, tabLeaves, setTabLeaves };
};

export type CellEditor = ReturnType<typeof useCellEditor>;
