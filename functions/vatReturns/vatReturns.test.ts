import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createVatClient } from '../../shared/client/vatClient.ts';
import { Problem } from '../../shared/problem.ts';
import { startApp, type TestApp } from '../../testing/app.ts';
import { openShop, type Shop } from '../../testing/shop.ts';
import { issueKey } from '../administrations/builtin/credentials/keys.ts';
import { fileVatReturn, type VatOrder, vatText } from '../administrations/builtin/vat/vatReader.ts';

/* The VAT return over HTTP. */

let app: TestApp;
let shop: Shop;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.setTime(Date.UTC(2026, 9, 20, 11) / 1000);
  shop = await openShop(app);
});

const sell = (InvoiceDate: string, SubTotalInclTax: number, TaxCode = '21% - Hoog') =>
  shop.accepted('addsalestransaction', {
    CustomerNumber: 7,
    InvoiceDate,
    Invoice_InvoiceLine: [{ SubTotalInclTax, TaxCode }],
  });
const clientOf = ({ credential }: Pick<Shop, 'credential'>) => createVatClient({ base: app.url, credential, fetch });
const linesOf = async (period: string) => (await Array.fromAsync(clientOf(shop).vatLines(period))).flat();
const boxesOf = async (period: string) => {
  const { boxes } = await clientOf(shop).vatReturn(period);
  return boxes.filter(({ exact }) => exact !== '0').map(({ box, part, exact }) => `${box} ${part} ${exact}`);
};

