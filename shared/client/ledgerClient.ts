import type { AuditfileQuery } from '../resources/generalLedger/auditfileYear.ts';
import { type BalanceList, balanceList } from '../resources/generalLedger/ledgerBalance.ts';
import { type EntryLine, type EntryPage, entryPage, MAX_ENTRY_LINES } from '../resources/generalLedger/ledgerEntry.ts';
import { type LedgerFigures, ledgerFigures } from '../resources/generalLedger/ledgerFigures.ts';
import { type OpenItemPage, openItemPage } from '../resources/generalLedger/openItem.ts';
import { ask, received, type Service, send } from './client.ts';

/** The days from the first of one period to the last of the other: `2026`, `2026-Q1`, `2026-03`, `2026-03-31`. */
type Periods = { from?: string | undefined; to?: string | undefined };
/** What lines are selected by; several accounts mean any of them. */
type EntrySelection = Periods & {
  accounts?: readonly string[];
  /** `entry` of a line. */
  entry?: string | undefined;
  relation?: string | undefined;
  document?: string | undefined;
};

export type LedgerClient = ReturnType<typeof createLedgerClient>;

/**
 * The ledger as functions. They throw a Problem for every refusal, NOT_IMPLEMENTED where there is none.
 * @param service whose base is the address of the app
 */
export function createLedgerClient(service: Service) {
  const targetOf = (path: string, parameters: readonly (readonly [string, string | undefined])[]): string => {
    const given = parameters.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
    return `/ledger/${path}?${new URLSearchParams(given)}`;
  };
  const page = (
    { accounts = [], ...selected }: EntrySelection,
    after: string | undefined,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<EntryPage> => {
    const selection = Object.entries({ ...selected, after, limit: String(limit) });
    const target = targetOf('entries', [...accounts.map((account) => ['account', account] as const), ...selection]);
    return ask(service, { method: 'GET', target, signal }, entryPage);
  };
  /** Pages of selected lines, by date and entry. */
  async function* entryPages(selection: EntrySelection = {}, signal?: AbortSignal): AsyncGenerator<EntryPage> {
    for (let after: string | null | undefined; after !== null; ) {
      const found = await page(selection, after, MAX_ENTRY_LINES, signal);
      yield found;
      after = found.next;
    }
  }
  return {
    balances: ({ from, to }: Periods = {}, signal?: AbortSignal): Promise<BalanceList> =>
      ask(service, { method: 'GET', target: targetOf('balances', Object.entries({ from, to })), signal }, balanceList),

    /** Figures of several periods and open amounts of several days, of one moment; each in the order given. */
    figures: (
      { periods = [], open = [] }: { periods?: readonly Periods[]; open?: readonly string[] },
      signal?: AbortSignal,
    ): Promise<LedgerFigures> => {
      const target = targetOf('figures', [
        ...periods.map(({ from = '', to = '' }) => ['period', `${from}..${to}`] as const),
        ...open.map((day) => ['open', day] as const),
      ]);
      return ask(service, { method: 'GET', target, signal }, ledgerFigures);
    },

    /** What is open at the end of a period, page by page, by relation and date. @param relation a RelationGUID; all if left out */
    async *openItems(
      { at, relation }: { at?: string | undefined; relation?: string | undefined } = {},
      signal?: AbortSignal,
    ): AsyncGenerator<OpenItemPage> {
      for (let after: string | null | undefined; after !== null; ) {
        const target = targetOf('openitems', Object.entries({ at, relation, after }));
        const page: OpenItemPage = await ask(service, { method: 'GET', target, signal }, openItemPage);
        yield page;
        after = page.next;
      }
    },

    /** A fiscal year as an audit file: its bytes, while they arrive. */
    async *auditfile({ year, version }: AuditfileQuery, signal?: AbortSignal): AsyncGenerator<Uint8Array<ArrayBuffer>> {
      const target = targetOf('auditfile', Object.entries({ year, version }));
      const reader = (await send(service, { method: 'GET', target, signal })).body!.getReader();
      try {
        for (;;) {
          const { done, value } = await received(reader.read());
          if (done) return;
          yield value;
        }
      } finally {
        // What broke off cannot be cancelled any more.
        await reader.cancel().catch(() => {});
      }
    },

    entryPages,

    /** All selected lines, page by page, by date and entry. */
    async *entries(selection: EntrySelection = {}, signal?: AbortSignal): AsyncGenerator<EntryLine[]> {
      for await (const { lines } of entryPages(selection, signal)) yield lines;
    },
  };
}
