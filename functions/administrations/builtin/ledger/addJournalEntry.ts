import type { Found } from '../../../../shared/fieldErrors.ts';
import { type FieldError, fieldError } from '../../../../shared/fieldErrors.ts';
import { MONEY_SCALE, units } from '../../../../shared/money.ts';
import { refuseFields } from '../../../../shared/problem.ts';
import {
  centsOf,
  type JournalEntry,
  type JournalEntryAddition,
} from '../../../../shared/resources/generalLedger/journalEntry.ts';
import { nextNumber } from '../documentParts/numbering.ts';
import { findParties } from '../relations/party.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import type { Row } from '../sql/schema.ts';
import { bookingDates } from './bookingDates.ts';
import { costCenterNames, knownAccounts } from './ledgerAccounts.ts';
import { storeEntries } from './storeEntries.ts';

type Line = JournalEntryAddition['JournalEntry_Line'][number];

const LINES = 'JournalEntry_Line';

/**
 * Books an entry without a document, in the caller's transaction.
 * @throws Problem INVALID_REQUEST naming the field
 */
export async function addJournalEntry(context: EndpointContext, request: JournalEntryAddition): Promise<JournalEntry> {
  const { db, administration } = context;
  const { Journal, EntryDescription = '', [LINES]: lines } = request;
  const date = request.EntryDate ?? context.today();
  const [dateErrors, accounts, codes, partyOf] = [
    (await bookingDates(context))(date, 'EntryDate'),
    await knownAccounts(context, lines),
    await taxCodesIn(context, lines),
    await partiesOf(context, lines),
  ];
  const parties = lines.map(partyOf);
  const errors = lines.flatMap((line, index): FieldError[] => {
    const { LedgerAccountNumber: number, TaxCode: code } = line;
    const at = `${LINES}[${index}]`;
    const party = parties[index];
    return [
      ...(accounts.has(number) ? [] : [fieldError(`${at}.LedgerAccountNumber`, 'NO_SUCH_ACCOUNT', { number })]),
      ...(code === undefined || codes.has(code) ? [] : [fieldError(`${at}.TaxCode`, 'UNKNOWN_TAX_CODE', { code })]),
      ...(party?.kind === 'refused' ? [{ ...party.reason, path: `${at}.${party.reason.path}` }] : []),
    ];
  });
  if (dateErrors.length + errors.length > 0) throw refuseFields([...dateErrors, ...errors]);

  const number = request.EntryNumber ?? String(await nextNumber(db, administration.id, 'journal_entry'));
  const costCenters = await costCenterNames(
    context,
    lines.map(({ CostCenter = '' }) => CostCenter),
  );
  const stored = lines.map((line, index) => {
    const amount = centsOf(line);
    const party = parties[index];
    return {
      ledger_account_number: line.LedgerAccountNumber,
      amount,
      relation_id: party?.kind === 'found' ? party.value.id : null,
      document: line.LineDocument ?? '',
      description: line.Description ?? '',
      cost_center: costCenters[index]!,
      ...taxOf(line, amount),
    };
  });
  const entry = { journal: Journal, entry_number: number, date, description: EntryDescription };
  await storeEntries(context, [{ ...entry, created_on: context.now(), lines: stored }]);
  return { EntryNumber: number, EntryDate: date, Journal, EntryDescription };
}

/** The tax columns of a line: what is taxed is on the side of the line. */
function taxOf({ TaxCode, TaxBase = '0', TaxAmount }: Line, amount: bigint) {
  if (TaxCode === undefined) return {};
  const onSide = (decimal: string) => (amount < 0n ? -1n : 1n) * units(decimal, MONEY_SCALE);
  const tax = TaxAmount === undefined ? amount : onSide(TaxAmount);
  return { tax_code: TaxCode, tax_base: onSide(TaxBase), tax_amount: tax };
}

/** The tax codes of lines that exist in the administration, of purchases or sales. */
async function taxCodesIn(
  { db, administration }: EndpointContext,
  lines: readonly Line[],
): Promise<ReadonlySet<string>> {
  const named = [...new Set(lines.flatMap(({ TaxCode }) => TaxCode ?? []))];
  if (named.length === 0) return new Set();
  const rows = await db
    .selectFrom('tax_code')
    .where('administration_id', '=', administration.id)
    .where('code', 'in', named)
    .select('code')
    .execute();
  return new Set(rows.map(({ code }) => code));
}

/** The relation of each line that names one, or why there is none. */
async function partiesOf(
  context: EndpointContext,
  lines: readonly Line[],
): Promise<(line: Line) => Found<Row<'relation'>> | undefined> {
  const customer = await findParties(
    context,
    'Customer',
    lines.filter(({ CustomerNumber }) => CustomerNumber),
  );
  const supplier = await findParties(
    context,
    'Supplier',
    lines.filter(({ SupplierNumber }) => SupplierNumber),
  );
  return (line) => (line.CustomerNumber ? customer(line) : line.SupplierNumber ? supplier(line) : undefined);
}
