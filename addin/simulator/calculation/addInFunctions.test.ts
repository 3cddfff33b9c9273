import { expect, test, vi } from 'vitest';
import { CallError, FunctionCalls } from '../functionCalls.ts';
import { readFile } from '../savedFile/readFile.ts';
import { writeFile } from '../savedFile/writeFile.ts';
import { parseArea } from '../workbook/cells/address.ts';
import { enterAsTyped } from '../workbook/changes/tableShape.ts';
import { recordStep, undo } from '../workbook/changes/undo.ts';
import { cellAt, formulaAt, textAt, valueAt } from '../workbook/sheet.ts';
import { Workbook } from '../workbook/workbook.ts';
import { attachCalculator } from './calculator.ts';

const ADD_IN = '8d6f3a51-7c24-4f9e-9b16-2f0c5a7e1b33';

const functions = [
  { name: 'LEDGER.BALANCE', id: 'BALANCE', parameters: [{ isMatrix: true }, {}, { isOptional: true }] },
  { name: 'LEDGER.NAME', id: 'NAME', parameters: [{}] },
];

/** A workbook with the functions of an add-in that is not loaded yet. */
function workbookWithFunctions(language: 'en' | 'nl' = 'en') {
  const workbook = new Workbook(language);
  const calls = new FunctionCalls();
  attachCalculator(workbook, { functions, calls });
  const area = (address: string) => parseArea(address)!;
  return {
    workbook,
    calls,
    type(address: string, text: string) {
      recordStep(workbook, () => enterAsTyped(workbook.active, area(address), text));
      workbook.settle();
    },
    value: (address: string) => valueAt(workbook.active, area(address).row, area(address).column),
    cell: (address: string) => cellAt(workbook.active, area(address).row, area(address).column),
    /** Loads the add-in, which counts its calls. */
    load() {
      const received: unknown[][] = [];
      calls.associate('BALANCE', async (...args) => {
        received.push(args);
        const [accounts, at] = args as [unknown[][], unknown];
        if (at === 'x') throw new CallError('#VALUE!', '“x” is no period.');
        return accounts.flat().reduce((sum: number, one) => sum + Number(one), 0);
      });
      calls.associate('NAME', (number) => `Account ${String(number)}`);
      return received;
    },
  };
}

test('A function of the add-in is busy until the add-in is loaded and has answered, and its dependents follow', async () => {
  const { type, value, load } = workbookWithFunctions();
  type('A1', '=1000+LEDGER.BALANCE(C1:C2,"2026")');
  type('A2', '=A1*2');
  type('C1', '4000');
  expect([value('A1'), value('A2')]).toEqual(['#BUSY!', '#BUSY!']);
  const received = load();
  await vi.waitFor(() => expect([value('A1'), value('A2')]).toEqual([5000, 10_000]));
  expect(received.at(-1)).toEqual([[[4000], [null]], '2026', null, { address: 'Sheet1!A1', isInValuePreview: false }]);
});

test('A formula typed in Dutch calls the same function, and is saved in English', async () => {
  const { workbook, type, value, load } = workbookWithFunctions('nl');
  load();
  type('A1', '=ALS(WAAR;ledger.name("4000");0)');
  await vi.waitFor(() => expect(value('A1')).toBe('Account 4000'));
  expect(formulaAt(workbook.active, 0, 0)).toBe('=IF(TRUE,ledger.name("4000"),0)');
});

test('The message of an error is in its cell, and goes with the error', async () => {
  const { type, value, cell, load } = workbookWithFunctions();
  load();
  type('B1', 'x');
  type('A1', '=LEDGER.BALANCE(4000,B1)');
  await vi.waitFor(() => expect(value('A1')).toBe('#VALUE!'));
  expect(cell('A1')!.message).toBe('“x” is no period.');
  type('B1', '2026');
  await vi.waitFor(() => expect(value('A1')).toBe(4000));
  expect(cell('A1')!.message).toBeUndefined();
});

test('A function is called again when what it reads changes, and not when another cell does', async () => {
  const { type, value, load } = workbookWithFunctions();
  const received = load();
  type('B1', '1');
  type('A1', '=LEDGER.BALANCE(B1,"2026")');
  type('A2', '=LEDGER.BALANCE(7,TODAY())');
  await vi.waitFor(() => expect([value('A1'), value('A2')]).toEqual([1, 7]));
  const before = received.length;
  type('D1', '1');
  // TODAY() has another result at another time: only the formula with it is calculated.
  await vi.waitFor(() => expect(value('A2')).toBe(7));
  expect(received.slice(before).map(([accounts]) => accounts)).toEqual([[[7]]]);
  type('B1', '2');
  await vi.waitFor(() => expect(value('A1')).toBe(2));
});

