import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, it } from 'vitest';
import { accessibilityErrors } from './accessibility.ts';
import { BELGIAN, belgianDemo, DUTCH, demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';

const appPage = withAppPage();
const { press } = appPage;
let { app, context, page, pane } = appPage;
beforeEach(() => {
  ({ app, context, page, pane } = appPage);
});

/** A number from the database, such as a sum of lines: the lines are those of entries of the Dutch demo. */
function inDatabase(expression: string, where: string): number {
  const database = new DatabaseSync(app.databaseFile, { readOnly: true });
  try {
    const from = 'journal_line line left join relation on relation.id = line.relation_id';
    const row = database
      .prepare(`select ${expression} as found from ${from} where line.administration_id = 1 and ${where}`)
      .get();
    return Number(row!.found);
  } finally {
    database.close();
  }
}
const DEBIT_LESS_CREDIT = 'sum(line.debit - line.credit) / 100.0';

const enter = (cells: Record<string, string>) =>
  page.evaluate((all) => {
    for (const [address, text] of Object.entries(all)) window.workbook.type(address, text);
  }, cells);
const values = (area: string) => page.evaluate((where) => window.workbook.values(where).flat(), area);
const figuresOf = (month: number) => `=LEDGER.TURNOVER("8*","2026-${String(month).padStart(2, '0')}","2026-10")`;

it('formulas have the figures of the ledger, errors say what is wrong, and what depends on them follows', async () => {
  await enter({ A1: '=LEDGER.NAME("1300")' });
  await expect.poll(() => values('A1')).toEqual(['#N/A']);
  await connect(pane, demo, 'Klant A');
  // The formula is calculated again by itself when there is a connection.
  await expect.poll(() => values('A1')).toEqual(['Debiteuren']);

  const customer = inDatabase('relation.customer_number', "line.ledger_account_number = '1300' limit 1");
  await enter({
    A2: '=LEDGER.BALANCE("1300",DATE(2026,6,30))',
    A3: '=LEDGER.TURNOVER("8000:8999","2026-Q1","2026-03")',
    A4: `=LEDGER.OPEN(${customer},2026)`,
    A5: '=ROUND(A2+A3,2)',
    A6: '=LEDGER.BALANCE("4711","2026")',
    A7: '=LEDGER.BALANCE("1300","2026-13")',
  });
  const balance = inDatabase(DEBIT_LESS_CREDIT, "line.ledger_account_number = '1300' and line.date <= '2026-06-30'");
  const turnover = inDatabase(
    DEBIT_LESS_CREDIT,
    "line.ledger_account_number between '8000' and '8999' and line.date between '2026-01-01' and '2026-03-31'",
  );
  const open = inDatabase(
    DEBIT_LESS_CREDIT,
    `line.ledger_account_number in ('1300', '1600') and customer_number = ${customer} and line.date <= '2026-12-31'`,
  );
  expect(Math.min(Math.abs(balance), Math.abs(turnover))).toBeGreaterThan(0);
  await expect
    .poll(() => values('A2:A7'))
    .toEqual([balance, turnover, open, Math.round((balance + turnover) * 100) / 100, '#VALUE!', '#VALUE!']);
  const said = () => page.locator('.status-bar [role=status]').textContent();
  await page.evaluate(() => window.workbook.select('A6'));
  await expect.poll(said).toContain('There is no account “4711”.');
  await page.evaluate(() => window.workbook.select('A7'));
  await expect.poll(said).toContain('“2026-13” is no period.');
  expect(await accessibilityErrors(page)).toEqual([]);
});

it('a cell with a formula shows the entries behind its figures, by the values of its arguments', async () => {
  await connect(pane, demo, 'Klant A');
  await enter({
    A1: '8*',
    A2: '=DATE(2026,3,31)',
    B1: '=1+LEDGER.BALANCE(A1,A2)-LEDGER.TURNOVER("8000","2026-02",A2)',
  });
  await expect.poll(async () => typeof (await values('B1'))[0]).toBe('number');
  await page.evaluate(() => window.workbook.select('B1'));
  await seen(pane.getByRole('heading', { name: 'Formula in B1' }));
  expect(await accessibilityErrors(pane)).toEqual([]);
  await press('Show entries');
  const sumOf = async (name: string) => {
    await seen(pane.getByText(`on sheet “${name}”`));
    const used = await page.evaluate((sheet) => window.workbook.usedRange(sheet), name);
    const cells = await values(`'${name}'!G7:H${/\d+$/.exec(used!)}`);
    return cells.reduce<number>((sum, cell, index) => sum + Number(cell) * (index % 2 === 0 ? 100 : -100), 0);
  };
  const sums = [await sumOf('Account card 8- 1-1–31-3-2026'), await sumOf('Account card 8000 1-2–31-3-2026')];
  const isWithin = (from: string) => `line.date between '2026-${from}' and '2026-03-31'`;
  expect(sums.map((sum) => Math.round(sum) / 100)).toEqual([
    inDatabase(DEBIT_LESS_CREDIT, `line.ledger_account_number like '8%' and ${isWithin('01-01')}`),
    inDatabase(DEBIT_LESS_CREDIT, `line.ledger_account_number = '8000' and ${isWithin('02-01')}`),
  ]);
});

it('what the manifest names for the functions is served, in each language', async () => {
  for (const language of ['en', 'nl', 'fr']) {
    const response = await fetch(`${app.address}/taskpane/functions/functions-${language}.json`);
    expect(response.headers.get('content-type')).toContain('application/json');
    const { functions } = (await response.json()) as { functions: { id: string }[] };
    expect(functions.map(({ id }) => id)).toEqual(['BALANCE', 'TURNOVER', 'NAME', 'OPEN']);
  }
  const script = await fetch(`${app.address}/taskpane/functions/functions.js`);
  expect(script.headers.get('content-type')).toContain('javascript');
  const [, file] = /^import\('\.\.\/(.+)'\);/.exec(await script.text())!;
  expect((await fetch(`${app.address}/taskpane/${file}`)).status).toBe(200);
});

it('five thousand formulas ask in at most twenty requests, and none stays busy', async () => {
  await connect(pane, demo, 'Klant A');
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().includes('/ledger/figures')) requests += 1;
  });
  await pane.evaluate(() =>
    Excel.run(async (excel) => {
      const sheet = excel.workbook.worksheets.getActiveWorksheet();
      sheet.getRange('A1:J500').formulas = Array.from({ length: 500 }, (_, row) =>
        Array.from({ length: 10 }, (_, column) => {
          const month = String(column + 1).padStart(2, '0');
          return row % 2 === 0
            ? `=LEDGER.BALANCE("${4000 + row}:${4999 + row}","2026-${month}")`
            : `=LEDGER.TURNOVER("8*|4*","2025-${month}","2026-${month}")`;
        }),
      );
      await excel.sync();
    }),
  );
  await expect.poll(async () => (await values('A1:J500')).filter((value) => typeof value !== 'number')).toEqual([]);
  expect(requests).toBeGreaterThan(0);
  expect(requests).toBeLessThanOrEqual(20);
  const [first] = await values('J2');
  const isMeant = "(line.ledger_account_number like '8%' or line.ledger_account_number like '4%')";
  expect(first).toBe(inDatabase(DEBIT_LESS_CREDIT, `${isMeant} and line.date between '2025-10-01' and '2026-10-31'`));
});

