import type { Table, TableColumn } from '../../workbook/table.ts';
import { type Point, usePopup } from '../Menu.tsx';
import { usePage } from '../pageContext.ts';

type Props = { table: Table; column: TableColumn; at: Point; onClose: () => void };

const filterText = (table: Table, column: TableColumn): string => {
  const criterion = table.filters.get(column.id)?.criterion1;
  return typeof criterion === 'string' ? criterion.replace(/^=\*|\*$/g, '').replace(/~([~*?])/g, '$1') : '';
};

/** Sorting and filtering a table by one of its columns. */
export const ColumnMenu = ({ table, column, at, onClose }: Props) => {
  const { messages, actions } = usePage();
  const box = usePopup(onClose);

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
      aria-label={messages.columnMenu(column.name)}
      style={{ left: Math.min(at.x, window.innerWidth - 260), top: Math.min(at.y, window.innerHeight - 240) }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Escape') onClose();
      }}
    >
      <button type="button" onClick={sort(true)}>
        {messages.sortAscending}
      </button>
      <button type="button" onClick={sort(false)}>
        {messages.sortDescending}
      </button>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          filter(String(new FormData(event.currentTarget).get('text') ?? ''));
        }}
      >
        <label>
          {messages.filterContains}
          <input name="text" defaultValue={filterText(table, column)} autoComplete="off" />
        </label>
        <div className="dialog-buttons">
          <button type="submit" className="strong">
            {messages.apply}
          </button>
          <button type="button" disabled={!table.filters.has(column.id)} onClick={() => filter('')}>
            {messages.clearFilter}
          </button>
        </div>
      </form>
    </div>
  );
};
