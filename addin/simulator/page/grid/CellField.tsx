import { type CSSProperties, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { type Draft, endsEntry } from '../editing/draft.ts';
import { KEYBOARD_HELP } from '../KeyboardHelp.tsx';

type Props = {
  ref: Ref<HTMLTextAreaElement>;
  label: string;
  /** What is being typed into a cell; between entries there is none. */
  draft: Draft | undefined;
  /** Where the cell is, on the canvas. */
  box: { left: number; top: number; width: number; height: number };
  /** The element of the active cell, while it is drawn. */
  activeCell: string | undefined;
  onType: (text: string) => void;
  onCommit: (key?: string, shift?: boolean) => boolean;
  onCancel: () => void;
};

/**
 * The field that has the focus when the grid has it, at the place of the active cell. It waits there unseen, so that
 * what is composed (´ and e, kana) arrives from its first character on; with something typed in it, it is the editor of
 * the cell and grows with its text.
 */
export const CellField = ({ ref, label, draft, box, activeCell, onType, onCommit, onCancel }: Props) => {
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => field.current!);
  const { width, height } = box;
  const isOpen = draft !== undefined;
  const mode = draft?.mode;

  const latest = useRef({ isOpen, onCommit });
  useEffect(() => {
    latest.current = { isOpen, onCommit };
  });

  useLayoutEffect(() => {
    const element = field.current!;
    if (!isOpen) return;
    element.focus({ preventScroll: true });
    // Not while something is composed: moving the caret would end that.
    if (mode === 'edit') element.setSelectionRange(element.value.length, element.value.length);
  }, [isOpen, mode]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the size depends on the text shown.
  useLayoutEffect(() => {
    const element = field.current!;
    element.style.width = `${width}px`;
    element.style.height = `${height}px`;
    if (!isOpen) return;
    element.style.width = `${Math.max(width, element.scrollWidth + 4)}px`;
    element.style.height = `${Math.max(height, element.scrollHeight)}px`;
  }, [draft?.text, isOpen, width, height]);

  /** The pane may take the focus while a cell is being edited, as in Excel. */
  const onBlur = () =>
    requestAnimationFrame(() => {
      const now = document.activeElement;
      const left = now !== field.current && now?.tagName !== 'IFRAME' && now !== document.body;
      if (left && latest.current.isOpen) latest.current.onCommit();
    });

  const style: CSSProperties = { left: box.left, top: box.top };
  return (
    <textarea
      ref={field}
      className={isOpen ? 'cell-field open' : 'cell-field'}
      style={style}
      aria-label={label}
      aria-controls="grid"
      aria-activedescendant={isOpen ? undefined : activeCell}
      aria-describedby={KEYBOARD_HELP}
      rows={1}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="off"
      value={draft?.text ?? ''}
      onChange={(event) => onType(event.target.value)}
      onBlur={onBlur}
      onKeyDown={(event) => {
        // Enter and the arrows belong to what is being composed.
        if (event.nativeEvent.isComposing) return event.stopPropagation();
        if (!isOpen) return;
        event.stopPropagation();
        if (event.key === 'Escape') {
          event.preventDefault();
          onCancel();
        } else if (event.key === 'Enter' && event.altKey) {
          event.preventDefault();
          const { selectionStart, selectionEnd, value } = event.currentTarget;
          onType(`${value.slice(0, selectionStart)}\n${value.slice(selectionEnd)}`);
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
