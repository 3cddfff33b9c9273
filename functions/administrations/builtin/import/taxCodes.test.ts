import { describe, expect, test } from 'vitest';
import { importInto, problemsOf } from '../../../../testing/builtin/imports.ts';

describe('an import of tax codes', () => {
  test('makes codes of percentage and name, apart for sales and purchases', async () => {
    const { db, administrationId, load } = await importInto();
    const table = `
      TaxPc | Name       | TaxType  | TaxExempt | TaxCode
      21.0  | Bijzonder  | Sales    |           |
      21    | Bijzonder  | Purchase | false     |
      0     | Bijzonder  | Sales    | True      | VRIJ`;
    expect(await load('tax-codes', table)).toMatchObject({ problems: [], counts: { added: 3 } });
    expect(await load('tax-codes', table)).toMatchObject({ problems: [], counts: { added: 0, unchanged: 3 } });
    const rows = await db
      .selectFrom('tax_code')
      .where('administration_id', '=', administrationId)
      .where('name', '=', 'Bijzonder')
      .orderBy('id')
      .select(['code', 'tax_type', 'percentage', 'tax_exempt'])
      .execute();
    expect(rows).toEqual([
      { code: '21% - Bijzonder', tax_type: 'Sales', percentage: 2_100_000_000n, tax_exempt: 0n },
      { code: '21% - Bijzonder', tax_type: 'Purchase', percentage: 2_100_000_000n, tax_exempt: 0n },
      { code: 'VRIJ', tax_type: 'Sales', percentage: 0n, tax_exempt: 1n },
    ]);
  });

  test('refuses a percentage over a hundred, an exempt code with tax, and a repeated code', async () => {
    const { load } = await importInto();
    const result = await load(
      'tax-codes',
      `
      TaxPc | Name | TaxType | TaxExempt
      121   | A    | Sales   |
      9     | B    | Sales   | 1
      9     | B    | Sales   | 0`,
    );
    expect(problemsOf(result)).toEqual([
      '2 TaxPc: expected at most 100, got 121',
      '3 TaxPc: expected 0, as the code is exempt, got 9',
      '4 TaxCode: expected the Sales tax code "9% - B" once, but it stands on line 3 as well',
    ]);
  });
});

test('rules of Belgian purchases may name the kind of purchase as a box, and those of sales may not', async () => {
  const { load } = await importInto('BE');
  const rules = `
    TaxType  | TaxCode                      | Document | BaseBoxes | OwedBoxes
    Purchase | 21% - Aankoop normaal tarief | any      | X*        |
    Sales    | 21% - Normaal tarief         | any      | X         | 54`;
  expect(problemsOf(await load('vat-rules', rules))).toEqual([
    expect.stringMatching(/^3 BaseBoxes: expected boxes of 00, 01, .*, 88, got "X"$/),
  ]);
});
