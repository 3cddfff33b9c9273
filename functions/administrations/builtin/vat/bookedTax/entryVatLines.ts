import { abs, type Cents, divide, HUNDRED, sum } from '../../../../../shared/money.ts';
import type { TaxType } from '../../../../../shared/resources/taxCode.ts';
import type { CalendarDate } from '../../../../../shared/wire/calendarDate.ts';
import type { Database } from '../../sql/database.ts';
import type { Row } from '../../sql/schema.ts';
import type { PurchaseTax } from '../purchaseTaxes.ts';
import type { RuleFinder } from '../vatReturn.ts';
import type { DocumentRow } from './documentVatLines.ts';

/** The amounts of a tax code in an entry, and whether their base was computed from the tax. */
type EntryAmounts = { base: Cents; tax: Cents; booked?: PurchaseTax; isBaseDerived: boolean };

/** What a tax code takes of its base, and which share of that may be deducted. */
type Rate = { percentage: bigint; share: bigint; booked: readonly bigint[] };

/** A line of an entry with a tax code. Amounts are positive for debit. */
export type TaxedLine = { account: string; amount: Cents; tax_base: Cents; tax_amount: Cents };

/**
 * What an entry without a document books on one tax code, with the signs of a document. Lines whose amount is their tax
 * are lines of tax; others are what was taxed, and their tax stands beside it, which counts where there is no line of
 * tax. Of tax that the purchaser owes, lines on the account of VAT on sales are what is owed, those on that of VAT on
 * purchases what is deducted; on other accounts credit is owed and debit is deducted.
 * @param percentage that the tax is of its base, in units of 10^-8: that of the tax code; where the purchaser owes the
 * tax, that of its rule
 * @param share of the tax on a purchase that may be deducted, in the same units
 * @param booked the percentages that purchases with the tax code had: others where it has changed
 */
export function entryAmounts(
  type: TaxType,
  { isSelfAssessed, ...rate }: Rate & { isSelfAssessed: boolean },
  lines: readonly TaxedLine[],
  accounts: { payable: string; receivable: string },
): EntryAmounts {
  const { percentage } = rate;
  const sign = type === 'Sales' ? -1n : 1n;
  const taxLines = lines.filter(({ amount, tax_amount }) => amount === tax_amount);
  const taxed = lines.filter((line) => !taxLines.includes(line));
  const baseIn = (of: readonly TaxedLine[]) => sum(of.map(({ tax_base }) => tax_base));
  const taxIn = (of: readonly TaxedLine[]) => sum(of.map(({ tax_amount }) => tax_amount));
  if (isSelfAssessed) {
    const isOwed = ({ account, amount }: TaxedLine) =>
      account === accounts.payable || (account !== accounts.receivable && amount < 0n);
    const owed = taxLines.filter(isOwed);
    const deducted = taxLines.filter((line) => !isOwed(line));
    const given = taxed.length > 0 ? baseIn(taxed) : baseIn(deducted) || -baseIn(owed);
    if (taxLines.length === 0) return { base: given, tax: 0n, isBaseDerived: false };
    const booked = { assessed: -taxIn(owed), deductible: taxIn(deducted) };
    return { ...baseOf(given, booked.assessed || booked.deductible, percentage), tax: 0n, booked };
  }
  const tax = sign * taxIn(taxLines.length > 0 ? taxLines : taxed);
  const given = sign * baseIn(taxed.length > 0 ? withoutTheirTax(taxed) : taxLines);
  if (type === 'Sales' || taxLines.length === 0) return { ...baseOf(given, tax, percentage), tax };
  const whole = wholeTax(given, tax, rate);
  return { ...baseOf(given, whole, percentage), tax: whole, booked: { assessed: 0n, deductible: tax } };
}

/**
 * The tax of a purchase of which an entry has a line for what may be deducted only. It is a part of the tax of its base,
 * up to a cent, at the present percentage or at one of before: a counter-entry takes back a purchase as it was booked.
 * Other amounts say nothing about what is not deducted.
 */
function wholeTax(base: Cents, deducted: Cents, { percentage, share, booked }: Rate): Cents {
  if (share === 0n || share === HUNDRED) return deducted;
  if (base === 0n) return divide(deducted * HUNDRED, share);
  const taxAt = (rate: bigint) => divide(base * rate, HUNDRED);
  const isDeducted = (tax: Cents) => abs(tax - deducted) <= 1n;
  const isPartOf = (whole: Cents) => isDeducted(divide(whole * share, HUNDRED));
  const present = taxAt(percentage);
  if (isPartOf(present)) return present;
  // All of the tax by one percentage can be half of it by another.
  return isDeducted(present) ? deducted : (booked.map(taxAt).find(isPartOf) ?? deducted);
}

