import { centsText } from '../../../../shared/money.ts';
import type { AuditfileReport } from '../../../../shared/resources/generalLedger/auditfile.ts';
import type { ImportOptions } from '../../administration.ts';
import { type AuditfileResult, importAuditfile } from '../import/auditfile/auditfile.ts';
import { rememberedWrites, rememberWrites } from '../pushedWrites/appliedWrites.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';

/** Problems, and warnings, of a report. */
const MAX_SHOWN = 100;
/** Characters of a text of a report, which may quote the file. */
const MAX_LENGTH = 300;

/**
 * Checks or imports an audit file. The key of an import is stored in its transaction: one that is repeated, because its
 * outcome was lost, returns the report of the first time.
 */
export async function importJob(
  context: EndpointContext,
  file: string,
  { key, isCheck, replace, takeWithWarnings, signal, onRead }: ImportOptions,
): Promise<AuditfileReport> {
  const { db, administration, author } = context;
  const done = isCheck ? undefined : (await rememberedWrites(context, [key])).get(key);
  if (done !== undefined) return JSON.parse(done);
  const result = await importAuditfile(db, file, 'file', {
    administrationId: administration.id,
    now: context.now(),
    author,
    replace,
    takeWithWarnings,
    isCheck,
    onRead(bytes) {
      signal.throwIfAborted();
      onRead(bytes);
    },
    finish: (trx, result) =>
      rememberWrites({ ...context, db: trx }, new Map([[key, JSON.stringify(reportOf(result))]])),
  });
  return reportOf(result);
}

function reportOf(result: AuditfileResult): AuditfileReport {
  const { company, software, fiscalYear, days, accounts, relations, taxCodes, checked, opening, entries } = result;
  const { differences, ...counts } = entries;
  return {
    company: { name: cut(company.name), taxNumber: cut(company.taxNumber) },
    software: cut(software),
    fiscalYear,
    firstDay: days?.first ?? '',
    lastDay: days?.last ?? '',
    accounts,
    relations,
    taxCodes,
    openingBalance: totalOf(checked.openingBalance),
    transactions: totalOf(checked.transactions),
    opening,
    entries: counts,
    replaces: opening === 'replaced' || differences.length > 0,
    differences: differences.map(cut),
    problemCount: result.problems.length,
    problems: result.problems
      .slice(0, MAX_SHOWN)
      .map(({ line, column, message }) => ({ line, element: cut(column), message: cut(message) })),
    contradictions: result.contradictions,
    warnings: result.warnings.slice(0, MAX_SHOWN).map(cut),
  };
}

const totalOf = (tally: AuditfileResult['checked']['transactions']) =>
  tally === undefined
    ? null
    : { lines: String(tally.lines), debit: centsText(tally.debit), credit: centsText(tally.credit) };

const cut = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text);
