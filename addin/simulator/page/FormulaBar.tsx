import { useEffect, useRef, useState } from 'react';
import { sourceAt } from '../workbook/sheet.ts';
import type { Workbook } from '../workbook/workbook.ts';
import type { Draft } from './editing/draft.ts';
import type { Words } from './words.ts';

type Props = {
  workbook: Workbook;
  words: Words;
  name: string;
  draft: Draft | undefined;
  /** Begins an entry here, with this text in place of what the cell holds. */
  onEdit: (text?: string) => void;
  onChange: (text: string) => void;
  onCommit: (key?: string, shift?: boolean) => boolean;
  onCancel: () => void;
  onGoTo: (reference: string) => void;
};

/** Where the active cell is, and what is really in it. */
export const FormulaBar = ({ workbook, words, name, draft, onEdit, onChange, onCommit, onCancel, onGoTo }: Props) => {
  const [asked, setAsked] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const { row, column } = workbook.active.activeCell;
  const text = draft?.text ?? sourceAt(workbook.active, row, column);

  useEffect(() => {
    if (draft?.place === 'bar') field.current?.focus();
  }, [draft?.place]);

  return (
    <div className="formula-bar">
      <input
        className="name-box"
        aria-label={words.nameBox}
        spellCheck={false}
        value={asked ?? name}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setAsked(event.target.value)}
        onBlur={() => setAsked(undefined)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && asked) onGoTo(asked);
          if (event.key === 'Escape' || event.key === 'Enter') setAsked(undefined);
        }}
      />
      <span className="function-mark" aria-hidden="true">
        fx
      </span>
      <textarea
        ref={field}
        className="source"
        rows={1}
        aria-label={words.formulaBar}
        spellCheck={false}
        autoComplete="off"
        value={text}
        // Not by the focus alone: whoever only comes past by Tab edits nothing.
        onClick={() => {
          if (!draft) onEdit();
        }}
        onChange={(event) => (draft ? onChange(event.target.value) : onEdit(event.target.value))}
        onBlur={(event) => {
          // The pane may take the focus while a cell is being edited, as in Excel.
          if (draft?.place === 'bar' && document.activeElement?.tagName !== 'IFRAME' && event.relatedTarget) onCommit();
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || (event.key === 'Tab' && !draft)) return;
          if (event.key === 'Enter' || event.key === 'Tab') {
            event.preventDefault();
            onCommit(event.key, event.shiftKey);
          } else if (event.key === 'Escape') onCancel();
        }}
      />
    </div>
  );
};
