import { describe, expect, test } from 'vitest';
import { openExcel } from '../node.ts';
import { readFile } from '../savedFile/readFile.ts';
import { writeFile } from '../savedFile/writeFile.ts';
import { areaAddress } from '../workbook/cells/address.ts';
import { fillCells } from '../workbook/changes/fill.ts';
import { enterAsTyped } from '../workbook/changes/tableShape.ts';
import { redo, undo } from '../workbook/changes/undo.ts';
import { Workbook } from '../workbook/workbook.ts';

/*
 * Where validation, conditional formats and merged cells are after cells were inserted, deleted, moved or copied.
 * Expected is what Excel shows: its support pages on moving and copying cells, and on conditional formats that break
 * into smaller ranges.
 */

/** B2:D6 may hold numbers above that of column A beside it, and is marked where it is larger than in row 1. */
const opened = async () => {
  const workbook = new Workbook();
  const { Excel } = openExcel(workbook);
  const run = (work: (sheet: Excel.Worksheet, context: Excel.RequestContext) => unknown): Promise<void> =>
    Excel.run(async (context) => {
      await work(context.workbook.worksheets.getItem('Sheet1'), context);
      await context.sync();
    });
  await run((sheet, context) => {
    context.workbook.worksheets.add('Away');
    sheet.getRange('B2:D6').dataValidation.rule = { custom: { formula: '=B2>$A2' } };
    sheet.getRange('B2:D6').conditionalFormats.add('Custom').custom.rule.formula = '=B2>B$1';
    sheet.getRange('F2:G3').merge();
  });
  /** The areas of the rules of a sheet, each with its formula, and its merged cells. */
  const rules = (index = 0) => {
    const { validations, conditionalFormats, merges } = workbook.sheets[index]!;
    const shown = (areas: (typeof merges)[number][], formula: unknown) =>
      `${areas.map((area) => areaAddress(area)).join(' ')} ${formula}`;
    return {
      valid: validations.map(({ areas, rule }) => shown(areas, (rule.custom as { formula: string }).formula)),
      marked: conditionalFormats.map(({ areas, settings }) => {
        const { Rule } = settings.Custom as { Rule: { Formula: string } };
        return shown(areas, Rule.Formula);
      }),
      merged: merges.map((area) => areaAddress(area)),
    };
  };
  return { workbook, run, rules };
};

const all = { valid: ['B2:D6 =B2>$A2'], marked: ['B2:D6 =B2>B$1'], merged: ['F2:G3'] };