it('figures stay without a connection, and the pane says that they are old until they are asked again', async () => {
  await connect(pane, demo, 'Klant A');
  await enter({ A1: figuresOf(1) });
  await expect.poll(async () => typeof (await values('A1'))[0]).toBe('number');
  const before = await values('A1');
  await context.route('**/ledger/figures*', (route) => route.abort());
  await enter({ A2: figuresOf(2) });
  await seen(pane.getByText(`The figures of ${DUTCH} in formulas are of`));
  await expect.poll(() => values('A1:A2')).toEqual([...before, '#N/A']);
  expect(await accessibilityErrors(pane)).toEqual([]);
  await context.unroute('**/ledger/figures*');
  await press('Recalculate formulas');
  const february = inDatabase(
    DEBIT_LESS_CREDIT,
    "line.ledger_account_number like '8%' and line.date between '2026-02-01' and '2026-10-31'",
  );
  await expect.poll(() => values('A1:A2')).toEqual([...before, february]);
  await expect.poll(() => pane.getByText('in formulas are of').count()).toBe(0);
});

it('figures that no formula asks for any more are not missed when the formulas are calculated again', async () => {
  await connect(pane, demo, 'Klant A');
  await context.route('**/ledger/figures*', (route) => route.abort());
  await enter({ A1: '=LEDGER.NAME("1300")' });
  const missed = pane.getByText(`Formulas could not get the figures of ${DUTCH}`);
  await seen(missed);
  await context.unroute('**/ledger/figures*');
  await press('Administrations');
  await connect(pane, belgianDemo, 'Klant B');
  await seen(missed);
  await press(`Use ${BELGIAN} in formulas`);
  await expect.poll(() => values('A1')).toEqual(['#VALUE!']);
  await expect.poll(() => missed.count()).toBe(0);
  expect(await pane.getByRole('button', { name: 'Recalculate formulas' }).count()).toBe(0);
});

