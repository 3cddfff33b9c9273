import { Workbook as LibraryWorkbook } from '@cj-tech-master/excelts';
import { calculateFormulas } from '@cj-tech-master/excelts/formula';
import { attachCalculator } from '../addin/simulator/calculation/calculator.ts';
import { readFile } from '../addin/simulator/savedFile/readFile.ts';
import { writeFile } from '../addin/simulator/savedFile/writeFile.ts';
import { addTable, enterAsTyped } from '../addin/simulator/workbook/changes/tableShape.ts';
import { valueAt } from '../addin/simulator/workbook/sheet.ts';
import { Workbook } from '../addin/simulator/workbook/workbook.ts';
import { largeFile } from './largeFile.ts';
import { median, type Ratio } from './measure.ts';

const ROWS = 20_000;
const SUMS = 10;
const PARTS = 10;
const ROUNDS = 3;
const LARGE_ROWS = 300_000;
const ADD_IN = '8e9b2af3-7cb4-48ed-836e-ae08f8e731ea';

/** The formulas of a row: two columns of a table, and some of them beside it. Together with the sums they are 50,000. */
const formulasOf = (row: number): string[] => [
  `=ROUND(C${row}*0.21,2)`,
  `=C${row}+D${row}`,
  ...(row <= ROWS / 2 - SUMS + 1 ? [`=IF(E${row}>100,"large","small")`] : []),
];
const sumOf = (index: number): string => `=SUMIFS(C$2:C$${ROWS + 1},B$2:B$${ROWS + 1},"k${index}")`;
const valuesOf = (row: number): (string | number)[] => [`A${row}`, `k${row % 50}`, row / 8];

/** The formulas of the workbook page against the engine alone over its own workbook; and files against the library alone. */
export async function measureWorkbook(): Promise<Ratio[]> {
  const ours = oursOf();
  const start = performance.now();
  attachCalculator(ours);
  const first = performance.now() - start;
  // From its 10,001st formula on the engine leaves some out: it gets a tenth of the rows at a time.
  const tenths = Array.from({ length: PARTS }, (_, part) => libraryOf(part * (ROWS / PARTS), ROWS / PARTS));
  const alone = timed(() => tenths.forEach(calculateFormulas));
  const { result } = tenths[0]!.worksheets[0]!.getCell(11, 5).value as { result: unknown };
  if (valueAt(ours.active, 10, 4) !== result)
    throw new Error(`${valueAt(ours.active, 10, 4)} is not ${String(result)}.`);
  const changes = Array.from({ length: 9 }, (_, index) =>
    timed(() => {
      enterAsTyped(ours.active, { row: 5 + index, column: 2, rows: 1, columns: 1 }, String(1000 + index));
      ours.settle();
    }),
  );
  const again = median(changes);
  return [
    {
      name: '50,000 formulas over 20,000 rows, against the engine alone with a tenth of them at a time',
      ours: first,
      bare: alone,
      unit: 'ms',
      aim: 1,
    },
    { name: 'those formulas, against a second', ours: first, bare: 1000, unit: 'ms', aim: 1 },
    {
      name: 'the formulas again after one cell, against all of them by the engine alone',
      ours: again,
      bare: alone,
      unit: 'ms',
      aim: 0.05,
    },
    { name: 'those again after one cell, against 50 ms', ours: again, bare: 50, unit: 'ms', aim: 1 },
    ...(await measureFiles(ours, libraryOf(0, ROWS))),
    await measureLargeFile(),
  ];
}

async function measureLargeFile(): Promise<Ratio> {
  const file = largeFile(LARGE_ROWS);
  const read = await timedAsync(() => readFile(file, ADD_IN, 'en'));
  const size = (file.length / 1e6).toFixed(0);
  return {
    name: `opening a file of ${size} MB with 3 million cells, against 5 s`,
    ours: read,
    bare: 5000,
    unit: 'ms',
    aim: 1,
  };
}

async function measureFiles(ours: Workbook, bare: LibraryWorkbook): Promise<Ratio[]> {
  const times = { write: [0, 0], read: [0, 0] };
  for (let round = 0; round < ROUNDS; round++) {
    let file = new Uint8Array();
    const written = await timedAsync(async () => {
      file = await writeFile(ours, ADD_IN);
    });
    const writtenAlone = await timedAsync(() => bare.xlsx.writeBuffer({ validate: false }));
    const read = await timedAsync(() => readFile(file, ADD_IN, 'en'));
    const readAlone = await timedAsync(() => new LibraryWorkbook().xlsx.load(file));
    const least = (before: number, now: number) => (before === 0 ? now : Math.min(before, now));
    times.write = [least(times.write[0]!, written), least(times.write[1]!, writtenAlone)];
    times.read = [least(times.read[0]!, read), least(times.read[1]!, readAlone)];
  }
  return [
    {
      name: 'a download of that workbook, against the library alone',
      ours: times.write[0]!,
      bare: times.write[1]!,
      unit: 'ms',
      aim: 1.5,
    },
    { name: 'opening it, against the library alone', ours: times.read[0]!, bare: times.read[1]!, unit: 'ms', aim: 1 },
  ];
}

function oursOf(): Workbook {
  const workbook = new Workbook();
  const sheet = workbook.active;
  sheet.rows = [{ cells: ['Code', 'Kind', 'Amount', 'Vat', 'Total'].map((value) => ({ value })) }];
  for (let row = 2; row <= ROWS + 1; row++) {
    const formulas = formulasOf(row).map((formula) => ({ value: formula, formula }));
    const sum = row <= SUMS + 1 ? [{ value: '', formula: sumOf(row) }] : [];
    sheet.rows.push({ cells: [...valuesOf(row).map((value) => ({ value })), ...formulas, ...sum] });
    sheet.formulas += formulas.length + sum.length;
  }
  addTable(sheet, { row: 0, column: 0, rows: ROWS + 1, columns: 5 }, true);
  return workbook;
}

/** Those rows in a workbook of the library. @param before rows that it leaves out */
function libraryOf(before: number, rows: number): LibraryWorkbook {
  const workbook = new LibraryWorkbook();
  const sheet = workbook.addWorksheet('Sheet1');
  for (let row = before + 2; row <= before + rows + 1; row++) {
    const formulas = formulasOf(row).map((formula) => ({ formula: formula.slice(1) }));
    const sum = row <= SUMS + 1 ? [{ formula: sumOf(row).slice(1) }] : [];
    sheet.getRow(row).values = [...valuesOf(row), ...formulas, ...sum];
  }
  return workbook;
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

async function timedAsync(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
