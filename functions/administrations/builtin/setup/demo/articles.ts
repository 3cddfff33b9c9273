import { DECIMAL_SCALE, divide, ONE, units } from '../../../../../shared/money.ts';
import { folded } from '../../sql/comparedText.ts';
import type { Database } from '../../sql/database.ts';
import { insertKeyedRows, insertRows } from '../../sql/insertRows.ts';
import { newRow } from '../../sql/rows.ts';
import { type Decimal8, flag, type NewRow, type Seconds } from '../../sql/schema.ts';
import { eanOf } from './ean.ts';
import type { Seeded } from './seeded.ts';
import { assortment } from './words.ts';

/** A product of the demo with the values that invoices need. */
export type Article = { id: bigint; row: NewRow<'product'>; category: string; taxCodeId: bigint };

/** Makes the products of an administration. Their stock follows once the invoices are known: see `makeStock`. */
export async function makeArticles(
  db: Database,
  of: {
    administrationId: bigint;
    eanPrefix: string;
    taxCodes: { sales: { normal: bigint; reduced: bigint }; purchase: { normal: bigint; reduced: bigint } };
    from: Seconds;
  },
  random: Seeded,
): Promise<Article[]> {
  const { administrationId: administration_id } = of;
  const categoryRows = assortment.map(({ category }) =>
    newRow('product_category', { administration_id, name: category }),
  );
  const categories = await insertKeyedRows(db, 'product_category', 'name_folded', categoryRows);
  const fieldRows = customFields.map(({ label, field_type }) =>
    newRow('custom_field', { administration_id, owner: 'product', label, field_type }),
  );
  const fields = await insertKeyedRows(db, 'custom_field', 'label', fieldRows);
  const drafts = assortment.flatMap((group, groupIndex) =>
    group.kinds.flatMap((kind, kindIndex) =>
      group.variants.map((variant, variantIndex) => {
        const place = kindIndex * group.variants.length + variantIndex;
        const rate = group.reduced ? 'reduced' : 'normal';
        const cents = BigInt(group.price + kindIndex * 35 + variantIndex * Math.ceil(group.price / 3));
        const createdOn = of.from + BigInt(random.below(120) * 86_400);
        const row = newRow('product', {
          administration_id,
          article_number: articleNumber(groupIndex, place),
          ean: random.chance(92) ? eanOf(`${of.eanPrefix}${random.digits(12 - of.eanPrefix.length)}`) : '',
          name: groupIndex === 0 && place === 3 ? '=Roos "Sommerliefde" 60 cm' : `${kind} ${variant}`,
          supplier_article_number: random.chance(80) ? `${random.pick(['VB', 'KW', 'GH'])}-${random.digits(5)}` : '',
          category_id: categories.get(folded(group.category))!,
          description: `${kind}, ${variant}. Per ${group.unit}.`,
          purchase_price: divide(cents * BigInt(random.from(42, 66)), 100n) * (ONE / 100n),
          price: cents * (ONE / 100n),
          sales_tax_code_id: of.taxCodes.sales[rate],
          purchase_tax_code_id: of.taxCodes.purchase[rate],
          minimal_stock: BigInt(random.below(6) * 10) * ONE,
          units_per_package: BigInt(random.pick([1, 1, 5, 10, 12, 25])) * ONE,
          unit: group.unit,
          archived: flag(place % 29 === 28),
          created_on: createdOn,
          changed_on: createdOn + BigInt(random.below(300) * 86_400),
        });
        const values = customFields
          .filter(({ of: categories }) => categories.includes(group.category))
          .map(({ label, value }) => ({ custom_field_id: fields.get(label)!, value: value(variant, random) }));
        return { row, category: group.category, values };
      }),
    ),
  );
  const rows = drafts.map(({ row }) => row);
  const ids = await insertKeyedRows(db, 'product', 'article_number', rows);
  const idOf = (row: NewRow<'product'>) => ids.get(row.article_number)!;
  const values = drafts.flatMap(({ row, values }) => values.map((value) => ({ product_id: idOf(row), ...value })));
  await insertRows(db, 'product_custom_field', values);
  return drafts.map(({ row, category }) => ({ id: idOf(row), row, category, taxCodeId: row.sales_tax_code_id! }));
}

/** Article numbers with leading zeros, with letters, and some that a spreadsheet would read as a date or a formula. */
function articleNumber(group: number, place: number): string {
  const number = String(group * 100 + place + 1).padStart(5, '0');
  if (group === 4) return `${place + 1}-12`;
  if (group === 5) return `ZAAD-${number}`;
  return group === 7 ? `${place + 1}E${group}` : number;
}

