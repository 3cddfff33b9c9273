import { expect } from 'vitest';
import type { Database } from '../functions/administrations/builtin/sql/database.ts';
import { type EndpointName, endpointOf } from '../shared/api.ts';
import type { TestApp } from './app.ts';

/** All rows of all tables, in tables with administrations those of one: to check that nothing changed. */
export async function snapshot(db: Database, administrationId: bigint): Promise<Record<string, string[]>> {
  const tables = await db.introspection.getTables();
  const rows: Record<string, string[]> = {};
  for (const { name, columns } of tables) {
    const compared = columns.map((column) => column.name).filter((column) => !notCompared.includes(column));
    let all = db.selectFrom(name as 'product').select(compared as 'id'[]);
    if (compared.includes('administration_id')) all = all.where('administration_id', '=', administrationId);
    rows[name] = (await all.execute()).map((row) => JSON.stringify(row, textOfLongs)).sort();
  }
  return rows;
}

/** The content of a file never changes. The use of a key is not a change of an administration. */
const notCompared = ['content', 'last_used_on'];

const textOfLongs = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** The codes of the usual high and low tax, of sales and of purchases. */
const usualTax = {
  NL: {
    high: '21% - Hoog',
    low: '9% - Laag',
    purchaseHigh: '21% - Inkoop hoog',
    purchaseLow: '9% - Inkoop laag',
  },
  BE: {
    high: '21% - Normaal tarief',
    low: '6% - Verlaagd tarief',
    purchaseHigh: '21% - Aankoop normaal tarief',
    purchaseLow: '6% - Aankoop verlaagd tarief',
  },
} as const;

/** A furnished administration with a customer (7), a supplier (3) and two articles (0100 and 0200). */
export async function openShop(app: TestApp, country: 'NL' | 'BE' = 'NL') {
  const administration = await app.addAdministration({ country, furnished: true });
  const tax = usualTax[country];
  const customer = await administration.addRelation({
    name: 'Bakkerij Jansen',
    email: 'info@jansen.example',
    customerNumber: 7,
    row: {
      street: 'Coolsingel',
      unit: '1',
      unit_appendix: 'a',
      postal_code: '3011 AD',
      city: 'Rotterdam',
      country_code: country,
    },
    contacts: [
      { first_name: 'Piet', last_name: 'Smit', is_default: 0n },
      {
        first_name: 'Anna',
        last_name: 'Jansen',
        preposition: 'de',
        sex: 'Vrouw',
        email: 'anna@jansen.example',
        phone: '010-1234567',
        notes: 'achterom',
        is_default: 1n,
      },
    ],
  });
  const supplier = await administration.addRelation({
    name: 'Molen De Hoop',
    email: 'verkoop@dehoop.example',
    supplierNumber: 3,
    row: { street: 'Molenweg', unit: '12', postal_code: '1234 AB', city: 'Zaandam', country_code: country },
    contacts: [{ first_name: 'Jan', last_name: 'Mulder', preposition: 'van', sex: 'Man' }],
  });
  await administration.addProduct({
    articleNumber: '0100',
    ean: '8712345678906',
    name: 'Stoel',
    price: '12.50',
    purchasePrice: '7.25',
    stock: '10',
    taxCode: tax.high,
  });
  await administration.addProduct({ articleNumber: '0200', name: 'Brood', price: '3', stock: '100', taxCode: tax.low });

  const request = (name: EndpointName, body: object) => {
    const { method, path } = endpointOf(name);
    return administration.request(method, path, { body });
  };
  return {
    ...administration,
    customer,
    supplier,
    tax,
    /** The response to an accepted request; of a list, its only element. */
    // biome-ignore lint/suspicious/noExplicitAny: tests look into responses of every shape
    async accepted(name: EndpointName, body: object): Promise<any> {
      const { status, json, text } = await request(name, body);
      if (status !== 200) throw new Error(text);
      if (!Array.isArray(json)) return json;
      expect(json).toHaveLength(1);
      return json[0];
    },
    /** The paths of the errors of a refused request, which must have changed nothing. */
    async refused(name: EndpointName, body: object): Promise<string[]> {
      const before = await snapshot(app.db, administration.administrationId);
      const { status, json, text } = await request(name, body);
      expect(status, text).toBe(400);
      expect(json.errorCode).toBe('INVALID_REQUEST');
      expect(await snapshot(app.db, administration.administrationId)).toEqual(before);
      return json.errors.map(({ path }: { path: string }) => path);
    },
    /** An invoice with its lines, from the list of invoices. */
    // biome-ignore lint/suspicious/noExplicitAny: as above
    async listed(number: number): Promise<any> {
      const { json, text } = await administration.get(
        `/rest/listsalesinvoices?InvoiceNumber=${number}&InlcudeInvoiceLinesInResponse=true`,
      );
      if (json.length !== 1) throw new Error(text);
      return json[0];
    },
  };
}
