import { sql } from 'kysely';
import { abs, type Cents, centsText, HUNDRED, sum } from '../../../../shared/money.ts';
import type { AuditfileVersion } from '../../../../shared/resources/generalLedger/auditfileYear.ts';
import { journalKinds } from '../../../../shared/resources/generalLedger/ledgerEntry.ts';
import { addDays, type CalendarDate } from '../../../../shared/wire/calendarDate.ts';
import { version as softwareVersion } from '../../version.ts';
import { type Account, accountsOf, balancesIn, fiscalYearsOf } from '../balances/balances.ts';
import { daysOfMonths, fiscalYearNamed, type Period } from '../balances/fiscalYears.ts';
import { CommandError } from '../files/commandError.ts';
import { OWN_SOFTWARE } from '../import/auditfile/customersSuppliers.ts';
import { journalTypes } from '../import/auditfile/entries.ts';
import { linesOfEntries } from '../ledger/linesOfEntries.ts';
import type { Database } from '../sql/database.ts';
import { pagesOf } from '../sql/pages.ts';
import type { Row } from '../sql/schema.ts';
import { vatRulesOf } from '../vat/administrationRules.ts';
import { layouts } from './layouts.ts';
import { percentageText, type VatRate } from './lineVat.ts';
import { partyIds } from './partyIds.ts';
import { recordWriter, type Values } from './record.ts';
import { addedByParts, type LineTotals, taxedLines } from './taxedLines.ts';

type Administration = Row<'administration'>;
type JournalKind = (typeof journalKinds)[number];

/** What is written of each journal. */
const journals: Record<JournalKind, { id: string; name: string; offset?: 'debtor_account' | 'creditor_account' }> = {
  sales: { id: 'VERK', name: 'Verkoop', offset: 'debtor_account' },
  purchases: { id: 'INK', name: 'Inkoop', offset: 'creditor_account' },
  bank: { id: 'BANK', name: 'Bank' },
  cash: { id: 'KAS', name: 'Kas' },
  memorial: { id: 'MEMO', name: 'Memoriaal' },
};

/** What identifies accounts and codes has at most this many characters. */
const MAX_ID_LENGTH = 35;

/** What an audit file holds. */
export type AuditfileContents = {
  period: Period;
  relations: number;
  entries: number;
  lines: bigint;
  debit: Cents;
  credit: Cents;
  /** How many texts were longer than the format allows, by their element. */
  cut: Map<string, number>;
};

export type AuditfileOptions = { year: string; version: AuditfileVersion; today: CalendarDate };

/**
 * Writes a fiscal year as an XML Auditfile Financieel, entry by entry.
 * @param options.year `2026` or `2026-07`, when it begins
 * @param write gets the file in pieces; each entry is one
 * @throws CommandError when there is nothing in that year, or the books lack what the format requires
 */