test('An argument that is an error is the result, and too few or too many arguments are refused', async () => {
  const { type, value, load } = workbookWithFunctions();
  const received = load();
  type('A1', '=LEDGER.BALANCE(1/0,"2026")');
  type('A2', '=LEDGER.BALANCE(4000)');
  type('A3', '=LEDGER.NAME()');
  type('A4', '=LEDGER.NAME(1,2,3)');
  type('A5', '=LEDGER.NAME(B1:B2)');
  type('A6', '=MY.LEDGER.NAME(1)');
  type('A7', '="LEDGER.NAME("&LEN("LEDGER.NAME(1)")');
  expect(['A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'A7'].map(value)).toEqual([
    '#DIV/0!',
    '#VALUE!',
    '#VALUE!',
    '#VALUE!',
    '#VALUE!',
    '#NAME?',
    'LEDGER.NAME(14',
  ]);
  expect(received).toEqual([]);
});

test('Results that come late do not overwrite what was typed meanwhile, and Undo does not bring them back', async () => {
  const { workbook, calls, type, value } = workbookWithFunctions();
  const open: ((text: string) => void)[] = [];
  calls.associate('NAME', () => new Promise<string>((resolve) => open.push(resolve)));
  type('A1', '=LEDGER.NAME(1)');
  type('A2', '=LEDGER.NAME(2)');
  type('A1', 'typed');
  for (const resolve of open) resolve('late');
  await vi.waitFor(() => expect(value('A2')).toBe('late'));
  expect(value('A1')).toBe('typed');
  undo(workbook);
  workbook.settle();
  expect(value('A1')).toBe('#BUSY!');
  open.at(-1)!('again');
  await vi.waitFor(() => expect(value('A1')).toBe('again'));
});

test('An add-in that is loaded again answers the calls of the one before', async () => {
  const { calls, type, value } = workbookWithFunctions();
  calls.associate('NAME', () => new Promise(() => {}));
  type('A1', '=LEDGER.NAME(1)');
  expect(value('A1')).toBe('#BUSY!');
  calls.forget();
  calls.associate('NAME', () => 'loaded again');
  await vi.waitFor(() => expect(value('A1')).toBe('loaded again'));
});

test('A saved workbook has the results, and one that was saved while busy has its results later', async () => {
  const { workbook, type, value, load } = workbookWithFunctions();
  type('A1', '=LEDGER.NAME(1)');
  const busy = await readFile(await writeFile(workbook, ADD_IN), ADD_IN, 'en');
  expect(formulaAt(busy.workbook.active, 0, 0)).toBe('=LEDGER.NAME(1)');
  expect(textAt(busy.workbook.active, 0, 0)).not.toBe('#BUSY!');
  load();
  await vi.waitFor(() => expect(value('A1')).toBe('Account 1'));
  const saved = await readFile(await writeFile(workbook, ADD_IN), ADD_IN, 'en');
  expect(textAt(saved.workbook.active, 0, 0)).toBe('Account 1');
});

test('Five thousand formulas have their results after two calculations', async () => {
  const { workbook, type, value, load } = workbookWithFunctions();
  const received = load();
  let calculations = 0;
  workbook.subscribe(({ kind }) => {
    if (kind === 'calculated') calculations += 1;
  });
  for (let row = 0; row < 5000; row++) {
    enterAsTyped(workbook.active, { row, column: 0, rows: 1, columns: 1 }, `=LEDGER.BALANCE(${row},"2026-03")`);
  }
  workbook.settle();
  await vi.waitFor(() => expect(value('A5000')).toBe(4999));
  expect([received.length, calculations]).toEqual([5000, 2]);
  type('B1', '=SUM(A1:A5000)');
  expect(value('B1')).toBe((4999 * 5000) / 2);
});

test('Several values fill as many cells, with the errors among them, and an error may be returned', async () => {
  const { calls, type, value } = workbookWithFunctions();
  calls.associate('NAME', (number) =>
    number === 1
      ? [
          ['one', 1],
          [new CallError('#NUM!'), true],
        ]
      : new CallError('#N/A', 'There is no other.'),
  );
  type('A1', '=LEDGER.NAME(1)');
  type('A4', '=LEDGER.NAME(2)');
  await vi.waitFor(() => expect(value('A1')).toBe('one'));
  expect([value('B1'), value('A2'), value('B2')]).toEqual([1, '#NUM!', true]);
  await vi.waitFor(() => expect(value('A4')).toBe('#N/A'));
  calls.associate('NAME', () => [[1, 2], [3]]);
  type('A6', '=LEDGER.NAME(3)');
  await vi.waitFor(() => expect(value('A6')).toBe('#VALUE!'));
});
