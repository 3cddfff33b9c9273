import type * as z from 'zod/mini';
import { type AmountLine, type LineTotals, refusedDiscount } from '../../../../shared/documentTotals.ts';
import {
  type FieldError,
  type Found,
  fieldErrorOf,
  found,
  foundOr,
  type Refusal,
  refusal,
  refused,
} from '../../../../shared/fieldErrors.ts';
import { DECIMAL_SCALE, MONEY_SCALE, units } from '../../../../shared/money.ts';
import type { articleLineFields } from '../../../../shared/resources/document.ts';
import type { TaxType } from '../../../../shared/resources/taxCode.ts';
import { chooseTaxCode, lineTax } from '../ledger/taxCodes.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { flag, type Row } from '../sql/schema.ts';

type ArticleLineInput = z.output<z.ZodMiniObject<ReturnType<typeof articleLineFields>>>;

/** The category of a text line without one. */
const DEFAULT_TEXT_CATEGORY = 'Default';

/** A line of an order or invoice, with the rows that it refers to; a text line has no amount. */
export type ArticleLine<Product = Row<'product'>> = {
  amount: AmountLine | null;
  taxCodeId: bigint | null;
  product: Product | null;
  description: string;
  textCategory: string;
  useArticlePrice: boolean;
};

export const noArticle: ArticleLine = {
  amount: null,
  taxCodeId: null,
  product: null,
  description: '',
  textCategory: '',
  useArticlePrice: false,
};

/** The known values of an imported line; its product and tax code may have others now. */
export type KnownLine = { productNumber?: string; productEan?: string; taxCode?: string; rate?: bigint };

type LineReferences = {
  article: (line: ArticleLineInput) => Found<Row<'product'>, Refusal>;
  side: TaxType;
  taxCodes: readonly Row<'tax_code'>[];
};

/**
 * Lines with their references and amounts; a refused line has no amount.
 * @param path of the list in the request, for the errors
 * @param known values of each line; amounts of such documents are not computed, so their discounts are not checked
 */
export function articleLines(
  { article, side, taxCodes }: LineReferences,
  inputs: readonly ArticleLineInput[],
  path: string,
  known?: readonly KnownLine[],
): { lines: ArticleLine[]; errors: FieldError[] } {
  const errors: FieldError[] = [];
  const lines = inputs.map((line, index): ArticleLine => {
    const at = `${path}[${index}]`;
    const refuse = (field: keyof ArticleLineInput, reason: Refusal) =>
      errors.push(fieldErrorOf(`${at}.${field}`, reason));
    const { Description: description, UseArticlePrice: useArticlePrice } = line;
    const nothing = { ...noArticle, useArticlePrice };
    if (line.IsTextLine) {
      const textCategory = line.TextLineCategory ?? DEFAULT_TEXT_CATEGORY;
      return { ...nothing, description: description ?? '', textCategory };
    }
    // A line without a product is refused by the rules of the request.
    if (line.ProductNumber === undefined && line.ProductEAN === undefined) return nothing;
    const named = article(line);
    if (named.kind === 'refused') {
      refuse(line.ProductNumber === undefined ? 'ProductEAN' : 'ProductNumber', named.reason);
      return nothing;
    }
    const product = named.value;
    const chosen = chooseTaxCode(taxCodes, side, line, lineTax, `${at}.`);
    if (chosen.kind === 'refused') {
      errors.push(chosen.reason);
      return nothing;
    }
    const taxCode = chosen.value ?? taxCodes.find((code) => code.id === product.sales_tax_code_id);
    if (taxCode === undefined) {
      refuse('TaxPc', refusal('REQUIRED_TAX_OF_ARTICLE', { articleNumber: product.article_number }));
      return nothing;
    }
    const amount = amountOf(
      line,
      taxCode,
      useArticlePrice ? { kind: 'unit', excl: product.price } : undefined,
      known?.[index],
    );
    const discountRefusal = known === undefined ? refusedDiscount(amount) : undefined;
    if (discountRefusal !== undefined) refuse('DiscountAmountInclTax', discountRefusal);
    return { ...nothing, amount, taxCodeId: taxCode.id, product, description: description ?? product.name };
  });
  return { lines, errors };
}

/**
 * The columns that lines of orders and of sales invoices share.
 * @param totals of the line; ignored for a text line
 */
