import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  type AuditfileTarget,
  importAuditfile,
} from '../../functions/administrations/builtin/import/auditfile/auditfile.ts';
import type { Database } from '../../functions/administrations/builtin/sql/database.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { importInto, NOW } from './imports.ts';

export const NAMESPACE = 'http://www.auditfiles.nl/XAF/3.2';

type Parts = Partial<Record<'header' | 'parties' | 'ledger' | 'vat' | 'periods' | 'opening' | 'transactions', string>>;

const usual: Required<Parts> = {
  header: `<fiscalYear>2025</fiscalYear><startDate>2025-01-01</startDate><endDate>2025-12-31</endDate>
<curCode>EUR</curCode><dateCreated>2026-01-02</dateCreated>`,
  parties: '',
  ledger: `
<ledgerAccount><accID>0100</accID><accDesc>Grond &amp; gebouw</accDesc><accTp>B</accTp></ledgerAccount>
<ledgerAccount><accID>8000</accID><accDesc>Omzet één</accDesc><accTp>P</accTp></ledgerAccount>`,
  vat: '',
  periods: '',
  opening: '',
  transactions: '',
};

/** An auditfile of some parts; the others are usual ones. */
export const auditfile = (given: Parts = {}, root = `auditfile xmlns="${NAMESPACE}"`): string => {
  const parts = { ...usual, ...given };
  return `<?xml version="1.0" encoding="utf-8"?>
<${root}>
<header>${parts.header}</header>
<company><companyName>X</companyName><taxRegistrationCountry>NL</taxRegistrationCountry><taxRegIdent/>
<customersSuppliers>${parts.parties}</customersSuppliers>
<generalLedger>${parts.ledger}</generalLedger>
<vatCodes>${parts.vat}</vatCodes>
<periods>${parts.periods}</periods>
${parts.opening}${parts.transactions}</company>
</auditfile>
`;
};

export const LEDGER = usual.ledger;

export const line = (account: string, amount: string, side: 'D' | 'C', more = '') =>
  `<trLine><nr>1</nr><accID>${account}</accID><docRef/><effDate>2025-02-01</effDate><amnt>${amount}</amnt><amntTp>${side}</amntTp>${more}</trLine>`;
export const transactions = (count: string, debit: string, credit: string, lines: string, journal = '') => `
<transactions><linesCount>${count}</linesCount>
<totalDebit>${debit}</totalDebit>
<totalCredit>${credit}</totalCredit>
<journal><jrnID>1</jrnID><desc>J</desc>${journal}<transaction><nr>1</nr><periodNumber>1</periodNumber><trDt>2025-02-01</trDt>${lines}</transaction></journal>
</transactions>`;

/** An audit file with thousands of entries of two lines: importing it takes long enough to be seen. */
export function manyEntries(count: number): string {
  const entries = Array.from(
    { length: count },
    (_, index) =>
      `<transaction><nr>${index}</nr><periodNumber>1</periodNumber><trDt>2025-03-01</trDt>${line('0100', '1.00', 'D')}${line('8000', '1.00', 'C')}</transaction>`,
  );
  return auditfile({
    transactions: `<transactions><linesCount>${2 * count}</linesCount><totalDebit>${count}.00</totalDebit><totalCredit>${count}.00</totalCredit><journal><jrnID>1</jrnID><desc>J</desc>${entries.join('\n')}</journal></transactions>`,
  });
}

/** Returns a function that imports an auditfile, by default into an administration without accounts and tax codes. */
export function auditfileImporter() {
  const folder = temporaryFolder();
  let files = 0;
  return async (
    content: string | Buffer,
    into?: Pick<Awaited<ReturnType<typeof importInto>>, 'db' | 'administrationId'>,
    options: Pick<AuditfileTarget, 'replace' | 'takeWithWarnings' | 'onRead'> = {},
  ) => {
    const file = path.join(folder, `file-${++files}.xaf`);
    writeFileSync(file, content);
    const { db, administrationId } = into ?? (await importInto());
    if (into === undefined) await removeChart(db, administrationId);
    const result = await importAuditfile(db, file, 'books.xaf', { administrationId, now: NOW, ...options });
    const problems = result.problems.map(({ place, column, message }) => `${place} ${column}: ${message}`);
    return { db, administrationId, result, problems };
  };
}

/** Removes accounts, tax codes and control accounts. */
export async function removeChart(db: Database, administrationId: bigint): Promise<void> {
  await db.deleteFrom('ledger_account').execute();
  await db.deleteFrom('tax_code').execute();
  const none = { debtor_account: '', creditor_account: '', vat_payable_account: '', vat_receivable_account: '' };
  await db.updateTable('administration').where('id', '=', administrationId).set(none).execute();
}

/** The line of a text, from 1. */
export const lineOf = (content: string, text: string): number =>
  content.slice(0, content.indexOf(text)).split('\n').length;
