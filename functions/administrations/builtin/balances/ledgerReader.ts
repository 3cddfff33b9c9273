import { fieldError } from '../../../../shared/fieldErrors.ts';
import { refuseFields } from '../../../../shared/problem.ts';
import type { BalanceList, BalanceQuery } from '../../../../shared/resources/generalLedger/ledgerBalance.ts';
import type { EntryPage, EntryQuery } from '../../../../shared/resources/generalLedger/ledgerEntry.ts';
import type { FiguresQuery, LedgerFigures } from '../../../../shared/resources/generalLedger/ledgerFigures.ts';
import type { OpenItemPage, OpenItemQuery } from '../../../../shared/resources/generalLedger/openItem.ts';
import { bookableDays } from '../ledger/bookingDates.ts';
import type { Database } from '../sql/database.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { prepared } from '../sql/prepared.ts';
import { atOneMoment } from '../sql/transaction.ts';
import { accountBalances, accountsOf, balancesOfEach, fiscalYearsOf } from './balances.ts';
import { entryLines } from './entryLines.ts';
import { type FiscalYears, type Period, periodOf } from './fiscalYears.ts';
import { openAmounts } from './openAmounts.ts';
import { openItems } from './openItems.ts';

/** Reads the ledger of an administration; each response is of one moment. */
export function ledgerReader({ db, administration, today }: Pick<EndpointContext, 'db' | 'administration' | 'today'>) {
  return {
    balances: ({ from, to }: BalanceQuery): Promise<BalanceList> =>
      atOneMoment(db, async (snapshot) => {
        const years = await fiscalYearsOf(snapshot, administration);
        const period = periodFrom({ from, to }, years) ?? years.yearOf(today());
        const balances = await accountBalances(snapshot, administration, period, years);
        const version = await versionOf(snapshot, administration.id);
        return { from: period.first, to: period.last, version, balances };
      }),
    entries: ({ from, to, ...query }: EntryQuery): Promise<EntryPage> =>
      atOneMoment(db, async (snapshot) => {
        if (from === undefined && to === undefined) return entryLines(snapshot, administration.id, query);
        const years = await fiscalYearsOf(snapshot, administration);
        const first = from === undefined ? undefined : periodIn('from', from, years).first;
        const last = to === undefined ? undefined : periodIn('to', to, years).last;
        refuseBackwards(first, last);
        const days = { ...(first === undefined ? {} : { first }), ...(last === undefined ? {} : { last }) };
        return entryLines(snapshot, administration.id, { ...query, ...days });
      }),
    figures: ({ period, open }: FiguresQuery): Promise<LedgerFigures> =>
      atOneMoment(db, async (snapshot) => {
        const years = await fiscalYearsOf(snapshot, administration);
        const asked = period.map((text, at) => daysOf(`period[${at}]`, text, years));
        const days = open.map((text, at) => periodIn(`open[${at}]`, text, years).last);
        const accounts = await accountsOf(snapshot, administration.id);
        const forwards = asked.filter(({ first, last }) => first <= last);
        const figures = (await balancesOfEach(snapshot, administration, forwards, years)).values();
        return {
          version: await versionOf(snapshot, administration.id),
          accounts: [...accounts]
            .map(([number, { name }]) => ({ number, name }))
            .sort((a, b) => (a.number < b.number ? -1 : 1)),
          bookable: await bookableDays({ db: snapshot, administration }),
          periods: asked.map(({ first, last }) => {
            const isBackwards = first > last;
            return { isBackwards, figures: isBackwards ? [] : figures.next().value! };
          }),
          open: await openAmounts(snapshot, administration, days),
        };
      }),
    openItems: ({ at, ...query }: OpenItemQuery): Promise<OpenItemPage> =>
      atOneMoment(db, async (snapshot) => {
        const day = at === undefined ? today() : periodIn('at', at, await fiscalYearsOf(snapshot, administration)).last;
        return openItems(snapshot, administration, query, day);
      }),
  };
}

/** The end of the log: every change moves it. */
async function versionOf(db: Database, administrationId: bigint): Promise<string> {
  const [head] = await headOf(db, { administrationId });
  return String(head!.sequence);
}

const headOf = prepared((db, { administrationId }: { administrationId: bigint }) =>
  db.selectFrom('log_head').where('administration_id', '=', administrationId).select('sequence'),
);

/** The days of a query; undefined when it names none. @throws Problem */
function periodFrom(query: { from?: string | undefined; to?: string | undefined }, years: FiscalYears) {
  const from = query.from === undefined ? undefined : periodIn('from', query.from, years);
  const to = query.to === undefined ? from : periodIn('to', query.to, years);
  if (to === undefined) return undefined;
  const first = from?.first ?? years.yearOf(to.last).first;
  refuseBackwards(first, to.last);
  return { first, last: to.last };
}

/** The days of `from..to`, or of `..to`, which begins with its fiscal year. @throws Problem */
function daysOf(parameter: string, text: string, years: FiscalYears): Period {
  const [from, to, ...others] = text.split('..');
  if (from === undefined || to === undefined || others.length > 0)
    throw refuseFields([fieldError(parameter, 'NOT_PERIODS', { given: JSON.stringify(text) })]);
  const { last } = periodIn(parameter, to, years);
  return { first: from === '' ? years.yearOf(last).first : periodIn(parameter, from, years).first, last };
}

function periodIn(parameter: string, text: string, years: FiscalYears): Period {
  const period = periodOf(text, years);
  if (period !== undefined) return period;
  throw refuseFields([fieldError(parameter, 'NOT_PERIOD', { given: JSON.stringify(text) })]);
}

function refuseBackwards(first: string | undefined, last: string | undefined): void {
  if (first === undefined || last === undefined || first <= last) return;
  throw refuseFields([fieldError('to', 'PERIOD_BEFORE_START', { from: first, to: last })]);
}
