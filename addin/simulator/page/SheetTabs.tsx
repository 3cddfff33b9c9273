import { useEffect, useRef, useState } from 'react';
import { ExcelError } from '../workbook/cells/error.ts';
import { type Sheet, usedArea } from '../workbook/sheet.ts';
import {
  activateSheet,
  addSheet,
  deleteSheet,
  moveSheet,
  renameSheet,
  setVisibility,
  visibleSheets,
} from '../workbook/sheets.ts';
import type { Workbook } from '../workbook/workbook.ts';
import type { Actions } from './actions.ts';
import { Menu, type MenuItem } from './Menu.tsx';
import type { Words } from './words.ts';

type Props = {
  workbook: Workbook;
  words: Words;
  actions: Actions;
  onReport: (message: string) => void;
  /** Ends what is being typed; false when it cannot be. */
  onLeave: () => boolean;
};

/** The sheets of the workbook, with their names, and a menu for each. */
export const SheetTabs = ({ workbook, words, actions, onReport, onLeave }: Props) => {
  const [renaming, setRenaming] = useState<Sheet>();
  const [menu, setMenu] = useState<{ sheet: Sheet; at: { x: number; y: number } }>();
  const [deleting, setDeleting] = useState<Sheet>();
  const tabs = useRef<HTMLDivElement>(null);
  const visible = visibleSheets(workbook);

  const focusActive = () => tabs.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus();

  const rename = (sheet: Sheet, name: string) => {
    setRenaming(undefined);
    if (name === sheet.name) return;
    try {
      renameSheet(workbook, sheet, name);
      onReport('');
    } catch (error) {
      if (!(error instanceof ExcelError)) throw error;
      onReport(error.code === 'ItemAlreadyExists' ? words.takenName : words.unfitName);
    }
  };

  const remove = (sheet: Sheet) => {
    if (visibleSheets(workbook).length === 1) return onReport(words.lastSheet);
    if (usedArea(sheet, false)) setDeleting(sheet);
    else actions.attempt(() => deleteSheet(workbook, sheet));
  };

  const itemsFor = (sheet: Sheet): MenuItem[] => {
    const position = workbook.sheets.indexOf(sheet);
    const at = visible.indexOf(sheet);
    const move = (to: Sheet | undefined) => () =>
      actions.attempt(() => moveSheet(workbook, sheet, to ? workbook.sheets.indexOf(to) : position));
    return [
      { label: words.rename, onSelect: () => setRenaming(sheet) },
      { label: words.moveLeft, onSelect: move(visible[at - 1]), disabled: at === 0 },
      { label: words.moveRight, onSelect: move(visible[at + 1]), disabled: at === visible.length - 1 },
      {
        label: words.hide,
        onSelect: () => actions.attempt(() => setVisibility(workbook, sheet, 'Hidden')),
        disabled: visible.length === 1,
      },
      { label: words.remove, onSelect: () => remove(sheet), disabled: visible.length === 1 },
      ...workbook.sheets
        .filter(({ visibility }) => visibility === 'Hidden')
        .map((hidden) => ({
          label: words.unhide(hidden.name),
          onSelect: () => void actions.attempt(() => setVisibility(workbook, hidden, 'Visible')),
        })),
    ];
  };

  const openMenu = (sheet: Sheet, element: Element) => {
    const { left, top } = element.getBoundingClientRect();
    setMenu({ sheet, at: { x: left, y: top - itemsFor(sheet).length * 34 - 16 } });
  };

  const step = (by: number) => {
    const next = visible[(visible.indexOf(workbook.active) + by + visible.length) % visible.length]!;
    activateSheet(workbook, next);
    requestAnimationFrame(focusActive);
  };

  return (
    <div className="sheet-tabs">
      <div ref={tabs} role="tablist" aria-label={words.sheets}>
        {visible.map((sheet) =>
          sheet === renaming ? (
            <NameField
              key={sheet.id}
              label={words.sheetName}
              name={sheet.name}
              onDone={(name) => rename(sheet, name)}
            />
          ) : (
            <button
              key={sheet.id}
              type="button"
              role="tab"
              aria-selected={sheet === workbook.active}
              aria-controls="grid"
              tabIndex={sheet === workbook.active ? 0 : -1}
              style={sheet.tabColor ? { boxShadow: `inset 0 -3px ${sheet.tabColor}` } : undefined}
              onClick={() => onLeave() && activateSheet(workbook, sheet)}
              onDoubleClick={() => setRenaming(sheet)}
              onContextMenu={(event) => {
                event.preventDefault();
                setMenu({ sheet, at: { x: event.clientX, y: event.clientY } });
              }}
              onKeyDown={(event) => {
                if (event.key === 'ArrowRight') step(1);
                else if (event.key === 'ArrowLeft') step(-1);
                else if (event.key === 'F2') setRenaming(sheet);
                else if (event.key === 'Delete') remove(sheet);
                else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
                  event.preventDefault();
                  openMenu(sheet, event.currentTarget);
                }
              }}
            >
              {sheet.name}
            </button>
          ),
        )}
      </div>
      <button
        type="button"
        className="icon"
        aria-haspopup="menu"
        aria-label={words.sheetMenu(workbook.active.name)}
        onClick={(event) => openMenu(workbook.active, event.currentTarget)}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <circle cx="3" cy="8" r="1.4" />
          <circle cx="8" cy="8" r="1.4" />
          <circle cx="13" cy="8" r="1.4" />
        </svg>
      </button>
      <button
        type="button"
        className="icon"
        aria-label={words.addSheet}
        onClick={() => onLeave() && actions.attempt(() => activateSheet(workbook, addSheet(workbook)))}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M8 2.5v11M2.5 8h11" />
        </svg>
      </button>
      {menu && (
        <Menu
          label={words.sheetMenu(menu.sheet.name)}
          items={itemsFor(menu.sheet)}
          at={menu.at}
          onClose={() => {
            setMenu(undefined);
            requestAnimationFrame(() => {
              if (document.activeElement === document.body) focusActive();
            });
          }}
        />
      )}
      {deleting && (
        <Confirmation
          question={words.confirmDelete(deleting.name)}
          confirm={words.remove}
          cancel={words.cancel}
          onAnswer={(sure) => {
            setDeleting(undefined);
            if (sure) actions.attempt(() => deleteSheet(workbook, deleting));
            requestAnimationFrame(focusActive);
          }}
        />
      )}
    </div>
  );
};

type NameFieldProps = { label: string; name: string; onDone: (name: string) => void };

const NameField = ({ label, name, onDone }: NameFieldProps) => {
  const field = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const finish = (value: string) => {
    if (done.current) return;
    done.current = true;
    onDone(value);
  };
  return (
    <input
      ref={field}
      aria-label={label}
      defaultValue={name}
      size={Math.max(8, name.length)}
      onBlur={(event) => finish(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish(event.currentTarget.value);
        if (event.key === 'Escape') finish(name);
      }}
    />
  );
};

type ConfirmationProps = { question: string; confirm: string; cancel: string; onAnswer: (sure: boolean) => void };

const Confirmation = ({ question, confirm, cancel, onAnswer }: ConfirmationProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-label={question}
      onCancel={(event) => {
        event.preventDefault();
        onAnswer(false);
      }}
    >
      <p>{question}</p>
      <div className="answers">
        <button type="button" className="strong" onClick={() => onAnswer(true)}>
          {confirm}
        </button>
        <button type="button" onClick={() => onAnswer(false)}>
          {cancel}
        </button>
      </div>
    </dialog>
  );
};