export async function writeAuditfile(
  db: Database,
  administration: Administration,
  { year, version, today }: AuditfileOptions,
  write: (text: string, piece: 'entry' | 'other') => Promise<void>,
): Promise<AuditfileContents> {
  const years = await fiscalYearsOf(db, administration);
  const { id: administrationId, name, vat_number } = administration;
  const period = fiscalYearNamed(year, years, name);
  if (vat_number === '') throw new CommandError(`${name} has no VAT number, which an audit file needs: set it first.`);
  const accounts = await accountsOf(db, administrationId, { year: Number(year.slice(0, 4)) });
  const opening = await openingBalance(db, administration, period, years);
  const total = await totalsIn(db, administrationId, period);
  if (total.lines === 0n && opening.length === 0) {
    throw new CommandError(`The books of ${name} have nothing in ${period.first} to ${period.last}.`);
  }
  await requireDefined(db, administrationId, period, accounts, opening);
  const contents: AuditfileContents = { period, relations: 0, entries: 0, ...total, cut: new Map() };
  const layout = layouts[version];
  const xml = recordWriter((element) => contents.cut.set(element, (contents.cut.get(element) ?? 0) + 1));
  const record = (
    element: 'header' | 'customerSupplier' | 'ledgerAccount' | 'vatCode' | 'period' | 'obLine',
    values: Values,
  ) => xml({ [element]: layout[element] }, { [element]: values });

  const other = (text: string) => write(text, 'other');
  await other(`<?xml version="1.0" encoding="UTF-8"?>\n<auditfile xmlns="${layout.namespace}">\n`);
  await other(
    record('header', {
      fiscalYear: yearText(period),
      startDate: period.first,
      endDate: period.last,
      curCode: 'EUR',
      dateCreated: today,
      softwareDesc: OWN_SOFTWARE,
      softwareVersion,
    }),
  );
  await other(`<company>\n${xml(layout.company, companyValues(administration))}<customersSuppliers>\n`);
  const parties = await partyIds(db, administrationId);
  for await (const values of relationValues(db, administrationId, parties, version)) {
    contents.relations++;
    await other(record('customerSupplier', values));
  }
  await other('</customersSuppliers>\n<generalLedger>\n');
  for (const values of accountValues(accounts)) await other(record('ledgerAccount', values));
  await other('</generalLedger>\n<vatCodes>\n');
  const codes = await vatCodesOf(db, administration, accounts);
  for (const { values } of codes.values()) await other(record('vatCode', values));
  await other('</vatCodes>\n<periods>\n');
  const periods = periodsOf(period);
  for (const [index, { first, last }] of periods.entries()) {
    const values = { periodNumber: String(index + 1), startDatePeriod: first, endDatePeriod: last };
    await other(record('period', values));
  }
  const sides = opening.map(({ amount }) => amount);
  const openingTotals = {
    opBalDate: period.first,
    linesCount: String(opening.length),
    totalDebit: centsText(sum(sides.filter((amount) => amount > 0n))),
    totalCredit: centsText(-sum(sides.filter((amount) => amount < 0n))),
  };
  await other(`</periods>\n<openingBalance>\n${xml(layout.openingBalance, openingTotals)}`);
  for (const [index, { number, amount }] of opening.entries()) {
    await other(record('obLine', { nr: String(index + 1), accID: number, ...sided('amnt', amount) }));
  }
  const totals = {
    linesCount: String(total.lines),
    totalDebit: centsText(total.debit),
    totalCredit: centsText(total.credit),
  };
  await other(`</openingBalance>\n<transactions>\n${xml(layout.transactions, totals)}`);
  for (const kind of journalKinds) {
    const { id, name: desc, offset } = journals[kind];
    const offsetAccID = offset === undefined ? '' : definedIn(accounts, administration[offset]);
    const beginning = `<journal>\n${xml(layout.journal, { jrnID: id, desc, jrnTp: journalTypes[kind], offsetAccID })}`;
    let hasEntries = false;
    for await (const page of entriesOf(db, administrationId, kind, period)) {
      if (!hasEntries) await other(beginning);
      hasEntries = true;
      contents.entries += page.length;
      for (const entry of page) {
        const transaction = transactionValues(entry, { periods, parties, codes });
        await write(xml({ transaction: layout.transaction }, { transaction }), 'entry');
      }
    }
    if (hasEntries) await other('</journal>\n');
  }
  await other('</transactions>\n</company>\n</auditfile>\n');
  return contents;
}

/** An amount with its side, as elements. */
const sided = (element: 'amnt' | 'vatAmnt', amount: Cents): Values => ({
  [element]: centsText(abs(amount)),
  [`${element}Tp`]: amount < 0n ? 'C' : 'D',
});

/** `2026`, or `2025-2026` for a year that ends in another calendar year. */
function yearText({ first, last }: Period): string {
  const [begins, ends] = [first.slice(0, 4), last.slice(0, 4)];
  return begins === ends ? begins : `${begins}-${ends}`;
}

const companyValues = (administration: Administration): Values => ({
  Commercenr: administration.company_number,
  companyName: administration.name,
  taxRegistrationCountry: administration.country,
  taxRegIdent: administration.vat_number,
  streetAddress: addressValues({ ...administration, country_code: administration.country }),
});

type Address = Pick<Row<'relation'>, 'street' | 'unit' | 'unit_appendix' | 'city' | 'postal_code' | 'country_code'>;

const addressValues = ({ street, unit, unit_appendix, city, postal_code, country_code }: Address): Values => ({
  streetname: street,
  number: unit,
  numberExtension: unit_appendix,
  city,
  postalCode: postal_code,
  country: countryOf(country_code),
});

const countryOf = (code: string): string => (/^[A-Z]{2}$/.test(code) ? code : '');

/** The number of an account that the file has, else "". */
const definedIn = (accounts: ReadonlyMap<string, Account>, number: string): string =>
  accounts.has(number) ? number : '';

/** @throws CommandError for an account that was booked on, and that the administration does not have */
async function requireDefined(
  db: Database,
  administrationId: bigint,
  { first, last }: Period,
  accounts: ReadonlyMap<string, Account>,
  opening: readonly { number: string }[],
): Promise<void> {
  const booked = await db
    .selectFrom('ledger_total')
    .where('administration_id', '=', administrationId)
    .where('date', '>=', first)
    .where('date', '<=', last)
    .select('ledger_account_number as number')
    .distinct()
    .orderBy('number')
    .execute();
  const strange = [...opening, ...booked].find(({ number }) => !accounts.has(number));
  if (strange === undefined) return;
  throw new CommandError(`Account ${strange.number} was booked on, and is no ledger account: see check.`);
}

