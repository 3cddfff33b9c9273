import { useEffect, useRef, useState } from 'react';
import { sourceAt } from '../workbook/sheet.ts';
import type { CellEditor } from './editing/useCellEditor.ts';
import { usePage } from './pageContext.ts';

type Props = { editor: CellEditor; onGoTo: (reference: string) => void };

/** The address of the active cell, and its content as it was typed. */
export const FormulaBar = ({ editor, onGoTo }: Props) => {
  const { workbook, messages, actions } = usePage();
  const { draft } = editor;
  const [wanted, setWanted] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const { row, column } = workbook.active.activeCell;

  useEffect(() => {
    if (draft?.place === 'bar') field.current?.focus();
  }, [draft?.place]);

  return (
    <div className="formula-bar">
      <input
        className="name-box"
        aria-label={messages.nameBox}
        spellCheck={false}
        value={wanted ?? actions.selectionName()}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setWanted(event.target.value)}
        onBlur={() => setWanted(undefined)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && wanted) onGoTo(wanted);
          if (event.key === 'Escape' || event.key === 'Enter') setWanted(undefined);
        }}
      />
      <span className="function-mark" aria-hidden="true">
        fx
      </span>
      <textarea
        ref={field}
        className="source"
        rows={1}
        aria-label={messages.formulaBar}
        spellCheck={false}
        autoComplete="off"
        value={draft?.text ?? sourceAt(workbook.active, row, column)}
        // Focus alone does not begin to edit: the user may be moving on with Tab.
        onClick={() => {
          if (!draft) editor.begin('edit', 'bar');
        }}
        onChange={({ target }) => (draft ? editor.change(target.value) : editor.begin('edit', 'bar', target.value))}
        onBlur={(event) => {
          // The pane may take the focus while a cell is being edited, as in Excel.
          if (draft?.place !== 'bar' || document.activeElement?.tagName === 'IFRAME') return;
          if (event.relatedTarget) editor.commit();
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || (event.key === 'Tab' && !draft)) return;
          if (event.key === 'Enter' || event.key === 'Tab') {
            event.preventDefault();
            if (draft && event.key === 'Enter' && event.altKey) editor.breakLine(event.currentTarget);
            else editor.commit(event.key, event.shiftKey);
          } else if (event.key === 'F4' && draft && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault();
            editor.turn(event.currentTarget);
          } else if (event.key === 'Escape') editor.cancel();
        }}
      />
    </div>
  );
};
