import { type AmountLine, documentTotals } from '../../../../../shared/documentTotals.ts';
import { divide, ONE } from '../../../../../shared/money.ts';
import { addDays, type CalendarDate } from '../../../../../shared/wire/calendarDate.ts';
import { type ArticleLine, noArticle } from '../../documentParts/articleLines.ts';
import { numberTaken } from '../../documentParts/numbering.ts';
import { documentContact } from '../../relations/party.ts';
import { invoiceLineRow } from '../../sales/readSalesInvoice.ts';
import { remittanceFor } from '../../sales/remittance.ts';
import { type NewSalesInvoice, storeSalesInvoices } from '../../sales/storeSalesInvoices.ts';
import type { Database } from '../../sql/database.ts';
import { blankRow } from '../../sql/rows.ts';
import { type Decimal8, flag, type Row } from '../../sql/schema.ts';
import type { Article, Sold } from './articles.ts';
import type { Party } from './parties.ts';
import type { Seeded } from './seeded.ts';

/** The tax codes of demo invoices, and the revenue account of services. */
export type DemoTax = Record<'normal' | 'reduced' | 'reverseCharge' | 'intraGoods' | 'intraServices', TaxChoice> & {
  services: string;
};
export type TaxChoice = { id: bigint; code: string; rate: Decimal8; account: string };

/** A sale that gets a tax code and a customer of its own, for the quarter with every case of VAT. */
type SaleCase = { customer: Party; tax: TaxChoice; isCredit: boolean; description: string };

/** An invoice that is no draft, as the rest of the books need it. */
export type SoldInvoice = Pick<
  Row<'sales_invoice'>,
  'number' | 'date' | 'due_date' | 'relation_id' | 'total_excl' | 'total_incl' | 'outstanding'
>;

export const demoCostCenters = ['Winkel', 'Projecten', 'Webwinkel'] as const;

/**
 * Makes sales invoices evenly from the first day to the last, numbered in order. One in four is of the bookkeeping module;
 * one in twenty is a credit; the last hundred hold the drafts.
 * @param from.cases what the first ones of the bookkeeping module sell from a day on
 * @returns the invoices that are no drafts, and the quantities of articles
 */
