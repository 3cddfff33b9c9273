import { type MouseEvent, useEffect, useRef } from 'react';
import type { Sheet } from '../workbook/sheet.ts';
import type { Point } from './Menu.tsx';
import { usePage } from './pageContext.ts';

type Props = {
  sheet: Sheet;
  isRenaming: boolean;
  onActivate: () => void;
  /** Goes to the next tab, or by -1 to the one before. */
  onStep: (by: 1 | -1) => void;
  onBeginRename: () => void;
  onRename: (name: string) => void;
  onDelete: () => void;
  onMenu: (at: Point | Element) => void;
};

/** The tab of a sheet, or a field for its new name. */
export const SheetTab = ({ sheet, isRenaming, ...on }: Props) => {
  const { workbook } = usePage();
  const tab = useRef<HTMLButtonElement>(null);
  const isActive = sheet === workbook.active;
  useEffect(() => {
    if (isActive) tab.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isActive]);
  if (isRenaming) return <NameField name={sheet.name} onDone={on.onRename} />;
  return (
    <button
      ref={tab}
      type="button"
      role="tab"
      aria-selected={isActive}
      aria-controls="grid"
      tabIndex={isActive ? 0 : -1}
      style={sheet.tabColor ? { boxShadow: `inset 0 -3px ${sheet.tabColor}` } : undefined}
      onClick={on.onActivate}
      onDoubleClick={on.onBeginRename}
      onContextMenu={(event: MouseEvent) => {
        event.preventDefault();
        on.onMenu({ x: event.clientX, y: event.clientY });
      }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') on.onStep(1);
        else if (event.key === 'ArrowLeft') on.onStep(-1);
        else if (event.key === 'F2') on.onBeginRename();
        else if (event.key === 'Delete') on.onDelete();
        else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
          event.preventDefault();
          on.onMenu(event.currentTarget);
        }
      }}
    >
      {sheet.name}
    </button>
  );
};

const NameField = ({ name, onDone }: { name: string; onDone: (name: string) => void }) => {
  const { messages } = usePage();
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const finish = (value: string) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(value);
  };
  return (
    <input
      ref={field}
      aria-label={messages.sheetName}
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
