import type { Position } from '../../workbook/cells/address.ts';
import type { Sheet } from '../../workbook/sheet.ts';
import type { Table, TableColumn } from '../../workbook/table.ts';
import { Menu, type Point } from '../Menu.tsx';
import { usePage } from '../pageContext.ts';
import { ColumnMenu } from './ColumnMenu.tsx';

/** The menu of the selected cells; with a header, the menu of a table's column; with choices, those for a cell. */
export type OpenMenu = {
  sheet: Sheet;
  at: Point;
  header?: { table: Table; column: TableColumn };
  choices?: { cell: Position; texts: string[] };
};

type Props = OpenMenu & { onClose: () => void };

export const GridMenu = ({ at, header, choices, onClose }: Props) => {
  const { workbook, messages, actions } = usePage();
  if (header) return <ColumnMenu {...header} at={at} onClose={onClose} />;
  if (choices) {
    const choose = (text: string) => void actions.type(workbook.active, choices.cell, text);
    const items = choices.texts.map((label) => ({ label, onSelect: () => choose(label) }));
    return <Menu label={messages.choices} at={at} onClose={onClose} items={items} />;
  }
  return (
    <Menu
      label={messages.cells}
      at={at}
      onClose={onClose}
      items={[
        { label: messages.insertRows, onSelect: actions.insertRows },
        { label: messages.deleteRows, onSelect: actions.deleteRows },
        { label: messages.insertColumns, onSelect: actions.insertColumns },
        { label: messages.deleteColumns, onSelect: actions.deleteColumns },
        { label: messages.clearContents, onSelect: actions.clear },
        { label: messages.formatAsTable, onSelect: actions.formatAsTable },
      ]}
    />
  );
};