/**
 * Lines of what was taxed. Some programs give the line of tax the code too, with no tax of its own: its amount is the tax
 * beside the others.
 */
function withoutTheirTax(lines: readonly TaxedLine[]): readonly TaxedLine[] {
  const beside = lines.filter(({ tax_amount }) => tax_amount !== 0n);
  const others = lines.filter(({ tax_amount }) => tax_amount === 0n);
  const isTax = sum(others.map(({ amount }) => amount)) === sum(beside.map(({ tax_amount }) => tax_amount));
  return beside.length > 0 && isTax ? beside : lines;
}

/** The base of a tax: the given one, or, where that is not known, the one that follows from the percentage. */
function baseOf(given: Cents, tax: Cents, percentage: bigint): Pick<EntryAmounts, 'base' | 'isBaseDerived'> {
  const isBaseDerived = given === 0n && tax !== 0n && percentage > 0n;
  return { base: isBaseDerived ? divide(tax * HUNDRED, percentage) : given, isBaseDerived };
}

/** The accounts that tell sales from purchases. */
export type SideAccounts = Pick<
  Row<'administration'>,
  'debtor_account' | 'creditor_account' | 'vat_payable_account' | 'vat_receivable_account'
>;

/**
 * Of a code of both sides: the side of its journal. In other journals that of the account of VAT on which its lines of tax
 * are, or else, in the memorial, that of the account of customers or suppliers in its entry, or else the one on which its
 * tax stands, or its base.
 * @param lines with the code
 * @param entry the lines of its entry with a tax code or a relation
 */
function sideOf(
  journal: Row<'journal_entry'>['journal'],
  lines: readonly TaxedLine[],
  entry: readonly Pick<TaxedLine, 'account'>[],
  accounts: SideAccounts,
): TaxType {
  if (journal === 'sales') return 'Sales';
  if (journal === 'purchases') return 'Purchase';
  const taxLines = lines.filter(({ amount, tax_amount }) => amount === tax_amount);
  const total = (of: 'tax_amount' | 'tax_base') => sum(lines.map((line) => line[of]));
  return (
    sideByAccount(taxLines, accounts.vat_payable_account, accounts.vat_receivable_account) ??
    // A statement of the bank has payments of others beside what was bought or sold.
    (journal === 'memorial' ? sideByAccount(entry, accounts.debtor_account, accounts.creditor_account) : undefined) ??
    ((total('tax_amount') || total('tax_base')) < 0n ? 'Sales' : 'Purchase')
  );
}

/** The side of lines on one of two accounts; undefined where they are on both or on none. */
function sideByAccount(
  lines: readonly Pick<TaxedLine, 'account'>[],
  sales: string,
  purchases: string,
): TaxType | undefined {
  const isOn = (number: string) => lines.some(({ account }) => account === number);
  if (isOn(sales) === isOn(purchases)) return undefined;
  return isOn(sales) ? 'Sales' : 'Purchase';
}

/**
 * The lines of an entry by their tax code; by their relation too, where there are several and each line has one: listings
 * have every customer's amount.
 */
function amountsOfOne<Line extends { tax_code: string; relation_id: bigint | null }>(
  lines: readonly Line[],
): { taxCode: string; group: Line[]; relationId?: string }[] {
  return [...Map.groupBy(lines, ({ tax_code }) => tax_code)].flatMap(([taxCode, group]) => {
    const byRelation = Map.groupBy(group, ({ relation_id }) => relation_id);
    if (byRelation.size === 1 || byRelation.has(null)) return [{ taxCode, group }];
    return [...byRelation].map(([id, group]) => ({ taxCode, group, relationId: String(id) }));
  });
}

/** The percentages that the purchases of an administration had, by tax code; of the codes of which a part is deducted. */
async function bookedPercentages(
  db: Database,
  administrationId: bigint,
  codes: readonly string[],
  ruleOf: RuleFinder,
): Promise<ReadonlyMap<string, readonly bigint[]>> {
  const partly = codes.filter((taxCode) => {
    const { share = HUNDRED } = ruleOf({ taxType: 'Purchase', isCredit: false, taxCode }) ?? {};
    return share > 0n && share < HUNDRED;
  });
  if (partly.length === 0) return new Map();
  const rows = await db
    .selectFrom('purchase_invoice_line as line')
    .innerJoin('purchase_invoice as invoice', 'invoice.id', 'line.purchase_invoice_id')
    .where('invoice.administration_id', '=', administrationId)
    .where('line.tax_code', 'in', partly)
    .select(['line.tax_code', 'line.tax_pc'])
    .distinct()
    .orderBy('line.tax_pc', 'desc')
    .execute();
  const byCode = Map.groupBy(rows, ({ tax_code }) => tax_code);
  return new Map([...byCode].map(([code, group]) => [code, group.map(({ tax_pc }) => tax_pc)]));
}

