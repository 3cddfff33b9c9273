import { beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '../../../shared/client/client.ts';
import { type Relation, relation as relationSchema } from '../../../shared/resources/relation.ts';
import { type RelationExport, relationExport } from '../../../shared/resources/relationExport.ts';
import { noLedger, noVat } from '../../../testing/addin/noLedger.ts';
import { openTestWorkbook, type TestWorkbook } from '../../../testing/addin/workbook.ts';
import { defaultRetry } from '../../excel/batch.ts';
import type { Cell } from '../../excel/cell.ts';
import { tablesInWorkbook } from '../../excel/tables/tableMemory.ts';
import { messagesOf } from '../locales/messages.ts';
import { pullRelations, type RefreshContext, refreshPull } from './pulls.ts';

/*
 * The relations of an export in a simulated workbook, under Microsoft's own client.
 */

let excel: TestWorkbook;
beforeEach(() => {
  excel = openTestWorkbook();
});

const relation = (RelationGUID: string, fields: object = {}): Relation =>
  relationSchema.parse({ RelationGUID, Name: `Relation ${RelationGUID}`, ...fields });

type TestExport = { date: string; state?: RelationExport['state']; relations?: readonly Relation[] };

/** Exports, the latest first, whose relations arrive two at a time. */
const exportsOf = (...exports: TestExport[]): RefreshContext['exports'] => ({
  list: async () =>
    exports.map(({ date, state = 'published' }) =>
      relationExport.parse({ administration: 'a', date, state, startedOn: Date.parse(date.slice(0, 10)) / 1000 }),
    ),
  async *relations({ date }, signal) {
    const { relations = [] } = exports.find((one) => one.date === date)!;
    for (let start = 0; start < relations.length; start += 2) {
      signal?.throwIfAborted();
      yield relations.slice(start, start + 2);
    }
  },
});

const contextOf = (exports: RefreshContext['exports'], more: Partial<RefreshContext> = {}): RefreshContext => ({
  client: {} as Client,
  ledger: noLedger,
  vat: noVat,
  exports,
  messages: messagesOf.en,
  administration: { id: 'c1', label: 'Bakkerij Jansen' },
  ...more,
});

const column = (sheet: string, heading: string): Cell[] => {
  const [headings, ...rows] = excel.cells(sheet);
  return rows.map((cells) => cells[headings!.indexOf(heading)]!);
};
const sheets = () => excel.workbook.sheets.map(({ name }) => name);

describe('The relations of an export', () => {
  it('are written with the right kind of cell for every field, and no text is evaluated', async () => {
    const fields = {
      Name: "=cmd|' /C calc'!A0",
      Phone: '+31612345678',
      Address_PostalCode: '0100',
      CustomerNumber: 12,
      SupplierNumber: 0,
      TaxIdentificationNumber: '0123456749',
      IsCustomer: true,
      IsSupplier: false,
      CreatedOn: 1_767_225_600,
    };
    await pullRelations(
      contextOf(exportsOf({ date: '2026-11-21', relations: [relation('9007199254740993123', fields)] })),
      {},
    );
    const [headings, cells] = excel.cells('Relations');
    expect(Object.fromEntries(headings!.map((heading, index) => [heading, cells![index]]))).toMatchObject({
      'Relation ID': '9007199254740993123',
      Name: "=cmd|' /C calc'!A0",
      Phone: '+31612345678',
      'Postal code': '0100',
      'Customer number': '12',
      'Supplier number': '',
      'VAT number': '0123456749',
      Customer: true,
      Supplier: false,
      Other: '',
    });
    const formats = excel.formats('Relations', 1);
    expect(formats.slice(0, 16)).toEqual(new Array(16).fill('@'));
    expect(formats[headings!.indexOf('Created on')]).toBe('dd-mm-yyyy hh:mm');
  });

  it('of the latest export are refreshed from the newest complete one', async () => {
    const first = { date: '2026-11-20', relations: [relation('1'), relation('2'), relation('3')] };
    await pullRelations(contextOf(exportsOf(first)), {});
    const second = { date: '2026-11-21', relations: [relation('1'), relation('3', { Name: 'New' }), relation('4')] };
    const unfinished: TestExport[] = [
      { date: '2026-11-23', state: 'running' },
      { date: '2026-11-22', state: 'failed' },
    ];
    const [table] = await tablesInWorkbook();
    const written = await refreshPull(contextOf(exportsOf(...unfinished, second, first)), table!.memory);
    const dataAt = '2026-11-21T00:00:00.000Z';
    expect(table!.memory.dataAt).toBe('2026-11-20T00:00:00.000Z');
    expect(written).toMatchObject([{ sheetName: 'Relations', rows: 3, added: 1, changed: 1, removed: 1, dataAt }]);
    // The moment of the refresh is not that of the data.
    const [refreshed] = await tablesInWorkbook();
    expect(refreshed!.memory).toMatchObject({ dataAt, pulledAt: expect.not.stringContaining(dataAt) });
    expect(column('Relations', 'Name')).toEqual(['Relation 1', 'New', 'Relation 4']);
    expect(sheets()).toEqual(['Sheet1', 'Relations']);
  });

  it('of an older export are on their own sheet, which a refresh does not change', async () => {
    const older = { date: '2026-11-20', relations: [relation('1')] };
    const newer = { date: '2026-11-21-2', relations: [relation('1'), relation('2')] };
    const context = contextOf(exportsOf(newer, older));
    await pullRelations(context, {});
    await pullRelations(context, { date: older.date });
    expect(sheets()).toEqual(['Sheet1', 'Relations', 'Relations 2026-11-20']);
    const table = (await tablesInWorkbook()).find(({ sheetName }) => sheetName !== 'Relations');
    await refreshPull(contextOf(exportsOf({ date: '2026-11-22' }, newer, older)), table!.memory);
    expect(column('Relations 2026-11-20', 'Relation ID')).toEqual(['1']);
  });

  it('change nothing in the workbook when no export is complete', async () => {
    const exports = exportsOf({ date: '2026-11-21', state: 'running' });
    await expect(pullRelations(contextOf(exports), {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(sheets()).toEqual(['Sheet1']);
  });

  it('leave no sheet when their pull is cancelled', async () => {
    const relations = Array.from({ length: 9 }, (_, index) => relation(String(index)));
    const stop = new AbortController();
    const context = contextOf(exportsOf({ date: '2026-11-21', relations }), {
      retry: { ...defaultRetry, signal: stop.signal },
      onFetched: ({ rows }) => rows === 4 && stop.abort(),
    });
    await expect(pullRelations(context, {})).rejects.toMatchObject({ name: 'AbortError' });
    expect(sheets()).toEqual(['Sheet1']);
  });
});
