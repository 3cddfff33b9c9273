import { describe, expect, test } from 'vitest';
import { importInto, mapOf, problemsOf } from '../../../../testing/builtin/imports.ts';

describe('an import of products', () => {
  test('makes categories, finds tax codes and records the stock as one mutation', async () => {
    const { db, load } = await importInto();
    const result = await load(
      'products',
      `
      ArticleNumber | Name    | EAN           | Category | StockQty | PurchasePrice | Price  | VATPercentage | TaxCodePurchase   | Archived | Custom: Kleur (List)
      007           | Roos    | 4006381333931 | Bloemen  | 12,5     | 0,40          | 1.234,50 | 9           | 9% - Inkoop laag  | nee      | rood
      1-2           | Tulp    |               | bloemen  |          |               | 0,35   |               |                   |          |`,
      { decimalComma: true, values: new Map([['Archived', mapOf({ nee: 'false', ja: 'true' })]]) },
    );
    expect(problemsOf(result)).toEqual([]);
    const rows = await db
      .selectFrom('product')
      .leftJoin('tax_code as sales', 'sales.id', 'sales_tax_code_id')
      .leftJoin('tax_code as purchase', 'purchase.id', 'purchase_tax_code_id')
      .leftJoin('product_category', 'product_category.id', 'category_id')
      .orderBy('product.id')
      .select([
        'article_number',
        'ean',
        'stock',
        'price',
        'product_category.name as category',
        'sales.code as sales',
        'purchase.code as purchase',
      ])
      .execute();
    expect(rows).toEqual([
      {
        article_number: '007',
        ean: '4006381333931',
        stock: 1_250_000_000n,
        price: 123_450_000_000n,
        category: 'Bloemen',
        sales: '9% - Laag',
        purchase: '9% - Inkoop laag',
      },
      {
        article_number: '1-2',
        ean: '',
        stock: 0n,
        price: 35_000_000n,
        category: 'Bloemen',
        sales: null,
        purchase: null,
      },
    ]);
    const mutations = await db.selectFrom('stock_mutation').select(['quantity', 'cause', 'purchase_price']).execute();
    expect(mutations).toEqual([{ quantity: 1_250_000_000n, cause: 'import', purchase_price: 40_000_000n }]);
  });

  test('records the difference of the stock, and leaves columns that the file lacks', async () => {
    const { db, load } = await importInto();
    await load('products', 'ArticleNumber | Name | StockQty | Price\nA | Roos | 10 | 2\nB | Tulp | 5 | 1');
    const again = await load('products', 'ArticleNumber | Name | StockQty\nA | Roos | 4\nB | Tulp |');
    expect(again.counts).toEqual({ added: 0, changed: 1, unchanged: 1 });
    const rows = await db
      .selectFrom('product')
      .innerJoin('stock_mutation', 'product_id', 'product.id')
      .orderBy('stock_mutation.id')
      .select(['article_number', 'stock', 'price', 'quantity'])
      .execute();
    expect(rows).toEqual([
      { article_number: 'A', stock: 400_000_000n, price: 200_000_000n, quantity: 1_000_000_000n },
      { article_number: 'B', stock: 500_000_000n, price: 100_000_000n, quantity: 500_000_000n },
      { article_number: 'A', stock: 400_000_000n, price: 200_000_000n, quantity: -600_000_000n },
    ]);
  });

  test('leaves the tax code of a product that has the percentage of the file, and else takes the first', async () => {
    const { db, load } = await importInto();
    await load('products', 'ArticleNumber | Name | TaxCode\nA | Cursus | 0% - Vrijgesteld\nB | Roos | 21% - Hoog');
    const again = await load('products', 'ArticleNumber | Name | VATPercentage\nA | Cursus | 0\nB | Roos | 0');
    expect(problemsOf(again)).toEqual([]);
    expect(again.counts).toEqual({ added: 0, changed: 1, unchanged: 1 });
    const rows = await db
      .selectFrom('product')
      .innerJoin('tax_code', 'tax_code.id', 'sales_tax_code_id')
      .orderBy('article_number')
      .select(['article_number', 'code'])
      .execute();
    expect(rows).toEqual([
      { article_number: 'A', code: '0% - Vrijgesteld' },
      { article_number: 'B', code: '0% - Binnenland nultarief' },
    ]);
  });

  test('refuses inexact amounts, unknown tax codes and repeated numbers', async () => {
    const { load } = await importInto();
    await load('products', 'ArticleNumber | Name | EAN\nOLD | Oud | 111');
    const result = await load(
      'products',
      `
      ArticleNumber | Name | EAN | Price       | TaxCode           | VATPercentage | Description
      A             | x    | 111 | 1,50        |                   |               |
      A             | y    |     | 1.123456789012345 | 21% - Inkoop hoog |               |
      B             | z    | 222 | 1           | 21% - Hoog        | 9             |
      C             | z    | 222 | 1           |                   | 19            | ${'x'.repeat(401)}`,
    );
    expect(problemsOf(result)).toEqual([
      '2 Price: expected a decimal number such as 12.50, got "1,50"',
      '2 EAN: expected an EAN no other product has; article OLD has 111',
      '3 ArticleNumber: expected article number A once, but it stands on line 2 as well',
      '3 TaxCode: expected a Sales tax code of this administration, got "21% - Inkoop hoog", which is a Purchase code',
      '4 VATPercentage: expected the percentage of "21% - Hoog", got 9',
      '5 Description: expected at most 400 characters, got 401',
      '5 EAN: expected EAN 222 once, but it stands on line 4 as well',
      '5 VATPercentage: expected the percentage of a Sales tax code, got 19',
    ]);
  });

  test('refuses points that separate no thousands, with decimal commas', async () => {
    const { load } = await importInto();
    const result = await load('products', 'ArticleNumber | Name | Price\nA | x | 1.50', { decimalComma: true });
    expect(problemsOf(result)).toEqual(['2 Price: expected a decimal number such as 1.234,50, got "1.50"']);
  });
});