/** What entries without a document book on tax codes. @param after only of entries made after that */
export async function entryVatLines(
  db: Database,
  administration: Pick<Row<'administration'>, 'id'> & SideAccounts,
  ruleOf: RuleFinder,
  { first, last, after }: { first: CalendarDate; last: CalendarDate; after?: bigint | undefined },
): Promise<DocumentRow[]> {
  const { id, vat_payable_account: payable, vat_receivable_account: receivable } = administration;
  const rows = await db
    .selectFrom('journal_entry as entry')
    .innerJoin('journal_line as line', 'line.journal_entry_id', 'entry.id')
    .leftJoin('relation', 'relation.id', 'line.relation_id')
    .where('entry.administration_id', '=', id)
    .where('line.administration_id', '=', id)
    .where('line.date', '>=', first)
    .where('line.date', '<=', last)
    .where('entry.sales_invoice_id', 'is', null)
    .where('entry.purchase_invoice_id', 'is', null)
    .$if(after !== undefined, (query) => query.where('entry.created_on', '>', after!))
    .where((eb) =>
      eb.or([
        eb('line.tax_code', '<>', ''),
        // The relation of an entry may stand on another line than its tax.
        eb('line.relation_id', 'is not', null),
      ]),
    )
    .orderBy('line.date')
    .orderBy('entry.id')
    .orderBy('line.id')
    .select([
      'entry.id',
      'entry.entry_number',
      'entry.journal',
      'entry.description',
      'entry.created_on',
      'entry.is_imported',
      'line.date',
      'line.document',
      'line.ledger_account_number as account',
      'line.tax_code',
      'line.tax_base',
      'line.tax_amount',
      'line.debit',
      'line.credit',
      'line.relation_id',
      'relation.name',
      'relation.country_code',
      'relation.vat_number',
    ])
    .execute();
  const codes = await db
    .selectFrom('tax_code')
    .where('administration_id', '=', id)
    .select(['code', 'tax_type', 'percentage'])
    .execute();
  const used = [...new Set(rows.map(({ tax_code }) => tax_code))].filter((code) => code !== '');
  const booked = await bookedPercentages(db, id, used, ruleOf);
  const found: DocumentRow[] = [];
  for (const entry of Map.groupBy(rows, (row) => row.id).values()) {
    const related = entry.find(({ name }) => name !== null);
    const taxed = entry.filter(({ tax_code }) => tax_code !== '');
    for (const { taxCode, group, relationId } of amountsOfOne(taxed)) {
      const lines = group.map(({ debit, credit, ...line }) => ({ ...line, amount: debit - credit }));
      const named = codes.filter(({ code }) => code === taxCode);
      const [line] = group as [(typeof group)[number]];
      const side = sideOf(line.journal, lines, entry, administration);
      const known = named.find(({ tax_type }) => tax_type === side) ?? named[0];
      const taxType = known?.tax_type ?? side;
      const rule = ruleOf({ taxType, isCredit: false, taxCode });
      const selfAssessed = rule?.selfAssessed ?? 0n;
      const kind = {
        percentage: selfAssessed || (known?.percentage ?? 0n),
        share: rule?.share ?? HUNDRED,
        booked: booked.get(taxCode) ?? [],
        isSelfAssessed: selfAssessed > 0n,
      };
      const amounts = entryAmounts(taxType, kind, lines, { payable, receivable });
      const { base, tax } = amounts;
      if (base === 0n && tax === 0n && !amounts.booked?.assessed && !amounts.booked?.deductible) continue;
      const party = group.find(({ name }) => name !== null) ?? related;
      found.push({
        document: `entry ${line.id}`,
        number: line.document || line.entry_number || line.description,
        date: line.date,
        taxType,
        taxCode,
        classification: '',
        account: lines.find(({ amount, tax_amount }) => amount !== tax_amount)?.account ?? '',
        ...amounts,
        // A credit of a document has a total below zero; an entry has none, so its base says it.
        total_incl: base === 0n ? tax : base,
        created_on: line.created_on,
        isImported: line.is_imported === 1n,
        relation_name: party?.name ?? '',
        country_code: party?.country_code ?? '',
        vat_number: party?.vat_number ?? '',
        ...(relationId === undefined ? {} : { relationId }),
      });
    }
  }
  return found;
}