/** The accounts of the balance sheet and the income statement, by number. @throws CommandError for a number that is too long */
function* accountValues(accounts: ReadonlyMap<string, Account>): Generator<Values> {
  for (const number of [...accounts.keys()].sort()) {
    const { name, type } = accounts.get(number)!;
    if (number.length > MAX_ID_LENGTH) {
      throw new CommandError(
        `Account ${number}: an audit file has account numbers of at most ${MAX_ID_LENGTH} characters.`,
      );
    }
    yield { accID: number, accDesc: name || number, accTp: type === 'BalanceSheet' ? 'B' : 'P' };
  }
}

async function* relationValues(
  db: Database,
  administrationId: bigint,
  ids: ReadonlyMap<bigint, string>,
  version: AuditfileVersion,
): AsyncGenerator<Values> {
  const other = version === '3.2' ? 'O' : '';
  const relations = db.selectFrom('relation').where('administration_id', '=', administrationId).selectAll();
  for await (const page of pagesOf(relations, ['guid'])) {
    const bankAccounts = await bankAccountsOf(
      db,
      page.map(({ id }) => id),
    );
    for (const relation of page) {
      const { is_customer: isCustomer, is_supplier: isSupplier } = relation;
      yield {
        custSupID: ids.get(relation.id)!,
        custSupName: relation.name,
        telephone: relation.phone,
        eMail: relation.email,
        commerceNr: relation.registration_number,
        taxRegistrationCountry: countryOf(relation.country_code),
        taxRegIdent: relation.vat_number,
        custSupTp: isCustomer === 1n ? (isSupplier === 1n ? 'B' : 'C') : isSupplier === 1n ? 'S' : other,
        streetAddress: addressValues(relation),
        bankAccount: bankAccounts.get(relation.id) ?? [],
      };
    }
  }
}