export async function makeInvoices(
  db: Database,
  {
    administration,
    ...of
  }: { administration: Row<'administration'>; count: number; first: CalendarDate; days: number },
  from: {
    customers: readonly Party[];
    articles: readonly Article[];
    projects: readonly Row<'project'>[];
    tax: DemoTax;
    cases: { from: CalendarDate; sales: readonly SaleCase[] };
  },
  random: Seeded,
): Promise<{ sold: Sold[]; invoices: SoldInvoice[] }> {
  const { country } = administration;
  const { customers, projects, tax } = from;
  const cases = from.cases.sales.values();
  const articles = from.articles.filter(({ row }) => row.archived === 0n);
  const last = addDays(of.first, of.days);
  const invoices: NewSalesInvoice[] = [];
  const sold: (Pick<Sold, 'productId' | 'quantity'> & { index: number })[] = [];
  let year = '';
  let ofYear = 0n;
  for (let index = 0; index < of.count; index++) {
    const date = addDays(of.first, Math.floor((index * of.days) / (of.count - 1)));
    if (!date.startsWith(year) || year === '') {
      year = date.slice(0, 4);
      ofYear = 0n;
    }
    ofYear += 1n;
    const number = BigInt(year) * 100_000n + ofYear;
    const usual = random.pick(customers);
    const bookkeeping = index % 4 === 3;
    const isCredit = index % 20 === 13;
    const special = bookkeeping && date >= from.cases.from ? cases.next().value : undefined;
    const customer = special?.customer ?? usual;
    const isDraft = !bookkeeping && index >= of.count - 100 && random.chance(30);
    const dueDate = addDays(date, random.pick([14, 30, 30, 60]));
    const lines = bookkeeping
      ? bookkeepingLines(usual, country, isCredit, tax, random).map((line) => withCase(line, special))
      : invoicingLines(customer, country, isCredit, date, articles, tax, random);
    const project = projects.find(({ customer_id }) => customer_id === usual.row.id);
    const paid = isDraft ? 0n : paidPercentage(dueDate, last, random);
    const { street, unit, unit_appendix, postal_code, city, country_code } = customer.row;
    const address = { street, unit, unit_appendix, postal_code, city, country_code };
    const { contact } = customer;
    // A credit says which invoice it is for.
    const credited = isCredit
      ? invoices.findLast(({ row }) => row.relation_id === customer.row.id && row.is_draft === 0n)?.row.number
      : undefined;
    const notes = random.chance(12)
      ? random.pick(['<p>Graag betalen onder vermelding van het <b>factuurnummer</b>.</p>', 'Volgens afspraak.'])
      : '';
    const reference =
      !bookkeeping && random.chance(40) ? `${isCredit ? 'Retour' : 'Order'} ${random.from(1000, 9999)}` : '';
    const packingSlipNotes = !bookkeeping && random.chance(8) ? 'Afleveren achterom.' : '';
    const ofProject = project !== undefined && random.chance(60) && special === undefined ? project : null;
    const discount =
      !bookkeeping && random.chance(10)
        ? BigInt(random.pick([2, 3, 5])) * ONE + (random.chance(30) ? ONE / 2n : 0n)
        : 0n;
    const amounts = lines.flatMap(({ amount }) => amount ?? []);
    const totals = documentTotals(amounts, discount);
    const lineTotals = totals.lines.values();
    invoices.push({
      row: {
        ...blankRow('sales_invoice'),
        number,
        module: bookkeeping ? 'BOOKKEEPING' : 'INVOICING',
        is_draft: flag(isDraft),
        date,
        due_date: index % 50 === 11 ? null : dueDate,
        notes,
        reference: credited !== undefined && !bookkeeping ? `Credit op factuur ${credited}` : reference,
        packing_slip_notes: packingSlipNotes,
        relation_id: customer.row.id,
        customer_number: customer.row.customer_number!,
        customer_name: customer.row.name,
        project_id: ofProject?.id ?? null,
        discount_pc: discount,
        total_excl: totals.excl,
        total_tax: totals.tax,
        total_incl: totals.incl,
        outstanding: totals.incl - divide(totals.incl * paid, 100n),
        is_sent: flag(!bookkeeping && !isDraft && random.chance(92)),
        ogm: !bookkeeping && customer.row.country_code === 'BE' ? remittanceFor(number) : '',
        created_on: BigInt(Date.parse(`${date}T08:00:00Z`) / 1000 + random.below(30_000)),
        template_invoice: '',
        template_email: '',
        email_to_customer: 0n,
        moves_stock: flag(!bookkeeping),
      },
      project: ofProject,
      lines: lines.map(({ columns, ...line }) => ({
        ...blankRow('sales_invoice_line'),
        ...invoiceLineRow(line, line.amount === null ? null : lineTotals.next().value!),
        ...columns,
      })),
      addresses: [
        { ...address, address_type: 'BillingAddress' },
        ...(bookkeeping ? [] : [{ ...address, address_type: 'ShippingAddress' as const }]),
      ],
      contacts: contact === undefined || bookkeeping ? [] : [{ ...documentContact(contact), contact_type: 'Invoice' }],
    });
    for (const { product, amount } of lines) {
      if (product !== null && amount !== null) {
        sold.push({ productId: product.id, quantity: amount.quantity, index });
      }
    }
  }
  const stored = await storeSalesInvoices({ db, administration }, invoices);
  await numberTaken(db, administration.id, 'sales_invoice', invoices.at(-1)!.row.number);
  return {
    sold: sold.map(({ index, ...product }) => {
      const { number: invoiceNumber, created_on: on } = invoices[index]!.row;
      return { ...product, invoiceId: stored[index]!.id, invoiceNumber, on };
    }),
    invoices: invoices.map(({ row }) => row).filter(({ is_draft }) => is_draft === 0n),
  };
}

/** The paid amount of an invoice: of old invoices nearly all, of invoices not yet due little; some are paid in part. */
function paidPercentage(dueDate: CalendarDate, today: CalendarDate, random: Seeded): bigint {
  if (random.chance(4)) return BigInt(random.pick([25, 40, 50, 75]));
  const chance = dueDate < addDays(today, -60) ? 97 : dueDate < today ? 70 : 12;
  return random.chance(chance) ? 100n : 0n;
}

type Columns = 'ledger_account_number' | 'cost_center' | 'delivery_date' | 'warehouse';
/** A line, with the columns that do not follow from its product and its amount. */
type DemoLine = ArticleLine<Pick<Row<'product'>, 'id' | 'article_number' | 'ean'>> & {
  columns: Partial<Pick<Row<'sales_invoice_line'>, Columns>>;
};

export const noDiscount = { kind: 'percentage', percentage: 0n } as const;

