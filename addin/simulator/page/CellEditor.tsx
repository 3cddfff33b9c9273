import { useLayoutEffect, useRef } from 'react';
import { type Draft, endsEntry } from './editing/draft.ts';

type Props = {
  label: string;
  draft: Draft;
  width: number;
  height: number;
  onChange: (text: string) => void;
  onCommit: (key?: string, shift?: boolean) => boolean;
  onCancel: () => void;
};

/** The field in which a cell is typed. It grows with its text. */
export const CellEditor = ({ label, draft, width, height, onChange, onCommit, onCancel }: Props) => {
  const field = useRef<HTMLTextAreaElement>(null);

  useLayoutEffect(() => {
    const element = field.current!;
    element.focus({ preventScroll: true });
    element.setSelectionRange(element.value.length, element.value.length);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the size depends on the text shown.
  useLayoutEffect(() => {
    const element = field.current!;
    element.style.width = `${width}px`;
    element.style.height = `${height}px`;
    element.style.width = `${Math.max(width, element.scrollWidth + 4)}px`;
    element.style.height = `${Math.max(height, element.scrollHeight)}px`;
  }, [draft.text, width, height]);

  return (
    <textarea
      ref={field}
      className="cell-editor"
      aria-label={label}
      rows={1}
      spellCheck={false}
      value={draft.text}
      onChange={(event) => onChange(event.target.value)}
      onBlur={() => {
        // The pane may take the focus while a cell is being edited, as in Excel.
        requestAnimationFrame(() => {
          const now = document.activeElement;
          if (field.current && now !== field.current && now?.tagName !== 'IFRAME' && now !== document.body) onCommit();
        });
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') {
          event.preventDefault();
          onCancel();
        } else if (event.key === 'Enter' && event.altKey) {
          event.preventDefault();
          const { selectionStart, selectionEnd, value } = event.currentTarget;
          onChange(`${value.slice(0, selectionStart)}\n${value.slice(selectionEnd)}`);
        } else if (endsEntry(event.key, draft.mode) && !event.ctrlKey && !event.metaKey) {
          event.preventDefault();
          onCommit(event.key, event.shiftKey);
        } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
          event.preventDefault();
          onCommit('Enter');
        }
      }}
    />
  );
};