it('the books of formulas stay those of the workbook when the pane connects to others, until the user chooses', async () => {
  await connect(pane, demo, 'Klant A');
  await enter({ A1: '=LEDGER.NAME("1300")' });
  await expect.poll(() => values('A1')).toEqual(['Debiteuren']);
  await press('Administrations');
  await connect(pane, belgianDemo, 'Klant B');
  await enter({ A2: '=LEDGER.NAME("1600")', A3: '=LEDGER.NAME("400000")', A4: '=LEDGER.NAME("400000","Klant B")' });
  await expect
    .poll(() => values('A1:A4'))
    .toEqual(['Debiteuren', 'Crediteuren', '#VALUE!', expect.stringMatching(/^[^#]/)]);
  await seen(pane.getByText(`Formulas in this workbook have the figures of ${DUTCH}.`));
  // Their figures are in the workbook, so sheets of others come into it after a question only.
  await press('Ledger accounts');
  await press('Bring in ledger accounts');
  const question = pane.getByRole('alertdialog', { name: 'Put two administrations into one workbook?' });
  await seen(question.getByText(DUTCH));
  await question.getByRole('button', { name: 'Cancel' }).click();
  await press('Back');
  await press(`Use ${BELGIAN} in formulas`);
  await expect
    .poll(() => values('A1:A4'))
    .toEqual(['#VALUE!', '#VALUE!', ...Array.from({ length: 2 }, () => expect.stringMatching(/^[^#]/))]);
  expect(await pane.getByText('Formulas in this workbook have').count()).toBe(0);

  // A name keeps meaning the books that it first meant, whatever gets that label.
  const rename = async (label: string, next: string) => {
    await press(`Rename ${label}`);
    await pane.getByRole('listitem').getByLabel('Label').fill(next);
    await press('Save');
  };
  await press('Administrations');
  await rename('Klant B', 'Klant C');
  await rename('Klant A', 'Klant B');
  await seen(pane.getByText(`“Klant B” in the formulas of this workbook is ${BELGIAN}.`));
  await enter({ A5: '=LEDGER.NAME("1300","klant b")', A6: '=LEDGER.NAME("400000","klant b")' });
  await expect.poll(() => values('A5:A6')).toEqual(['#VALUE!', expect.stringMatching(/^[^#]/)]);
  expect(await accessibilityErrors(pane)).toEqual([]);
  await press(`Use ${DUTCH} for “Klant B”`);
  await expect.poll(() => values('A4:A6')).toEqual(['#VALUE!', 'Debiteuren', '#VALUE!']);
  expect(await pane.getByText('in the formulas of this workbook is').count()).toBe(0);
});
