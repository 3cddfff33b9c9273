import type { z } from 'zod';
import { type FieldError, fieldErrorOf, type Refusal, refusal } from '../../../../shared/fieldErrors.ts';
import { FINE_SCALE, MONEY_SCALE, units } from '../../../../shared/money.ts';
import { refuseFields } from '../../../../shared/problem.ts';
import type { articleLineFields } from '../../../../shared/resources/document.ts';
import { chooseTaxCode, taxCodesOf } from '../ledger/taxCodes.ts';
import type { Row } from '../sql/schema.ts';
import type { Scope } from '../sql/scope.ts';
import { type AmountLine, refusedDiscount } from './documentTotals.ts';

type ArticleLineGiven = z.output<z.ZodObject<typeof articleLineFields>>;

/** The category of a text line that names none. */
export const DEFAULT_TEXT_CATEGORY = 'Default';

/** A line of an order or of an invoicing-module invoice, with what it refers to; a text line has no amount. */
export type ArticleLine = {
  amount: AmountLine | null;
  taxCodeId: bigint | null;
  product: Row<'product'> | null;
  description: string;
  textCategory: string;
  useArticlePrice: boolean;
};

/**
 * Finds what lines refer to and what they cost.
 * @param path the request's name for the list, for the errors
 * @throws Problem INVALID_REQUEST with one error for each thing that is not there
 */
export async function articleLines(
  scope: Scope,
  given: readonly ArticleLineGiven[],
  path: string,
): Promise<ArticleLine[]> {
  const priced = given.filter((line) => !line.IsTextLine);
  const [products, taxCodes] = await Promise.all([productsOf(scope, priced), taxCodesOf(scope, 'Sales')]);
  const errors: FieldError[] = [];
  const lines = given.map((line, index): ArticleLine => {
    const at = `${path}[${index}]`;
    const refuse = (field: keyof ArticleLineGiven, reason: Refusal) =>
      errors.push(fieldErrorOf(`${at}.${field}`, reason));
    const useArticlePrice = line.UseArticlePrice;
    if (line.IsTextLine) {
      const textCategory = line.TextLineCategory ?? DEFAULT_TEXT_CATEGORY;
      return {
        amount: null,
        taxCodeId: null,
        product: null,
        description: line.Description ?? '',
        textCategory,
        useArticlePrice,
      };
    }
    const product = products(line);
    if ('code' in product) {
      refuse(line.ProductNumber === undefined ? 'ProductEAN' : 'ProductNumber', product);
      return { amount: null, taxCodeId: null, product: null, description: '', textCategory: '', useArticlePrice };
    }
    const chosen = chooseTaxCode(
      taxCodes,
      'Sales',
      { code: line.TaxCode, percentage: line.TaxPc },
      { code: `${at}.TaxCode`, percentage: `${at}.TaxPc` },
    );
    if (chosen !== undefined && 'path' in chosen) errors.push(chosen);
    const taxCode =
      chosen !== undefined && 'path' in chosen
        ? undefined
        : (chosen ?? taxCodes.find((code) => code.id === product.sales_tax_code_id));
    if (taxCode === undefined && chosen === undefined) {
      refuse('TaxPc', refusal('REQUIRED_TAX_OF_ARTICLE', { articleNumber: product.article_number }));
    }
    const amount = taxCode === undefined ? null : amountOf(line, product, taxCode);
    const discountRefusal = amount === null ? undefined : refusedDiscount(amount);
    if (discountRefusal !== undefined) refuse('DiscountAmountInclTax', discountRefusal);
    return {
      amount,
      taxCodeId: taxCode?.id ?? null,
      product,
      description: line.Description ?? product.name,
      textCategory: '',
      useArticlePrice,
    };
  });
  throwAll(errors);
  return lines;
}

/** @throws Problem INVALID_REQUEST when there are any */
export function throwAll(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw refuseFields(errors);
}

function amountOf(line: ArticleLineGiven, product: Row<'product'>, taxCode: Row<'tax_code'>): AmountLine {
  const price = line.UseArticlePrice
    ? { unitExcl: product.price }
    : line.SubTotalInclTax !== undefined
      ? { totalIncl: units(line.SubTotalInclTax, MONEY_SCALE) }
      : { unitExcl: units(line.UnitPriceExclTax ?? '0', FINE_SCALE) };
  const discount =
    line.DiscountAmountInclTax !== undefined && Number(line.DiscountPc ?? 0) === 0
      ? { amountIncl: units(line.DiscountAmountInclTax, MONEY_SCALE) }
      : { percentage: units(line.DiscountPc ?? '0', FINE_SCALE) };
  return {
    quantity: units(line.Quantity ?? '0', FINE_SCALE),
    price,
    discount,
    taxCode: taxCode.code,
    rate: taxCode.percentage,
  };
}

/** The products lines name, read at once; what is returned finds the one of a line, or says why there is none. */
async function productsOf({ db, administration }: Scope, lines: readonly ArticleLineGiven[]) {
  const numbers = [...new Set(lines.flatMap((line) => line.ProductNumber ?? []))];
  const eans = [...new Set(lines.flatMap((line) => line.ProductEAN ?? []))];
  const rows =
    numbers.length + eans.length === 0
      ? []
      : await db
          .selectFrom('product')
          .where('administration_id', '=', administration.id)
          .where((eb) =>
            eb.or([
              ...(numbers.length === 0 ? [] : [eb('article_number', 'in', numbers)]),
              ...(eans.length === 0 ? [] : [eb('ean', 'in', eans)]),
            ]),
          )
          .selectAll()
          .execute();
  const byNumber = new Map(rows.map((row) => [row.article_number, row]));
  const byEan = new Map(rows.map((row) => [row.ean, row]));
  return ({ ProductNumber, ProductEAN }: ArticleLineGiven): Row<'product'> | Refusal => {
    if (ProductNumber === undefined) {
      return byEan.get(ProductEAN!) ?? refusal('NO_SUCH_EAN', { ean: ProductEAN! });
    }
    const product = byNumber.get(ProductNumber);
    if (product === undefined) return refusal('NO_SUCH_ARTICLE_NUMBER', { articleNumber: ProductNumber });
    if (ProductEAN !== undefined && product.ean !== ProductEAN) {
      return refusal('ARTICLE_WITH_ANOTHER_EAN', { ean: ProductEAN, articleNumber: ProductNumber });
    }
    return product;
  };
}