/** The bank accounts of relations that have a number, in their order. */
async function bankAccountsOf(db: Database, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, readonly Values[]>> {
  const rows = await db
    .selectFrom('relation_bank_account')
    .where('relation_id', 'in', ids)
    .where('iban', '<>', '')
    .orderBy('relation_id')
    .orderBy('position')
    .select(['relation_id', 'iban', 'bic'])
    .execute();
  const byRelation = Map.groupBy(rows, ({ relation_id }) => relation_id);
  return new Map(
    [...byRelation].map(([id, accounts]) => [
      id,
      // Written in groups, an IBAN would be longer than the element may be.
      accounts.map(({ iban, bic }) => ({ bankAccNr: iban.replace(/\s/g, ''), bankIdCd: bic })),
    ]),
  );
}

type VatCode = VatRate & { id: string; values: Values };

/** The tax codes; one that sales and purchases share is one code with both accounts. */
async function vatCodesOf(
  db: Database,
  administration: Administration,
  accounts: ReadonlyMap<string, Account>,
): Promise<Map<string, VatCode>> {
  const rows = await db
    .selectFrom('tax_code')
    .where('administration_id', '=', administration.id)
    .orderBy('code')
    .orderBy('id')
    .select(['code', 'percentage', 'tax_type'])
    .execute();
  const rules = await vatRulesOf(db, administration);
  const codes = new Map<string, VatCode>();
  const byCode = Map.groupBy(rows, ({ code }) => code);
  const taken = new Set([...byCode.keys()].filter((code) => code.length <= MAX_ID_LENGTH));
  for (const [code, sides] of byCode) {
    let id = code;
    for (let count = 1; id.length > MAX_ID_LENGTH; count++) {
      const shorter = `${code.slice(0, MAX_ID_LENGTH - 1 - String(count).length)}~${count}`;
      if (!taken.has(shorter)) id = shorter;
    }
    taken.add(id);
    const accountFor = (side: 'Sales' | 'Purchase', account: string) =>
      sides.some(({ tax_type }) => tax_type === side) ? definedIn(accounts, account) : '';
    codes.set(code, {
      id,
      percentage: sides[0]!.percentage,
      shares: [HUNDRED, ...rules.flatMap(({ taxCode, share }) => (taxCode === code ? share : []))],
      values: {
        vatID: id,
        vatDesc: code,
        vatToPayAccID: accountFor('Sales', administration.vat_payable_account),
        vatToClaimAccID: accountFor('Purchase', administration.vat_receivable_account),
      },
    });
  }
  return codes;
}

/** The calendar months of a fiscal year; the first and the last may be shorter. */
function periodsOf({ first, last }: Period): Period[] {
  const periods: Period[] = [];
  // No date is after the year 9999, so the last day ends the loop and not the day after it.
  for (let start = first; ; start = addDays(periods.at(-1)!.last, 1)) {
    const [year, month] = start.split('-').map(Number) as [number, number];
    const end = daysOfMonths(year, month, 1).last;
    if (end >= last) return [...periods, { first: start, last }];
    periods.push({ first: start, last: end });
  }
}

/** The accounts that a fiscal year opens with; debit is positive. @throws CommandError when that cannot be written */
async function openingBalance(
  db: Database,
  administration: Administration,
  { first }: Period,
  years: Awaited<ReturnType<typeof fiscalYearsOf>>,
): Promise<{ number: string; amount: Cents }[]> {
  const balances = await balancesIn(db, administration, { first, last: first }, { years });
  const opening = balances.flatMap(({ number, opening: amount }) => (amount === 0n ? [] : [{ number, amount }]));
  if (opening.some(({ number }) => number === '')) {
    throw new CommandError(
      'Results of earlier years are on no account, and an audit file needs one: set --result-account first.',
    );
  }
  const difference = sum(opening.map(({ amount }) => amount));
  if (difference === 0n) return opening;
  throw new CommandError(`The opening balance of ${first} is off by ${centsText(difference)}: see check.`);
}

/** What the lines of a year come to as they are written. */
async function totalsIn(db: Database, administrationId: bigint, period: Period): Promise<LineTotals> {
  const { first, last } = period;
  const { rows } = await sql<LineTotals>`
    select cast(count(*) as bigint) as lines, cast(coalesce(sum(debit), 0) as bigint) as debit,
      cast(coalesce(sum(credit), 0) as bigint) as credit
    from journal_line where administration_id = ${administrationId} and date >= ${first} and date <= ${last}`.execute(
    db,
  );
  const [inLedger] = rows as [LineTotals];
  const added = await addedByParts(db, administrationId, period);
  return {
    lines: inLedger.lines + added.lines,
    debit: inLedger.debit + added.debit,
    credit: inLedger.credit + added.credit,
  };
}

type Entry = { nr: string; entry: Row<'journal_entry'>; lines: readonly Row<'journal_line'>[] };

/** The entries of a journal with their lines, in the order of their days, page by page. */
async function* entriesOf(
  db: Database,
  administrationId: bigint,
  journal: JournalKind,
  { first, last }: Period,
): AsyncGenerator<Entry[]> {
  const entries = db
    .selectFrom('journal_entry')
    .where('administration_id', '=', administrationId)
    .where('journal', '=', journal)
    .where('date', '>=', first)
    .where('date', '<=', last);
  const repeated = await entries
    .where('entry_number', '<>', '')
    .groupBy('entry_number')
    .having(({ fn }) => fn.countAll(), '>', 1n)
    .select('entry_number')
    .execute();
  const isRepeated = new Set(repeated.map(({ entry_number }) => entry_number));
  for await (const page of pagesOf(entries.selectAll(), ['date', 'id'])) {
    const byEntry = await linesOfEntries(
      db,
      page.map(({ id }) => id),
    );
    const withTaxed = await taxedLines(db, page);
    yield page.map((entry) => {
      const { id, entry_number: number } = entry;
      // A journal has each number once. No number of an entry that is kept begins as those that are given here.
      const isKept =
        number !== '' && number.length <= MAX_ID_LENGTH && !number.startsWith('#') && !isRepeated.has(number);
      return { nr: isKept ? number : `#${id}`, entry, lines: withTaxed(entry, byEntry.get(id) ?? []) };
    });
  }
}

type References = {
  periods: readonly Period[];
  parties: ReadonlyMap<bigint, string>;
  codes: ReadonlyMap<string, VatCode>;
};

/** @throws CommandError for a tax code that the administration does not have */
function transactionValues({ nr, entry, lines }: Entry, { periods, parties, codes }: References): Values {
  const isOfInvoice = entry.sales_invoice_id !== null || entry.purchase_invoice_id !== null;
  return {
    nr,
    desc: entry.description,
    periodNumber: String(periods.findIndex(({ last }) => entry.date <= last) + 1),
    trDt: entry.date,
    trLine: lines.map((line, index) => {
      const code = line.tax_code === '' ? undefined : codes.get(line.tax_code);
      if (line.tax_code !== '' && code === undefined) {
        throw new CommandError(`Tax code ${line.tax_code} was booked on, and is no tax code: see check.`);
      }
      return {
        nr: String(index + 1),
        accID: line.ledger_account_number,
        docRef: line.document || nr,
        effDate: line.date,
        desc: line.description,
        ...sided('amnt', line.debit - line.credit),
        custSupID: line.relation_id === null ? '' : parties.get(line.relation_id)!,
        // A docRef that is the number of the entry would be read as none.
        invRef: isOfInvoice || line.document === nr ? line.document : '',
        cost: line.cost_center,
        costID: line.cost_center,
        ...(code === undefined
          ? {}
          : { vat: { vatID: code.id, vatPerc: percentageText(line, code), ...sided('vatAmnt', line.tax_amount) } }),
      };
    }),
  };
}
