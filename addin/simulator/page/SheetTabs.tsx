import { useRef, useState } from 'react';
import { ExcelError } from '../workbook/cells/error.ts';
import { recordStep } from '../workbook/changes/undo.ts';
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
import { Menu, type MenuItem, menuHeight, type Point } from './Menu.tsx';
import { ModalDialog } from './ModalDialog.tsx';
import { type Page, usePage } from './pageContext.ts';
import { SheetTab } from './SheetTab.tsx';

type Props = {
  onReport: (message: string) => void;
  /** Enters what is being typed; false when that is refused. */
  onLeave: () => boolean;
};

type MenuActions = { onRename: (sheet: Sheet) => void; onDelete: (sheet: Sheet) => void };

const menuItems = (page: Page, sheet: Sheet, { onRename, onDelete }: MenuActions): MenuItem[] => {
  const { workbook, messages, actions } = page;
  const visible = visibleSheets(workbook);
  const at = visible.indexOf(sheet);
  const moveTo = (other: Sheet | undefined) => () =>
    actions.attempt(() => moveSheet(workbook, sheet, workbook.sheets.indexOf(other ?? sheet)));
  const setTo = (one: Sheet, visibility: 'Visible' | 'Hidden') => () =>
    actions.attempt(() => setVisibility(workbook, one, visibility));
  return [
    { label: messages.rename, onSelect: () => onRename(sheet) },
    { label: messages.moveLeft, onSelect: moveTo(visible[at - 1]), disabled: at === 0 },
    { label: messages.moveRight, onSelect: moveTo(visible[at + 1]), disabled: at === visible.length - 1 },
    { label: messages.hide, onSelect: setTo(sheet, 'Hidden'), disabled: visible.length === 1 },
    { label: messages.remove, onSelect: () => onDelete(sheet), disabled: visible.length === 1 },
    ...workbook.sheets
      .filter(({ visibility }) => visibility === 'Hidden')
      .map((hidden) => ({ label: messages.unhide(hidden.name), onSelect: setTo(hidden, 'Visible') })),
  ];
};

/** The tabs of the visible sheets, a menu for each of them, and a button that adds a sheet. */
export const SheetTabs = ({ onReport, onLeave }: Props) => {
  const page = usePage();
  const { workbook, messages, actions } = page;
  const [renaming, setRenaming] = useState<Sheet>();
  const [menu, setMenu] = useState<{ sheet: Sheet; at: Point }>();
  const [deleting, setDeleting] = useState<Sheet>();
  const tabs = useRef<HTMLDivElement>(null);
  const visible = visibleSheets(workbook);

  const focusActive = () => tabs.current?.querySelector<HTMLElement>('[aria-selected=true]')?.focus();

  const rename = (sheet: Sheet, name: string) => {
    setRenaming(undefined);
    if (name === sheet.name) return;
    try {
      recordStep(workbook, () => renameSheet(workbook, sheet, name));
      onReport('');
    } catch (error) {
      if (!(error instanceof ExcelError)) throw error;
      onReport(error.code === 'ItemAlreadyExists' ? messages.takenName : messages.unfitName);
    }
  };

  const remove = (sheet: Sheet) => {
    if (visible.length === 1) return onReport(messages.lastSheet);
    if (usedArea(sheet, false)) setDeleting(sheet);
    else actions.attempt(() => deleteSheet(workbook, sheet));
  };

  const itemsFor = (sheet: Sheet) => menuItems(page, sheet, { onRename: setRenaming, onDelete: remove });

  /** Opens the menu at a point, or above an element. */
  const openMenu = (sheet: Sheet, at: Point | Element) => {
    if (!(at instanceof Element)) return setMenu({ sheet, at });
    const { left, top } = at.getBoundingClientRect();
    setMenu({ sheet, at: { x: left, y: top - menuHeight(itemsFor(sheet).length) } });
  };

  const closeMenu = () => {
    setMenu(undefined);
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) focusActive();
    });
  };

  const step = (by: 1 | -1) => {
    activateSheet(workbook, visible.at((visible.indexOf(workbook.active) + by) % visible.length)!);
    requestAnimationFrame(focusActive);
  };

  const confirmDelete = (sheet: Sheet, isSure: boolean) => {
    setDeleting(undefined);
    if (isSure) actions.attempt(() => deleteSheet(workbook, sheet));
    requestAnimationFrame(focusActive);
  };

  return (
    <div className="sheet-tabs">
      <div ref={tabs} role="tablist" aria-label={messages.sheets}>
        {visible.map((sheet) => (
          <SheetTab
            key={sheet.id}
            sheet={sheet}
            isRenaming={sheet === renaming}
            onActivate={() => onLeave() && activateSheet(workbook, sheet)}
            onStep={step}
            onBeginRename={() => setRenaming(sheet)}
            onRename={(name) => rename(sheet, name)}
            onDelete={() => remove(sheet)}
            onMenu={(at) => openMenu(sheet, at)}
          />
        ))}
      </div>
      <button
        type="button"
        className="icon"
        aria-haspopup="menu"
        aria-label={messages.sheetMenu(workbook.active.name)}
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
        aria-label={messages.addSheet}
        onClick={() => onLeave() && actions.attempt(() => activateSheet(workbook, addSheet(workbook)))}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M8 2.5v11M2.5 8h11" />
        </svg>
      </button>
      {menu && (
        <Menu
          label={messages.sheetMenu(menu.sheet.name)}
          items={itemsFor(menu.sheet)}
          at={menu.at}
          onClose={closeMenu}
        />
      )}
      {deleting && <DeleteDialog sheet={deleting} onDone={(isSure) => confirmDelete(deleting, isSure)} />}
    </div>
  );
};

const DeleteDialog = ({ sheet, onDone }: { sheet: Sheet; onDone: (isSure: boolean) => void }) => {
  const { messages } = usePage();
  const question = messages.confirmDelete(sheet.name);
  return (
    <ModalDialog label={question} onCancel={() => onDone(false)}>
      <p>{question}</p>
      <div className="dialog-buttons">
        <button type="button" className="strong" onClick={() => onDone(true)}>
          {messages.remove}
        </button>
        <button type="button" onClick={() => onDone(false)}>
          {messages.cancel}
        </button>
      </div>
    </ModalDialog>
  );
};