function invoicingLines(
  customer: Party,
  country: 'NL' | 'BE',
  isCredit: boolean,
  date: CalendarDate,
  articles: readonly Article[],
  tax: DemoTax,
  random: Seeded,
): DemoLine[] {
  const isPrivate = customer.row.is_business === 0n;
  const lines = Array.from({ length: random.from(1, random.chance(10) ? 12 : 5) }, (): DemoLine => {
    const article = random.pick(articles);
    const isService = article.category === 'Diensten';
    const choice = taxOf(customer, country, article, tax);
    const pieces = BigInt(isPrivate ? random.from(1, 4) : random.from(1, 24)) * ONE;
    const quantity = (isService && random.chance(50) ? pieces + ONE / 2n : pieces) * (isCredit ? -1n : 1n);
    // Private customers are charged prices with tax; a few customers have prices of their own.
    const useArticlePrice = random.chance(80);
    const unitExcl = useArticlePrice ? article.row.price : divide(article.row.price * 95n, 100n);
    const price: AmountLine['price'] =
      isPrivate && choice.rate > 0n
        ? { kind: 'line' as const, incl: divide(quantity * unitExcl * (100n * ONE + choice.rate), ONE * ONE * ONE) }
        : { kind: 'unit' as const, excl: unitExcl };
    const discount = random.chance(8)
      ? { kind: 'percentage' as const, percentage: BigInt(random.pick([5, 10, 15])) * ONE }
      : noDiscount;
    return {
      ...noArticle,
      amount: { quantity, price, discount, taxCode: choice.code, rate: choice.rate },
      taxCodeId: choice.id,
      product: article.row,
      description: article.row.name,
      useArticlePrice,
      columns: {
        ledger_account_number: isService && choice.rate > 0n ? tax.services : choice.account,
        cost_center: random.chance(15) ? random.pick(demoCostCenters) : '',
        delivery_date: random.chance(25) ? addDays(date, -random.from(0, 5)) : null,
        warehouse: isService ? '' : 'Hoofdmagazijn',
      },
    };
  });
  if (random.chance(12)) {
    const description = isCredit
      ? 'Retour volgens afspraak'
      : random.pick(['Levering week 14', 'Met dank voor uw bestelling', '= zie bijlage =']);
    lines.unshift({ ...noArticle, description, textCategory: 'Tekst', columns: {} });
  }
  return lines;
}

/** The tax of a sale by customer and country: reduced for domestic plants, none for a business elsewhere in the EU. */
function taxOf(customer: Party, country: 'NL' | 'BE', article: Article, tax: DemoTax): TaxChoice {
  const isAbroad = customer.row.country_code !== country && customer.row.is_business === 1n;
  if (isAbroad) return article.category === 'Diensten' ? tax.intraServices : tax.intraGoods;
  if (article.category === 'Diensten' && customer.row.group_name === 'Hoveniers') return tax.reverseCharge;
  return article.row.sales_tax_code_id === tax.reduced.id ? tax.reduced : tax.normal;
}

function bookkeepingLines(
  customer: Party,
  country: 'NL' | 'BE',
  isCredit: boolean,
  tax: DemoTax,
  random: Seeded,
): DemoLine[] {
  const isAbroad = customer.row.country_code !== country && customer.row.is_business === 1n;
  return Array.from({ length: random.from(1, 3) }, (): DemoLine => {
    const choice = isAbroad ? tax.intraGoods : random.pick([tax.normal, tax.reduced, tax.normal]);
    const totalIncl = BigInt(random.from(1_500, 250_000)) * (isCredit ? -1n : 1n);
    return {
      ...noArticle,
      amount: {
        quantity: ONE,
        price: { kind: 'line', incl: totalIncl },
        discount: noDiscount,
        taxCode: choice.code,
        rate: choice.rate,
      },
      taxCodeId: choice.id,
      description: random.pick([
        'Dagomzet winkel',
        'Verkoop marktkraam',
        'Abonnement kantoorgroen',
        'Veilingopbrengst',
      ]),
      columns: { ledger_account_number: choice.account, cost_center: random.chance(30) ? demoCostCenters[0] : '' },
    };
  });
}

/** A line of a sale with the tax of a case; the amount is the same. */
function withCase(line: DemoLine, special: SaleCase | undefined): DemoLine {
  const { amount } = line;
  if (special === undefined || amount?.price.kind !== 'line') return line;
  const { tax, isCredit, description } = special;
  const { incl } = amount.price;
  const price = { kind: 'line', incl: isCredit ? -incl : incl } as const;
  return {
    ...line,
    amount: { ...amount, price, taxCode: tax.code, rate: tax.rate },
    taxCodeId: tax.id,
    description,
    columns: { ...line.columns, ledger_account_number: tax.account },
  };
}
