import { describe, expect, test } from 'vitest';
import { en } from '../../../taskpane/locales/outside/en.ts';
import { type Area, parseArea } from '../../workbook/cells/address.ts';
import { enterValues } from '../../workbook/changes/enter.ts';
import { formulaAt } from '../../workbook/sheet.ts';
import { select } from '../../workbook/sheets.ts';
import { Workbook } from '../../workbook/workbook.ts';
import { createActions } from './actions.ts';

const areaOf = (address: string): Area => parseArea(address)!;

/** A workbook whose first sheet has some values, and what a user does to it. */
function opened(address: string, values: unknown[][]) {
  const workbook = new Workbook();
  const sheet = workbook.active;
  enterValues(sheet, areaOf(address), values);
  const actions = createActions(
    workbook,
    en.page,
    () => undefined,
    () => undefined,
  );
  let text = '';
  const clipboard = {
    setData: (_type: string, copied: string) => {
      text = copied;
    },
    getData: () => text,
  } as unknown as DataTransfer;
  const on = (selected: string, action: () => void) => {
    select(workbook.active, areaOf(selected));
    action();
  };
  return {
    workbook,
    sheet,
    actions,
    on,
    copy: (selected: string, isCut = false) => on(selected, () => actions.copy(clipboard, isCut)),
    paste: (selected: string) => on(selected, () => actions.paste(clipboard)),
    copiedText: () => text,
    cells: (shown: string) => {
      const { row, column, rows, columns } = areaOf(shown);
      return Array.from({ length: rows }, (_, down) =>
        Array.from({ length: columns }, (_, across) => formulaAt(sheet, row + down, column + across)),
      );
    },
  };
}

describe('Entire rows and columns', () => {
  test('are pasted as they are, from their first cell on', () => {
    const { copy, paste, cells } = opened('B2:C3', [
      ['b2', 'c2'],
      ['b3', ''],
    ]);
    copy('B:B');
    paste('E:E');
    expect(cells('E1:E4')).toEqual([[''], ['b2'], ['b3'], ['']]);
    copy('2:2');
    paste('6:6');
    expect(cells('A6:F6')).toEqual([['', 'b2', 'c2', '', 'b2', '']]);
  });

  test('are pasted once into an entire row, however many columns are in use', () => {
    const { copy, paste, cells, sheet } = opened('A1:D1', [['a', 'b', 'c', 'd']]);
    copy('1:1');
    paste('3:3');
    expect(cells('A3:F3')).toEqual([['a', 'b', 'c', 'd', '', '']]);
    expect(sheet.rows[2]?.cells.length).toBeLessThan(30);
  });

  test('are filled from the whole row above or column before, also when they are empty', () => {
    const { on, actions, cells } = opened('A1:D2', [
      ['a', 'b', '=A1', 'd'],
      ['', 'own', '', ''],
    ]);
    on('2:2', actions.fillDown);
    expect(cells('A2:E2')).toEqual([['a', 'b', '=A2', 'd', '']]);
    on('3:3', actions.fillDown);
    expect(cells('A3:E3')).toEqual([['a', 'b', '=A3', 'd', '']]);
    on('E:E', actions.fillRight);
    expect(cells('E1:E4')).toEqual([['d'], ['d'], ['d'], ['']]);
  });
});
