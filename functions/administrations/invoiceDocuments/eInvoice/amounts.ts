import { abs, type Cents, type Decimal8, divide, HUNDRED, ONE, sum } from '../../../../shared/money.ts';
import { type ArticleLine, grossOf, type InvoiceDocument, isCredit } from '../invoiceDocument.ts';
import { type CategoryOfLine, categoryKey } from './vat.ts';

/*
 * The amounts of an e-invoice. They are those of the journal: net lines, allowances and charges, and
 * the VAT of each category and rate. A credit note has its signs reversed, so that credited amounts are positive.
 */

/** An allowance or a charge; its amount is never negative. */
export type Adjustment = {
  isCharge: boolean;
  amount: Cents;
  /** Its percentage and base, where the amount is that percentage but for a cent or two of rounding. */
  share: { percentage: Decimal8; of: Cents } | null;
};

export type EInvoiceLine = {
  line: ArticleLine;
  quantity: Decimal8;
  /** Never negative, for so many units. */
  price: Decimal8;
  baseQuantity: Decimal8 | null;
  net: Cents;
  adjustment: Adjustment | null;
};

export type EInvoiceVat = CategoryOfLine & { base: Cents; tax: Cents; adjustment: Adjustment | null };

export type EInvoiceAmounts = {
  lines: EInvoiceLine[];
  vat: EInvoiceVat[];
  sumOfLines: Cents;
  allowances: Cents;
  charges: Cents;
  excl: Cents;
  tax: Cents;
  incl: Cents;
};

/** Cents by which a line and its percentage may differ. Peppol allows two before rounding. */
const MAX_DIFFERENCE = 1n;

/** @param lines of the document, with an amount each */
export function eInvoiceAmounts(document: InvoiceDocument, lines: readonly ArticleLine[]): EInvoiceAmounts {
  const sign = isCredit(document) ? -1n : 1n;
  const eLines = lines.map((line) => eInvoiceLine(line, sign));
  const vat = [...Map.groupBy(eLines, ({ line }) => categoryKey(line)).values()].map((group): EInvoiceVat => {
    const { category, rate } = group[0]!.line;
    const base = sign * sum(group.map(({ line }) => line.excl));
    const tax = sign * sum(group.map(({ line }) => line.tax));
    const net = sum(group.map((line) => line.net));
    return { category, rate, base, tax, adjustment: adjustmentOf(net, base, document.discountPercentage) };
  });
  const adjustments = vat.flatMap(({ adjustment }) => adjustment ?? []);
  const total = (charges: boolean) =>
    sum(adjustments.filter(({ isCharge }) => isCharge === charges).map(({ amount }) => amount));
  return {
    lines: eLines,
    vat,
    sumOfLines: sum(eLines.map(({ net }) => net)),
    allowances: total(false),
    charges: total(true),
    excl: sign * document.excl,
    tax: sign * document.tax,
    incl: sign * document.incl,
  };
}

function eInvoiceLine(line: ArticleLine, sign: bigint): EInvoiceLine {
  const net = sign * line.net;
  // Prices may not be negative: the quantity takes the sign.
  const isNegated = line.unitPrice < 0n;
  const quantity = (isNegated ? -sign : sign) * line.quantity;
  const price = abs(line.unitPrice);
  const gross = grossOf({ quantity, unitPrice: price });
  const said = { line, quantity, price, baseQuantity: null, net, adjustment: null };
  if (line.discountPercentage !== 0n) return { ...said, adjustment: adjustmentOf(gross, net, line.discountPercentage) };
  if (abs(net - gross) <= MAX_DIFFERENCE) return said;
  if (quantity === 0n) return { ...said, adjustment: adjustmentOf(0n, net, 0n) };
  // A price of eight decimals times a large quantity can differ by cents, so the price is of the whole quantity.
  const whole = abs(quantity);
  return { ...said, quantity: net < 0n ? -whole : whole, price: abs(net) * (ONE / 100n), baseQuantity: whole };
}

/** The allowance or charge between two amounts, with its percentage if it has one. */
function adjustmentOf(from: Cents, to: Cents, percentage: Decimal8): Adjustment | null {
  const off = from - to;
  if (off === 0n) return null;
  const isShare = percentage !== 0n && abs(divide(from * percentage, HUNDRED) - off) <= MAX_DIFFERENCE && from !== 0n;
  // A discount on a negative amount is a charge.
  const isCharge = off < 0n;
  if (!isShare || from < 0n !== isCharge) return { isCharge, amount: abs(off), share: null };
  return { isCharge, amount: abs(off), share: { percentage, of: abs(from) } };
}