describe('a VAT return over HTTP', () => {
  it('has its boxes, its listing and its remarks, and lines that add up to the boxes', async () => {
    await sell('01-07-2026', 121);
    await sell('30-09-2026', 60.5);
    await sell('30-09-2026', 50, '0% - Goederen naar EU-landen');
    await sell('01-10-2026', 999);
    await shop.accepted('addpurchasetransaction', {
      SupplierNumber: 3,
      InvoiceDate: '15-08-2026',
      Invoice_InvoiceLine: [{ SubTotalInclTax: 100, TaxCode: '0% - Inkoop verlegd binnenland' }],
    });
    const found = await clientOf(shop).vatReturn('2026-q3');
    expect(found).toMatchObject({
      period: '2026-Q3',
      from: '2026-07-01',
      to: '2026-09-30',
      country: 'NL',
      rounding: 'nearest',
      filedOn: null,
      listing: [{ name: 'Bakkerij Jansen', nature: 'goods', amount: '50' }],
      listingTotal: '50',
    });
    expect(found.boxes).toContainEqual({
      box: '1a',
      name: 'Leveringen/diensten belast met hoog tarief',
      part: 'tax',
      exact: '31.5',
      declared: '32',
    });
    expect(found.remarks.map(({ code }) => code)).toEqual(['NO_VAT_NUMBER']);
    const lines = await linesOf('2026-Q3');
    const sums = new Map<string, number>();
    for (const { box, part, amount } of lines) {
      sums.set(`${box} ${part}`, (sums.get(`${box} ${part}`) ?? 0) + Math.round(Number(amount) * 100));
    }
    for (const { box, part, exact } of found.boxes) {
      if (['5a', '5g'].includes(box!)) continue;
      expect([box, part, sums.get(`${box} ${part}`) ?? 0]).toEqual([box, part, Math.round(Number(exact) * 100)]);
    }
    expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length);
  });

  it('has every line once over several pages, also when one day has more than a page', async () => {
    for (let day = 1; day <= 12; day++) {
      for (let one = 0; one < 5; one++) await sell(`${String(day).padStart(2, '0')}-08-2026`, 121);
    }
    const lines = await linesOf('2026-08');
    expect(lines).toHaveLength(120);
    expect(lines.map(({ date }) => date)).toEqual(lines.map(({ date }) => date).toSorted());
  });

  it('has what came later once after a month and its quarter were filed both, also page by page', async () => {
    await clientOf(shop).file('2026-07');
    await clientOf(shop).file('2026-Q3');
    app.setTime(Date.UTC(2026, 9, 21, 11) / 1000);
    await sell('15-07-2026', 121);
    await sell('01-10-2026', 12.1);
    expect(await boxesOf('2026-Q4')).toContain('1a base 110');
    const lines = await linesOf('2026-Q4');
    expect(lines.map(({ date, part, amount }) => `${date} ${part} ${amount}`)).toEqual([
      '2026-10-01 base 10',
      '2026-10-01 tax 2.1',
      '2026-07-15 base 100',
      '2026-07-15 tax 21',
    ]);
  });

  it('once filed, says so, keeps later documents for the next return, and cannot be filed again', async () => {
    await sell('30-09-2026', 121);
    const filed = await clientOf(shop).file('2026-Q3');
    expect(filed.filedOn).toBe(String(Date.UTC(2026, 9, 20, 11) / 1000));
    await expect(clientOf(shop).file('2026-Q3')).rejects.toMatchObject({ code: 'CONFLICT' });
    app.setTime(Date.UTC(2026, 9, 21, 11) / 1000);
    await sell('29-09-2026', 242);
    expect(await boxesOf('2026-Q3')).toContain('1a tax 21');
    expect(await boxesOf('2026-10')).toContain('1a tax 42');
    expect(await linesOf('2026-10')).toMatchObject([
      { date: '2026-09-29', isLate: true, kind: 'sales' },
      { date: '2026-09-29', isLate: true },
    ]);
  });

  /** A purchase of 121 and 60.50, on two accounts. */
  const buyOnTwoAccounts = (InvoiceDate: string, TaxCode: string) =>
    shop.accepted('addpurchasetransaction', {
      SupplierNumber: 3,
      InvoiceDate,
      Invoice_InvoiceLine: [
        { SubTotalInclTax: 121, TaxCode, LedgerAccountNumber: '7000' },
        { SubTotalInclTax: 60.5, TaxCode, LedgerAccountNumber: '4000' },
      ],
    });

  it('has a document on several accounts in one line, also without a box', async () => {
    await shop.addTaxCode({ percentage: '21', name: 'Eigen', type: 'Purchase' });
    await buyOnTwoAccounts('15-08-2026', '21% - Eigen');
    const { remarks } = await clientOf(shop).vatReturn('2026-Q3');
    expect(remarks).toMatchObject([
      { code: 'UNMAPPED', values: ['Purchase', '21% - Eigen', '150.00', '31.50', '1', '0'] },
    ]);
    expect(await linesOf('2026-Q3')).toMatchObject([{ box: '', amount: '150', base: '150', tax: '31.5' }]);
  });

  it('says of a later document on several accounts that it is late', async () => {
    await clientOf(shop).file('2026-Q3');
    app.setTime(Date.UTC(2026, 9, 21, 11) / 1000);
    await buyOnTwoAccounts('15-08-2026', '21% - Inkoop hoog');
    expect(await linesOf('2026-10')).toMatchObject([{ box: '5b', amount: '31.5', isLate: true }]);
  });

  it('that was filed, and cannot be read afterwards, is not said to be unchanged', async () => {
    const administration = await app.db
      .selectFrom('administration')
      .where('id', '=', shop.administrationId)
      .selectAll()
      .executeTakeFirstOrThrow();
    const author = { origin: 'rest', key: null, action: 'vat/filed' } as const;
    const context = { db: app.db, administration, now: () => 1n, today: () => '2026-10-20' as const, author };
    const lostAfterwards = async (order: VatOrder) => {
      if (order.name === 'vatReturn') throw new Problem('UNAVAILABLE', 'Nothing was changed.');
      return Buffer.from(await vatText(app.db, order));
    };
    await expect(fileVatReturn(context, lostAfterwards, { Period: '2026-Q3' })).rejects.toMatchObject({
      code: 'INTERNAL',
      message: 'The return was filed, but cannot be shown at the moment.',
    });
    expect((await clientOf(shop).vatReturn('2026-Q3')).filedOn).toBe('1');
  });

  it('is filed only with the figures that were looked at, and so is a supplement', async () => {
    const client = clientOf(shop);
    await sell('30-09-2026', 121);
    const { figures } = await client.vatReturn('2026-Q3');
    await sell('30-09-2026', 242);
    await expect(client.file('2026-Q3', { figures })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await client.vatReturn('2026-Q3')).filedOn).toBeNull();
    await expect(client.vatReturn('2026-Q3', { isSupplement: true })).rejects.toMatchObject({ code: 'CONFLICT' });
    const seen = await client.vatReturn('2026-Q3');
    await client.file('2026-Q3', { figures: seen.figures });

    app.setTime(Date.UTC(2026, 9, 21, 11) / 1000);
    await sell('29-09-2026', 1210);
    const present = await client.vatReturn('2026-Q3');
    expect(present.figures).toBe(seen.figures);
    const supplement = await client.vatReturn('2026-Q3', { isSupplement: true });
    expect(supplement.boxes).toContainEqual(expect.objectContaining({ box: '1a', part: 'tax', exact: '273' }));
    await expect(client.file('2026-Q3', { isSupplement: true, figures: present.figures })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const filed = await client.file('2026-Q3', { isSupplement: true, figures: supplement.figures });
    expect(filed.figures).toBe(supplement.figures);
  });

  it('of Belgium is a file for Intervat too, of a month or a quarter, when all is known that it says', async () => {
    const belgian = await openShop(app, 'BE');
    await belgian.accepted('addsalestransaction', {
      CustomerNumber: 7,
      InvoiceDate: '30-09-2026',
      Invoice_InvoiceLine: [{ SubTotalInclTax: 121, TaxCode: belgian.tax.high }],
    });
    const client = clientOf(belgian);
    const errorsOf = (asked: Promise<unknown>) =>
      asked.then(
        () => [],
        ({ errors }: Problem) => errors.map(({ path, code }) => `${path} ${code}`),
      );
    await app.db
      .updateTable('administration')
      .set({ phone: '', email: 'info@example.com', vat_number: 'BE0417497106' })
      .where('id', '=', belgian.administrationId)
      .execute();
    const known = { street: 'Kade', unit: '1', postal_code: '9000', city: 'Gent' };
    await app.db.updateTable('administration').set(known).where('id', '=', belgian.administrationId).execute();
    expect(await errorsOf(client.intervat({ period: '2026-Q3' }))).toEqual(['Phone NEEDED_FOR_INTERVAT']);
    await app.db
      .updateTable('administration')
      .set({ phone: '+32 9 555 01 20' })
      .where('id', '=', belgian.administrationId)
      .execute();
    expect(await errorsOf(client.intervat({ period: '2026' }))).toEqual(['period NOT_MONTH_OR_QUARTER']);
    expect(await errorsOf(clientOf(shop).intervat({ period: '2026-Q3' }))).toEqual(['country NOT_BELGIAN_RETURN']);
    const written = await (await client.intervat({ period: '2026-Q3', refund: true, noClients: true })).text();
    const { VATConsignment } = new XMLParser({ ignoreAttributes: false, removeNSPrefix: true }).parse(written);
    const { Declarant, Period, Data, ClientListingNihil, Ask } = VATConsignment.VATDeclaration;
    expect(Declarant).toMatchObject({ Street: 'Kade 1', City: 'Gent' });
    expect(Period).toEqual({ Quarter: 3, Year: 2026 });
    expect(Data.Amount).toEqual([
      { '@_GridNumber': '3', '#text': 100 },
      { '@_GridNumber': '54', '#text': 21 },
      { '@_GridNumber': '71', '#text': 21 },
    ]);
    expect([ClientListingNihil, Ask['@_Restitution']]).toEqual(['YES', 'YES']);
    const { headers } = await belgian.get('/vat/intervat?period=2026-q3');
    expect(headers['content-disposition']).toBe('attachment; filename="vat-2026-Q3.xml"');
  });

  it('is refused for what is no period, for a wrong mark of a page, and filing for a key that may only read', async () => {
    for (const period of ['', '2026-13', '2026-Q5', '2026-07-01', 'x'.repeat(11)]) {
      await expect(clientOf(shop).vatReturn(period)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    }
    expect((await shop.get('/vat/lines?period=2026&after=later')).status).toBe(400);
    const username = 'reads@example.com';
    const apiKey = await issueKey(app.db, {
      administrationId: shop.administrationId,
      username,
      label: '',
      now: 1n,
      scope: 'read',
    });
    const reader = clientOf({ credential: { apiKey, username } });
    expect((await reader.vatReturn('2026-Q3')).period).toBe('2026-Q3');
    await expect(reader.file('2026-Q3')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await shop.get('/vat/return?period=2026-Q3')).json.filedOn).toBeNull();
  });

  it('has the books of its own administration only, and is described', async () => {
    await sell('30-09-2026', 121);
    const other = await openShop(app);
    const { boxes } = await clientOf(other).vatReturn('2026-Q3');
    expect(boxes.every(({ exact }) => exact === '0')).toBe(true);
    const { paths } = (await shop.get('/rest/openapi.json')).json;
    for (const path of ['/vat/return', '/vat/lines', '/vat/intervat', '/vat/filed'])
      expect(paths).toHaveProperty([path]);
  });

  it.each(['return', 'lines', 'intervat'])(
    'is described by /vat/%s as one of a period, which it needs',
    async (name) => {
      const { parameters } = (await shop.get('/rest/openapi.json')).json.paths[`/vat/${name}`].get;
      expect(parameters.flatMap((one: { name: string; required?: boolean }) => (one.required ? one.name : []))).toEqual(
        ['period'],
      );
      const { status, json } = await shop.get(`/vat/${name}`);
      expect([status, json.errors[0].path]).toEqual([400, 'period']);
    },
  );
});
