import { type Ref, useEffect, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { endsEntry } from '../editing/draft.ts';
import type { CellEditor } from '../editing/useCellEditor.ts';
import { choicesWith } from '../editing/validation.ts';
import { usePage } from '../pageContext.ts';
import { ChoiceList, optionId } from './ChoiceList.tsx';

/** The id of the element that explains how the keyboard leaves the cells. */
export const KEYBOARD_HELP = 'keyboard-help';

type Props = {
  ref: Ref<HTMLTextAreaElement>;
  label: string;
  editor: CellEditor;
  /** Where the cell is, on the canvas. */
  box: { left: number; top: number; width: number; height: number };
  /** The element of the active cell, while it is drawn. */
  activeCell: string | undefined;
};

/**
 * The field that has the focus when the grid has it, at the place of the active cell. Between entries it is invisible,
 * so that composed input (´ and e, kana) arrives from its first character on. While a cell is edited it is the editor
 * of the cell, and grows with its text.
 */
export const CellField = ({ ref, label, editor, box: { left, top, width, height }, activeCell }: Props) => {
  const draft = editor.draft?.place === 'cell' ? editor.draft : undefined;
  const field = useRef<HTMLTextAreaElement>(null);
  useImperativeHandle(ref, () => field.current!);
  const isOpen = draft !== undefined;
  const mode = draft?.mode;
  const { messages } = usePage();
  const list = useId();
  const [marked, setMarked] = useState(-1);
  const options = draft?.mode === 'enter' ? choicesWith(draft.sheet, draft, draft.text) : [];
  const option = options[marked];

  const latest = useRef({ isOpen, editor });
  useEffect(() => {
    latest.current = { isOpen, editor };
  });

  useLayoutEffect(() => {
    const element = field.current!;
    if (!isOpen) return;
    element.focus({ preventScroll: true });
    // Not in the mode `enter`: moving the caret would end a composition.
    if (mode === 'edit') element.setSelectionRange(element.value.length, element.value.length);
  }, [isOpen, mode]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the size depends on the text shown.
  useLayoutEffect(() => {
    const { style } = field.current!;
    style.width = `${width}px`;
    style.height = `${height}px`;
    if (!isOpen) return;
    style.width = `${Math.max(width, field.current!.scrollWidth + 4)}px`;
    style.height = `${Math.max(height, field.current!.scrollHeight)}px`;
  }, [draft?.text, isOpen, width, height]);

  /** The pane may take the focus while a cell is being edited, as in Excel. */
  const onBlur = () =>
    requestAnimationFrame(() => {
      const now = document.activeElement;
      const hasLeft = now !== field.current && now?.tagName !== 'IFRAME' && now !== document.body;
      if (hasLeft && latest.current.isOpen) latest.current.editor.commit();
    });

  const onType = (text: string) => {
    setMarked(-1);
    if (editor.draft) editor.change(text);
    else editor.begin('enter', 'cell', text);
  };

  const editorField = (
    <textarea
      ref={field}
      className={isOpen ? 'cell-field open' : 'cell-field'}
      style={{ left, top }}
      aria-label={label}
      aria-controls={options.length > 0 ? list : 'grid'}
      aria-autocomplete={options.length > 0 ? 'list' : undefined}
      aria-activedescendant={option === undefined ? (isOpen ? undefined : activeCell) : optionId(list, marked)}
      aria-describedby={KEYBOARD_HELP}
      rows={1}
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="off"
      value={draft?.text ?? ''}
      onChange={(event) => onType(event.target.value)}
      onBlur={onBlur}
      onKeyDown={(event) => {
        // During a composition, Enter and the arrows belong to the input method.
        if (event.nativeEvent.isComposing) return event.stopPropagation();
        if (!draft) return;
        event.stopPropagation();
        const ctrl = event.ctrlKey || event.metaKey;
        const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
        if (options.length > 0 && step !== 0) setMarked(Math.min(Math.max(marked + step, -1), options.length - 1));
        else if (event.key === 'Escape') editor.cancel();
        else if (event.key === 'F2') editor.switchMode();
        else if (event.key === 'F4' && !ctrl && !event.altKey) editor.turn(event.currentTarget);
        else if (event.key === 'Enter' && event.altKey) {
          setMarked(-1);
          editor.breakLine(event.currentTarget);
        } else if (endsEntry(event.key, draft.mode) && !ctrl) editor.commit(event.key, event.shiftKey, option);
        else if (ctrl && event.key.toLowerCase() === 's') editor.commit('Enter');
        else return;
        event.preventDefault();
      }}
    />
  );
  return (
    <>
      {editorField}
      {options.length > 0 && (
        <ChoiceList
          id={list}
          label={messages.choices}
          options={options}
          marked={marked}
          place={{ left, top: top + height, width }}
          onChoose={(chosen) => editor.commit('Enter', false, chosen)}
        />
      )}
    </>
  );
};
