import { useEffect, useRef } from 'react';
import type { Table, TableColumn } from '../../workbook/table.ts';
import type { Actions } from '../actions.ts';
import type { Words } from '../words.ts';

type Props = {
  table: Table;
  column: TableColumn;
  at: { x: number; y: number };
  words: Words;
  actions: Actions;
  onClose: () => void;
};

const filterText = (table: Table, column: TableColumn): string => {
  const criterion = table.filters.get(column.id)?.criterion1;
  return typeof criterion === 'string' ? criterion.replace(/^=\*|\*$/g, '').replace(/~([~*?])/g, '$1') : '';
};

/** Sorting and filtering a table by one of its columns. */
export const ColumnMenu = ({ table, column, at, words, actions, onClose }: Props) => {
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    box.current?.querySelector('button')?.focus();
    const outside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) onClose();
    };
    document.addEventListener('pointerdown', outside, true);
    return () => document.removeEventListener('pointerdown', outside, true);
  }, [onClose]);

  const sort = (ascending: boolean) => () => {
    onClose();
    actions.sort(table, column, ascending);
  };

  const filter = (text: string) => {
    onClose();
    actions.filter(table, column, text);
  };

  return (
    <div
      ref={box}
      className="menu column-menu"
      role="dialog"
      aria-label={words.columnMenu(column.name)}
      style={{ left: Math.min(at.x, window.innerWidth - 260), top: Math.min(at.y, window.innerHeight - 240) }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') onClose();
      }}
    >
      <button type="button" onClick={sort(true)}>
        {words.sortAscending}
      </button>
      <button type="button" onClick={sort(false)}>
        {words.sortDescending}
      </button>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          filter(String(new FormData(event.currentTarget).get('text') ?? ''));
        }}
      >
        <label>
          {words.filterContains}
          <input name="text" defaultValue={filterText(table, column)} autoComplete="off" />
        </label>
        <div className="answers">
          <button type="submit" className="strong">
            {words.apply}
          </button>
          <button type="button" disabled={!table.filters.has(column.id)} onClick={() => filter('')}>
            {words.clearFilter}
          </button>
        </div>
      </form>
    </div>
  );
};