const living = ['Kamerplanten', 'Tuinplanten', 'Bomen en heesters'];

type FieldOfProduct = {
  label: string;
  field_type: NewRow<'custom_field'>['field_type'];
  of: readonly string[];
  value: (variant: string, random: Seeded) => string;
};

const customFields: readonly FieldOfProduct[] = [
  { label: 'Kleur', field_type: 'List', of: ['Snijbloemen'], value: (variant) => variant.split(' ')[0]! },
  {
    label: 'Vaasleven in dagen',
    field_type: 'Integer',
    of: ['Snijbloemen'],
    value: (_, random) => String(random.from(5, 14)),
  },
  {
    label: 'Standplaats',
    field_type: 'TextSmall',
    of: living,
    value: (_, random) => random.pick(['zon', 'halfschaduw', 'schaduw']),
  },
  { label: 'Winterhard', field_type: 'Checkbox', of: living, value: (_, random) => String(random.chance(70)) },
  {
    label: 'Gewicht in kg',
    field_type: 'Decimal',
    of: ['Potten', 'Grond en mest'],
    value: (_, random) => `${random.from(0, 24)}.${random.from(1, 9)}`,
  },
  {
    label: 'Zaaien vanaf',
    field_type: 'Date',
    of: ['Zaden', 'Bollen'],
    value: (_, random) => `2026-0${random.from(3, 9)}-01`,
  },
  {
    label: 'Teeltblad',
    field_type: 'Hyperlink',
    of: ['Zaden'],
    value: (_, random) => `https://teelt.example/blad/${random.from(1, 99)}`,
  },
  {
    label: 'Verzorging',
    field_type: 'TextLarge',
    of: ['Kamerplanten'],
    value: () => 'Matig water geven.\nNiet in de volle zon.',
  },
];

/** A sold quantity of an invoice line. */
export type Sold = { productId: bigint; quantity: Decimal8; invoiceId: bigint; invoiceNumber: bigint; on: Seconds };

/** Makes the stock mutations of products, and sets each stock to their sum. */
export async function makeStock(
  db: Database,
  articles: readonly Article[],
  sold: readonly Sold[],
  from: Seconds,
  random: Seeded,
): Promise<void> {
  const soldOf = Map.groupBy(sold, ({ productId }) => productId);
  const mutations: NewRow<'stock_mutation'>[] = [];
  for (const { id: product_id, row, category } of articles) {
    // Hours have a stock too: the available hours less the sold ones.
    const isService = category === 'Diensten';
    const purchase_price = row.purchase_price!;
    const add = (
      mutation: Pick<NewRow<'stock_mutation'>, 'quantity' | 'cause' | 'comment' | 'created_on'>,
      more: { purchase_price?: Decimal8; sales_invoice_id?: bigint } = {},
    ) => mutations.push({ product_id, purchase_price: null, sales_invoice_id: null, ...mutation, ...more });
    add(
      {
        quantity: BigInt(isService ? 1500 : random.from(20, 180)) * ONE,
        cause: 'import',
        comment: isService ? 'Beschikbare uren' : 'Beginvoorraad',
        created_on: from,
      },
      { purchase_price },
    );
    for (const { quantity, invoiceId, invoiceNumber, on } of soldOf.get(product_id) ?? []) {
      add(
        { quantity: -quantity, cause: 'invoice', comment: `Factuur ${invoiceNumber}`, created_on: on },
        { sales_invoice_id: invoiceId },
      );
    }
    if (isService) continue;
    for (const week of [26, 52, 78]) {
      if (!random.chance(55)) continue;
      const created_on = from + BigInt(week * 7 * 86_400);
      add(
        { quantity: BigInt(random.from(2, 12) * 10) * ONE, cause: 'update', comment: 'Levering', created_on },
        { purchase_price },
      );
    }
    if (random.chance(20)) {
      const created_on = from + BigInt(365 * 86_400);
      add({
        quantity: units(random.pick(['-1', '-2.5', '3']), DECIMAL_SCALE),
        cause: 'update',
        comment: 'Telling',
        created_on,
      });
    }
  }
  mutations.sort((a, b) => Number((a.created_on ?? 0n) - (b.created_on ?? 0n)));
  await insertRows(db, 'stock_mutation', mutations);
  const stock = new Map<bigint, Decimal8>();
  for (const { product_id, quantity } of mutations) {
    stock.set(product_id, (stock.get(product_id) ?? 0n) + (quantity ?? 0n));
  }
  for (const [id, quantity] of stock) {
    await db.updateTable('product').set({ stock: quantity }).where('id', '=', id).execute();
  }
}
