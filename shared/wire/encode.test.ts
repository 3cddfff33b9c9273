import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { responseArbitrary } from '../../testing/endpointArbitraries.ts';
import { endpointNames, endpointOf } from '../api.ts';
import { materialBooking } from '../resources/materialBooking.ts';
import { product } from '../resources/product.ts';
import { relation } from '../resources/relation.ts';
import { salesInvoice } from '../resources/salesInvoice.ts';
import { taxCode } from '../resources/taxCode.ts';
import { encode, transcodeList } from './encode.ts';
import { parseJson } from './json.ts';
import * as response from './response.ts';

describe('a response on the wire', () => {
  it('has the percentage of a tax code as a string with a decimal', () => {
    const read = taxCode.parse({
      TaxExempt: 'False',
      TaxPc: 21,
      TaxCode: '21% - Hoog',
      Name: 'Hoog',
      TaxType: 'sales',
    });
    expect(JSON.parse(encode(taxCode, read))).toEqual({
      TaxExempt: false,
      TaxPc: '21.0',
      TaxCode: '21% - Hoog',
      Name: 'Hoog',
      TaxType: 'Sales',
    });
  });

  it('has the quantity of a material booking with eight decimals, and its date as a number', () => {
    const read = materialBooking.parse({ Quantity: '0E-8', EntryDate: '1700000000000', Product_PurchasePrice: 2.5 });
    const written = JSON.parse(encode(materialBooking, read));
    expect(written.Quantity).toBe('0.00000000');
    expect(written.EntryDate).toBe(1700000000000);
    expect(written.Product_PurchasePrice).toBe('2.5');
  });

  it('has the dates of an invoice as dd-MM-yyyy, and an empty one as an empty string', () => {
    const read = salesInvoice.parse({ InvoiceDate: '5-2-2026', InvoiceDueDate: '' });
    expect(read.InvoiceDate).toBe('2026-02-05');
    const written = JSON.parse(encode(salesInvoice, read));
    expect(written.InvoiceDate).toBe('05-02-2026');
    expect(written.InvoiceDueDate).toBe('');
  });

  it('has no lines and no PDF when they were not requested', () => {
    const written = JSON.parse(encode(salesInvoice, salesInvoice.parse({ InvoiceNumber: 1 })));
    expect(written).not.toHaveProperty('Invoice_InvoiceLine');
    expect(written).not.toHaveProperty('InvoicePDFBase64');
  });

  it('has a PDF of any size', () => {
    const pdf = 'QUJD'.repeat(500_000);
    const written = encode(salesInvoice, salesInvoice.parse({ InvoicePDFBase64: pdf }));
    expect(JSON.parse(written).InvoicePDFBase64).toBe(pdf);
  });

  it.each(['9007199254740993', '9223372036854775807'])(
    'has the RelationGUID %s as a number with every digit',
    (guid) => {
      for (const form of [guid, `"${guid}"`]) {
        const read = relation.parse(parseJson(`{"RelationGUID":${form}}`));
        expect(read.RelationGUID).toBe(guid);
        expect(encode(relation, read)).toContain(`"RelationGUID":${guid},`);
      }
    },
  );

  it('has all fields of a resource, also those without a value', () => {
    const written = JSON.parse(encode(product, product.parse({ Name: 'Hamer' })));
    expect(written).toMatchObject({
      Name: 'Hamer',
      EAN: '',
      Price: null,
      CreatedOn: null,
      ProductResponse_CustomField: [],
    });
  });

  it('has undocumented fields, with every digit', () => {
    const read = product.parse(parseJson('{"Weight":9007199254740993.125,"Nested":{"Id":[9223372036854775807]}}'));
    const written = encode(product, read);
    expect(written).toContain('"Weight":9007199254740993.125');
    expect(written).toContain('"Nested":{"Id":[9223372036854775807]}');
  });

  it('is read from the documented type of a field and from that of the examples', () => {
    const [account] = endpointOf('listledgeraccounts').response.parse([
      { Number: 8000, FiscalYear: true, LedgerType: 1.5, DebetOrCredit: 'Debet' },
    ]) as [Record<string, unknown>];
    expect(account).toMatchObject({ Number: '8000', FiscalYear: 'true', LedgerType: '1.5', DebetOrCredit: 'debet' });
    const invoice = salesInvoice.parse({
      InvoiceNumber: '12',
      Invoice_InvoiceLine: [{ Quantity: '2.00', UnitPriceExclTax: 1.5, IsTextLine: 'true', TaxPc: '21.0' }],
      Invoice_Contact: [{ DefaultContact: 'False' }],
    });
    expect(invoice).toMatchObject({
      InvoiceNumber: '12',
      Invoice_InvoiceLine: [{ Quantity: '2', UnitPriceExclTax: '1.5', IsTextLine: true, TaxPc: '21' }],
      Invoice_Contact: [{ DefaultContact: false }],
    });
    const [booking] = endpointOf('listprojectmaterialbooking').response.parse([{ MaterialBookings_Project: null }]) as [
      Record<string, unknown>,
    ];
    expect(booking.MaterialBookings_Project).toMatchObject({ Name: '', Number: null });
  });

  it.each([undefined, null, '', {}, []])(
    'that is %j is read as an empty list by an endpoint with a list',
    (nothing) => {
      const list = response.list(product);
      expect(encode(list, list.parse(nothing))).toBe('[]');
    },
  );

  it('that is one object is read as a list of one by an endpoint with a list, and the reverse', () => {
    expect(response.list(product).parse({ Name: 'Hamer' })).toMatchObject([{ Name: 'Hamer' }]);
    expect(response.one(product).parse([{ Name: 'Hamer' }])).toMatchObject({ Name: 'Hamer' });
  });

  it('is JSON text with the same values, for any text and numbers', () => {
    const schema = response.list(
      response.record(() => ({
        Text: response.text(),
        Price: response.decimal(),
        Shown: response.decimal('string', 2),
        Long: response.long(),
        Count: response.integer(),
        Flag: response.boolean(),
        Day: response.date(),
        DayOrNull: response.dateOrNull(),
      })),
    );
    const cents = fc.integer({ min: -(10 ** 9), max: 10 ** 9 });
    const day = fc.option(
      fc.tuple(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1000, max: 9999 })),
    );
    const two = (n: number) => String(n).padStart(2, '0');
    const row = fc.record({
      text: fc.string({ unit: 'binary' }),
      cents,
      long: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      count: fc.integer(),
      flag: fc.option(fc.boolean()),
      day,
      extra: fc.jsonValue(),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        const written = encode(
          schema,
          schema.parse(
            rows.map(({ text, cents, long, count, flag, day, extra }) => ({
              Text: text,
              Price: cents / 100,
              Shown: (cents / 100).toFixed(2),
              Long: long,
              Count: String(count),
              Flag: flag,
              Day: day?.join('-'),
              DayOrNull: day?.join('-'),
              Extra: extra,
            })),
          ),
        );
        const expected = rows.map(({ text, cents, long, count, flag, day, extra }) => {
          const date = day === null ? undefined : `${two(day[0])}-${two(day[1])}-${day[2]}`;
          return {
            Text: text,
            Price: cents / 100 || 0,
            Shown: cents === 0 ? '0.00' : (cents / 100).toFixed(2),
            Long: Number(long),
            Count: count,
            Flag: flag,
            Day: date ?? '',
            DayOrNull: date ?? null,
            Extra: extra,
          };
        });
        expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(expected)));
        for (const { long } of rows) expect(written).toContain(`"Long":${long},`);
      }),
    );
  });

  it.each(endpointNames.filter((name) => endpointOf(name).method === 'GET'))(
    'of %s that was received is written at once as the value that the schema reads, unless that refuses it',
    (name) => {
      const schema = endpointOf(name).response;
      const received = fc
        .tuple(responseArbitrary(name) as fc.Arbitrary<object[]>, fc.option(fc.jsonValue()), fc.nat())
        .map(([[first, ...others], changed, at]) => {
          const names = Object.keys(first!);
          const field = names[at % (names.length + 1)];
          if (changed === null) return [first, ...others];
          return field === undefined ? changed : [{ ...first, [field]: changed }, ...others];
        });
      let refused = 0;
      fc.assert(
        fc.property(received, (sent) => {
          const value = parseJson(JSON.stringify(sent));
          const read = schema.safeParse(value);
          if (!read.success) refused++;
          expect(transcodeList(schema, value)?.json).toBe(read.success ? encode(schema, read.data) : undefined);
        }),
        { numRuns: 200, examples: [[[JSON.parse('{"__proto__":{"Name":"A"}}')]]] },
      );
      expect(refused).toBeGreaterThan(0);
    },
  );

  it.each(endpointNames)('of %s has the same value after it was written and read', (name) => {
    const schema = endpointOf(name).response;
    fc.assert(
      fc.property(responseArbitrary(name), (sent) => {
        const read = schema.parse(parseJson(JSON.stringify(sent)));
        const written = encode(schema, read);
        expect(() => JSON.parse(written)).not.toThrow();
        expect(schema.parse(parseJson(written))).toEqual(read);
        expect(encode(schema, schema.parse(parseJson(written)))).toBe(written);
      }),
      { numRuns: 30 },
    );
  });
});
