import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../shared/client/client.ts';
import { noLedger, noVat } from '../../../testing/addin/noLedger.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { storeAdministration, type TableHandle, tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { messagesOf } from '../locales/messages.ts';
import { accounts } from '../pulledLists/accounts.ts';
import { type PullContext, pullList } from './pulls.ts';

/* The columns of a sheet that the user chooses. */

let excel: TestWorkbook;
let name: string;
const client = {
  listledgeraccounts: async () => [
    {
      Number: '0100',
      Name: name,
      FiscalYear: '2026',
      LedgerType: 'BalanceSheet',
      Countrycode: 'NL',
      DebetOrCredit: 'debet',
    },
    {
      Number: '4000',
      Name: 'Wages',
      FiscalYear: '2026',
      LedgerType: 'BalanceSheet',
      Countrycode: 'NL',
      DebetOrCredit: 'debet',
    },
  ],
} as unknown as Client;
const context: PullContext = {
  client,
  ledger: noLedger,
  vat: noVat,
  messages: messagesOf.en,
  administration: { id: 'c1', label: 'Bakkerij Jansen' },
};
const pull = (...columns: string[]) =>
  pullList(columns.length === 0 ? context : { ...context, columns: { [accounts.table.name]: columns } }, accounts, {});
const cells = () => excel.cells('Ledger accounts');

beforeEach(() => {
  excel = openTestWorkbook();
  name = 'Cash';
});

describe('The columns of a sheet', () => {
  it('are those that the user chose, in the chosen order, and stay so when it is refreshed', async () => {
    await pull('Name', 'FiscalYear', 'Number');
    const expected = [
      ['Name', 'Fiscal year', 'Number'],
      ['Cash', '2026', '0100'],
      ['Wages', '2026', '4000'],
    ];
    expect(cells().map((row) => row.map(String))).toEqual(expected);
    name = 'Petty cash';
    await pull();
    expect(cells().map((row) => row.map(String))).toEqual([expected[0], ['Petty cash', '2026', '0100'], expected[2]]);
  });

  it('are added and removed in a sheet that exists, beside those of the user', async () => {
    await pull('FiscalYear', 'Number', 'Name');
    await Excel.run(async (request) => {
      request.workbook.tables.getItemAt(0).columns.add(undefined, [['Type'], ['ask'], ['']]);
      await request.sync();
    });
    const [written] = await pull('FiscalYear', 'Number', 'LedgerType');
    expect(written).toMatchObject({ work: 'refreshed', changed: 2, added: 0, removed: 0 });
    expect(cells().map((row) => row.map(String))).toEqual([
      ['Fiscal year', 'Number', 'Type', 'Type (2)'],
      ['2026', '0100', 'ask', 'Balance sheet'],
      ['2026', '4000', '', 'Balance sheet'],
    ]);
    // A refresh finds the columns again, and adds none that was removed.
    expect((await pull())[0]).toMatchObject({ changed: 0, added: 0, removed: 0 });
    expect(cells()[0]).toEqual(['Fiscal year', 'Number', 'Type', 'Type (2)']);
  });

  it('are refreshed again when the user undoes that one was removed', async () => {
    await pull('FiscalYear', 'Number', 'Name');
    await pull('FiscalYear', 'Number');
    expect(cells()[0]).toEqual(['Fiscal year', 'Number']);
    while (cells()[0]!.length < 3) excel.undo();
    name = 'Petty cash';
    await pull();
    expect(cells().map((row) => row.map(String))).toEqual([
      ['Fiscal year', 'Number', 'Name'],
      ['2026', '0100', 'Petty cash'],
      ['2026', '4000', 'Wages'],
    ]);
    await pull('FiscalYear', 'Number', 'Name', 'LedgerType');
    expect(cells()[0]).toEqual(['Fiscal year', 'Number', 'Name', 'Type']);
    await pull('FiscalYear', 'Number', 'LedgerType');
    expect(cells()[0]).toEqual(['Fiscal year', 'Number', 'Type']);
  });

  it('take no column of the user for one that they removed', async () => {
    await pull('FiscalYear', 'Number', 'Name');
    await pull('FiscalYear', 'Number');
    await Excel.run(async (request) => {
      request.workbook.tables.getItemAt(0).columns.add(undefined, [['Name'], ['ask'], ['']]);
      await request.sync();
    });
    await pull();
    expect(cells().map((row) => row.map(String))).toEqual([
      ['Fiscal year', 'Number', 'Name'],
      ['2026', '0100', 'ask'],
      ['2026', '4000', ''],
    ]);
  });

  it('are refreshed when another window chose them while this one pulled the same sheet', async () => {
    await pull('FiscalYear', 'Number', 'Name');
    // The first page has arrived, and the table is found, when the other window begins and ends.
    async function* pages(...asked: Parameters<typeof accounts.pages>) {
      for await (const page of accounts.pages(...asked)) {
        yield page;
        await pull('Number', 'Name', 'LedgerType');
      }
    }
    await pullList(context, { ...accounts, pages }, {});
    expect(cells()[0]).toEqual(['Number', 'Name', 'Type']);
    await Excel.run(async (request) => {
      const types = request.workbook.tables.getItemAt(0).columns.getItem('Type').getDataBodyRange();
      types.values = [['stale'], ['stale']];
      await request.sync();
    });
    await pull();
    expect(cells().map((row) => row.map(String))).toEqual([
      ['Number', 'Name', 'Type'],
      ['0100', 'Cash', 'Balance sheet'],
      ['4000', 'Wages', 'Balance sheet'],
    ]);
  });

  it('are still those of the sheet when the user confirms its administration, which was asked before', async () => {
    await pull('FiscalYear', 'Number', 'Name');
    const asked = await tablesInWorkbook();
    await pull('Number', 'Name', 'LedgerType');
    await storeAdministration(asked, { ...context.administration, name: 'Bakkerij Jansen BV' });
    const [{ memory }] = (await tablesInWorkbook()) as [TableHandle];
    expect(memory.columns.map(({ key }) => key).sort()).toEqual(['LedgerType', 'Name', 'Number']);
    expect(memory.administration.name).toBe('Bakkerij Jansen BV');
  });
});