export function articleLineRow(
  { amount, product, ...line }: ArticleLine<Pick<Row<'product'>, 'id' | 'article_number' | 'ean'>>,
  totals: Pick<LineTotals, 'unitPriceExcl' | 'discountPercentage'> | null | undefined,
  known: KnownLine | undefined,
) {
  return {
    is_text: flag(amount === null),
    text_category: line.textCategory,
    product_id: product?.id ?? null,
    product_number: product === null ? '' : (known?.productNumber ?? product.article_number),
    product_ean: product === null ? '' : known === undefined ? product.ean : (known.productEan ?? ''),
    description: line.description,
    quantity: amount?.quantity ?? 0n,
    unit_price: totals?.unitPriceExcl ?? 0n,
    discount_pc: totals?.discountPercentage ?? 0n,
    tax_pc: amount?.rate ?? 0n,
    tax_code: amount?.taxCode ?? '',
    use_article_price: flag(line.useArticlePrice),
  };
}

type AmountInput = Partial<
  Record<
    'Quantity' | 'SubTotalInclTax' | 'UnitPriceExclTax' | 'DiscountPc' | 'DiscountAmountInclTax',
    string | undefined
  >
>;

/** The amount of a line; the default quantity is one. @param price instead of the line's own */
export function amountOf(
  line: AmountInput,
  taxCode: Row<'tax_code'>,
  price?: AmountLine['price'],
  known: KnownLine = {},
): AmountLine {
  const { Quantity: quantity = '1', UnitPriceExclTax: unitPrice = '0', SubTotalInclTax: total } = line;
  const { DiscountPc = '0', DiscountAmountInclTax: discount } = line;
  const percentage = units(DiscountPc, DECIMAL_SCALE);
  return {
    quantity: units(quantity, DECIMAL_SCALE),
    price:
      price ??
      (total === undefined
        ? { kind: 'unit', excl: units(unitPrice, DECIMAL_SCALE) }
        : { kind: 'line', incl: units(total, MONEY_SCALE) }),
    discount:
      discount !== undefined && percentage === 0n
        ? { kind: 'amount', incl: units(discount, MONEY_SCALE) }
        : { kind: 'percentage', percentage },
    taxCode: known.taxCode ?? taxCode.code,
    rate: known.rate ?? taxCode.percentage,
  };
}

type ArticleInput = Partial<Pick<ArticleLineInput, 'ProductNumber' | 'ProductEAN' | 'IsTextLine'>>;

/** Values in a statement: a file may name some thousand products in one batch. */
const BATCH_SIZE = 1000;

/** Finds the products of lines. @returns the product of a line, or why there is none */
export async function findArticles(
  { db, administration }: EndpointContext,
  lines: readonly ArticleInput[],
): Promise<(line: ArticleInput) => Found<Row<'product'>, Refusal>> {
  const priced = lines.filter((line) => !line.IsTextLine);
  const find = async (column: 'article_number' | 'ean', names: readonly string[]) => {
    const products = new Map<string, Row<'product'>>();
    const values = [...new Set(names)];
    for (let start = 0; start < values.length; start += BATCH_SIZE) {
      const rows = await db
        .selectFrom('product')
        .where('administration_id', '=', administration.id)
        .where(column, 'in', values.slice(start, start + BATCH_SIZE))
        .selectAll()
        .execute();
      for (const row of rows) products.set(row[column], row);
    }
    return products;
  };
  const byNumber = await find(
    'article_number',
    priced.flatMap(({ ProductNumber }) => ProductNumber ?? []),
  );
  const byEan = await find(
    'ean',
    priced.flatMap(({ ProductNumber, ProductEAN }) => (ProductNumber === undefined ? (ProductEAN ?? []) : [])),
  );
  return ({ ProductNumber, ProductEAN }) => {
    if (ProductNumber === undefined) {
      return foundOr(byEan.get(ProductEAN!), () => refusal('NO_SUCH_EAN', { ean: ProductEAN! }));
    }
    const product = byNumber.get(ProductNumber);
    if (product === undefined) return refused(refusal('NO_SUCH_ARTICLE_NUMBER', { articleNumber: ProductNumber }));
    if (ProductEAN !== undefined && product.ean !== ProductEAN) {
      return refused(refusal('ARTICLE_WITH_ANOTHER_EAN', { ean: ProductEAN, articleNumber: ProductNumber }));
    }
    return found(product);
  };
}
