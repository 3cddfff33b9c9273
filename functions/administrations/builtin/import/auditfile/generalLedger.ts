import { accountsOfAuditfiles } from '../accounts.ts';
import type { OpenSink } from './recordSink.ts';
import { textOf, type XmlRecord } from './records.ts';

/** An account of the file, with what follows from its lines. */
export type AccountRecord = {
  record: XmlRecord;
  /** Debit less credit of opening balance and transactions, in cents. */
  balance: bigint;
  /** That of the opening balance; undefined when it does not have the account. */
  opening: bigint | undefined;
  /** Whether the opening balance has it, or a journal of openings. */
  isCarriedForward: boolean;
};

/** Adds an account. A repeated one gets a key that no line has, and is refused when it is stored. */
export function addAccount(ledger: Map<string, AccountRecord>, record: XmlRecord): void {
  const number = textOf(record, 'accID');
  const key = ledger.has(number) ? `${number}\n${record.line}` : number;
  ledger.set(key, { record, balance: 0n, opening: undefined, isCarriedForward: false });
}

const headings = ['Number', 'Name', 'FiscalYear', 'LedgerType', 'DebetOrCredit'];
const elements = { Number: 'accID', Name: 'accDesc', LedgerType: 'accTp', FiscalYear: 'fiscalYear' };

/** Stores the accounts; returns how many have their side by which rule. */
export async function storeAccounts(
  openSink: OpenSink,
  ledger: Iterable<AccountRecord>,
  year: number,
): Promise<Record<SideRule, number>> {
  const sides = { 'RGS code': 0, balance: 0, 'account number': 0, type: 0 };
  const sink = await openSink(accountsOfAuditfiles, headings, elements);
  for (const account of ledger) {
    const { type, side, rule } = accountRow(account);
    sides[rule]++;
    const { record } = account;
    await sink.add(record, [textOf(record, 'accID'), textOf(record, 'accDesc'), String(year), type, side]);
  }
  await sink.end();
  return sides;
}

/** The rules for the side of an account. */
export type SideRule = 'RGS code' | 'balance' | 'account number' | 'type';

/** A code of the Dutch reference chart: balance or income, the group, and its parts. */
const rgsCode = /^([BW])[A-Z][a-z]{2}(?:[A-Z][a-z]{2})*/;

/** Groups of the reference chart whose accounts are nearly all on one side. */
const creditGroups = new Set(['BEiv', 'BVrz', 'BLas', 'BSch', 'WOmz', 'WOvb', 'WOvt', 'WNer']);
const debitGroups = new Set(['BIva', 'BMva', 'BVas', 'BVrd', 'BPro', 'BVor', 'BEff', 'BLim']);
for (const group of ['WKpr', 'WPer', 'WAfs', 'WBed', 'WBel']) debitGroups.add(group);

/** The type and the side of an account, by the first rule that applies. */
function accountRow({ record, balance, isCarriedForward }: AccountRecord): {
  type: string;
  side: 'debet' | 'credit';
  rule: SideRule;
} {
  const text = (element: string) => textOf(record, element);
  const rgs = rgsCode.exec(text('RGScode') || text('leadReference'));
  const type = typeOf(text('accTp'), rgs?.[1], isCarriedForward);
  const group = rgs?.[0].slice(0, 4) ?? '';
  // Accumulated depreciation of fixed assets.
  const isDepreciation = /^B(Iva|Mva|Vas)[A-Z][a-z]{2}C/.test(rgs?.[0] ?? '');
  if (creditGroups.has(group) || isDepreciation) return { type, side: 'credit', rule: 'RGS code' };
  if (debitGroups.has(group)) return { type, side: 'debet', rule: 'RGS code' };
  if (balance !== 0n) return { type, side: balance > 0n ? 'debet' : 'credit', rule: 'balance' };
  // Revenue in the usual Dutch numbering.
  if (type === 'IncomeStatement' && text('accID').startsWith('8')) {
    return { type, side: 'credit', rule: 'account number' };
  }
  return { type, side: 'debet', rule: 'type' };
}

/** A mixed account is of the balance sheet when its balance was carried forward into the year. */
function typeOf(accTp: string, rgs: string | undefined, isCarriedForward: boolean): string {
  if (accTp === 'B') return 'BalanceSheet';
  if (accTp === 'P') return 'IncomeStatement';
  if (accTp !== 'M') return accTp;
  return rgs === 'B' || (rgs === undefined && isCarriedForward) ? 'BalanceSheet' : 'IncomeStatement';
}