describe('Validation, conditional formats and merged cells', () => {
  test('reach further when rows are inserted among them, and move when they are inserted above', async () => {
    const { run, rules } = await opened();
    await run((sheet) => void sheet.getRange('3:4').insert('Down'));
    expect(rules()).toEqual({ valid: ['B2:D8 =B2>$A2'], marked: ['B2:D8 =B2>B$1'], merged: ['F2:G5'] });
    await run((sheet) => void sheet.getRange('1:1').insert('Down'));
    expect(rules()).toEqual({ valid: ['B3:D9 =B3>$A3'], marked: ['B3:D9 =B3>B$2'], merged: ['F3:G6'] });
  });

  test('are smaller when rows among them are deleted, and are gone with their last cells', async () => {
    const { workbook, run, rules } = await opened();
    await run((sheet) => sheet.getRange('C:C').delete('Left'));
    expect(rules()).toEqual({ valid: ['B2:C6 =B2>$A2'], marked: ['B2:C6 =B2>B$1'], merged: ['E2:F3'] });
    await run((sheet) => sheet.getRange('2:6').delete('Up'));
    expect(rules()).toEqual({ valid: [], marked: [], merged: [] });
    undo(workbook);
    undo(workbook);
    expect(rules()).toEqual(all);
  });

  test('move with their own columns only when cells of some columns are inserted or deleted', async () => {
    const { run, rules } = await opened();
    await run((sheet) => void sheet.getRange('C4').insert('Down'));
    expect(rules().valid).toEqual(['B2:B6 C2:C7 D2:D6 =B2>$A2']);
    expect(rules().marked).toEqual(['B2:B6 C2:C7 D2:D6 =B2>B$1']);
    await run((sheet) => sheet.getRange('C4').delete('Up'));
    // The same cells as before are one area again.
    expect(rules()).toEqual(all);
    await run((sheet) => sheet.getRange('B2:C2').delete('Left'));
    expect(rules().valid).toEqual(['B2 B3:D6 =B2>$A2']);
  });

  test('are no longer merged when cells of some of their rows or columns move', async () => {
    const { workbook, run, rules } = await opened();
    await run((sheet) => void sheet.getRange('F1').insert('Down'));
    expect(rules().merged).toEqual([]);
    undo(workbook);
    // A shift beside or below them leaves them as they are.
    await run((sheet) => void sheet.getRange('F4').insert('Down'));
    expect(rules().merged).toEqual(['F2:G3']);
    // One row of a single cell is nothing merged.
    await run((sheet) => sheet.getRange('G:G').delete('Left'));
    await run((sheet) => sheet.getRange('3:3').delete('Up'));
    expect(rules().merged).toEqual([]);
  });

  test('go along with cells that are moved, and replace what was there', async () => {
    const { workbook, run, rules } = await opened();
    await run((sheet) => sheet.getRange('C3:C4').moveTo('H3'));
    expect(rules().valid).toEqual(['B2:D2 B3:B4 D3:D4 B5:D6 =B2>$A2', 'H3:H4 =H3>$A3']);
    // Moved out of the reference to their row 1, the moved ones keep it.
    expect(rules().marked).toEqual(['B2:D2 B3:B4 D3:D4 B5:D6 =B2>B$1', 'H3:H4 =H3>C$1']);
    await run((sheet) => sheet.getRange('J1:K2').moveTo('B5'));
    expect(rules().valid[0]).toBe('B2:D2 B3:B4 D3:D4 D5:D6 =B2>$A2');
    undo(workbook);
    undo(workbook);
    expect(rules()).toEqual(all);
    redo(workbook);
    expect(rules().valid[1]).toBe('H3:H4 =H3>$A3');
  });

  test('go along to another sheet, where their formulas name the cells that stayed', async () => {
    const { workbook, run, rules } = await opened();
    await run((sheet) => sheet.getRange('B2:G6').moveTo('Away!C1'));
    expect(rules()).toEqual({ valid: [], marked: [], merged: [] });
    expect(rules(1)).toEqual({
      valid: ['C1:E5 =C1>Sheet1!$A2'],
      marked: ['C1:E5 =C1>Sheet1!B$1'],
      merged: ['G1:H2'],
    });
    undo(workbook);
    expect([rules(), rules(1)]).toEqual([all, { valid: [], marked: [], merged: [] }]);
  });

  test('are copied with cells and with formats, and not with values or formulas', async () => {
    const { run, rules } = await opened();
    await run((sheet) => {
      sheet.getRange('B20').copyFrom('B2:B3', 'Values');
      sheet.getRange('C20').copyFrom('B2:B3', 'Formulas');
    });
    expect(rules()).toEqual(all);
    await run((sheet) => sheet.getRange('C10:C13').copyFrom('C2:C3', 'Formats'));
    expect(rules()).toEqual({ ...all, marked: ['B2:D6 C10:C13 =B2>B$1'] });
    await run((sheet) => sheet.getRange('F10').copyFrom('F2:G3'));
    expect(rules().merged).toEqual(['F2:G3', 'F10:G11']);
    // Cells without rules leave none where they are pasted.
    await run((sheet) => sheet.getRange('C3').copyFrom('K1'));
    expect(rules().valid).toEqual(['B2:D2 B3 D3 B4:D6 =B2>$A2']);
    await run((_, { workbook: { worksheets } }) => worksheets.getItem('Away').getRange('A1').copyFrom('Sheet1!B5:C6'));
    expect(rules(1).valid).toEqual(['A1:B2 =A1>$A1']);
  });

  test('are refused to be torn: neither moved, pasted over nor sorted in part', async () => {
    const { run, rules } = await opened();
    const torn = { code: 'InvalidOperation' };
    await expect(run((sheet) => sheet.getRange('F2').moveTo('J1'))).rejects.toMatchObject(torn);
    await expect(run((sheet) => sheet.getRange('J1').moveTo('G3'))).rejects.toMatchObject(torn);
    await expect(run((sheet) => sheet.getRange('G3').copyFrom('J1'))).rejects.toMatchObject(torn);
    await expect(run((sheet) => sheet.getRange('E1:F4').sort.apply([{ key: 0 }]))).rejects.toMatchObject(torn);
    expect(rules()).toEqual(all);
  });

  test('stay where they are when rows are sorted', async () => {
    const { run, rules } = await opened();
    await run((sheet) => {
      sheet.getRange('A1:D7').values = [7, 6, 5, 4, 3, 2, 1].map((value) => [value, value, value, value]);
      sheet.getRange('A1:D7').sort.apply([{ key: 0, ascending: true }]);
    });
    expect(rules()).toEqual(all);
  });

  test('are filled into the cells that a fill reaches, in both directions', async () => {
    const { workbook, rules } = await opened();
    const [sheet] = workbook.sheets;
    const source = { row: 4, column: 1, rows: 2, columns: 1 };
    fillCells(sheet!, source, { ...source, rows: 5 });
    expect(rules().valid).toEqual(['B2:D6 B7:B9 =B2>$A2']);
    const first = { row: 1, column: 3, rows: 1, columns: 1 };
    fillCells(sheet!, first, { ...first, row: 0, rows: 2 });
    expect(rules().valid).toEqual(['B2:D6 D1 B7:B9 =B2>$A2']);
  });

  test('are those of the row above in a row that a table gets, also when somebody types below it', async () => {
    const { workbook, run, rules } = await opened();
    await run((sheet) => {
      sheet.getRange('J1:K3').values = [
        ['Code', 'Rate'],
        ['a', 1],
        ['b', 2],
      ];
      sheet.tables.add('J1:K3', true).name = 'Rates';
      sheet.getRange('K2:K3').dataValidation.rule = { custom: { formula: '=K2>0' } };
      sheet.getRange('J6').dataValidation.rule = { custom: { formula: '=J6="c"' } };
    });
    await run((_, { workbook: { tables } }) => void tables.getItem('Rates').rows.add(0, [['first', 0]]));
    expect(rules().valid).toContain('K2:K4 =K2>0');
    enterAsTyped(workbook.sheets[0]!, { row: 4, column: 9, rows: 1, columns: 1 }, 'x');
    expect(rules().valid).toContain('K2:K5 =K2>0');
    // What the cells below had stays: the row above has no rule there.
    enterAsTyped(workbook.sheets[0]!, { row: 5, column: 9, rows: 1, columns: 1 }, 'c');
    expect(rules().valid).toEqual(['B2:D6 =B2>$A2', 'K2:K6 =K2>0', expect.stringMatching(/^J\d =J\d="c"$/)]);
  });

  test('are changed and removed for a part of their cells', async () => {
    const { workbook, run, rules } = await opened();
    await run((sheet) => {
      sheet.getRange('C3').dataValidation.rule = { custom: { formula: '=C3=1' } };
      sheet.getRange('D:D').dataValidation.clear();
      sheet.getRange('B6:D6').conditionalFormats.clearAll();
      sheet.getRange('G3:H4').merge();
    });
    expect(rules()).toEqual({
      valid: ['B2:C2 B3 B4:C6 =B2>$A2', 'C3 =C3=1'],
      marked: ['B2:D5 =B2>B$1'],
      merged: ['G3:H4'],
    });
    await run((sheet) => {
      sheet.getRange('B5:B6').dataValidation.errorAlert = { message: 'No.', showAlert: true, style: 'Stop', title: '' };
    });
    expect(
      workbook.sheets[0]!.validations.map(({ areas, settings }) => [areas.length, 'errorAlert' in settings]),
    ).toEqual([
      [4, false],
      [1, false],
      [1, true],
    ]);
  });

  test('are in a download with the formula of each of their areas', async () => {
    const { workbook, run } = await opened();
    await run((sheet) => sheet.getRange('C3').delete('Up'));
    await run((sheet) => sheet.getRange('B4').moveTo('J9'));
    const { workbook: again } = await readFile(await writeFile(workbook, 'an-add-in'), 'an-add-in', 'en');
    const { Excel } = openExcel(again);
    const formulas = await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getItem('Sheet1');
      const cells = ['B3', 'B4', 'B6', 'C5', 'C6', 'D6', 'J9'].map((address) => {
        const cell = sheet.getRange(address);
        cell.dataValidation.load('rule');
        return cell;
      });
      await context.sync();
      return cells.map(({ dataValidation }) => dataValidation.rule.custom?.formula);
    });
    expect(formulas).toEqual(['=B3>$A3', undefined, '=B6>$A6', '=C5>$A5', undefined, '=D6>$A6', '=J9>$A4']);
  });
});
