import type { LedgerClient } from '../../../shared/client/ledgerClient.ts';
import { MAX_ACCOUNTS } from '../../../shared/resources/generalLedger/ledgerEntry.ts';
import type { CellCall } from '../../excel/customFunctions.ts';
import { accountCard } from '../pulledLists/accountCard.ts';
import type { PulledList, Question } from '../pulledLists/list.ts';
import { openItems } from '../pulledLists/openItems.ts';
import { type AccountPattern, matchingAccounts } from './accountPatterns.ts';
import type { AskedBooks } from './askedBooks.ts';
import type { AccountFigures, Books } from './books.ts';
import { accountsOf, readArguments, relationNamed } from './cellFunctions.ts';
import { invalidValue, notAvailable } from './formulaProblem.ts';

type Sources = {
  ask: AskedBooks['ask'];
  /** @throws FormulaProblem */
  findBooks: (administration: string | undefined, signal?: AbortSignal) => Promise<Pick<Books, 'id' | 'name'>>;
  /** Of the administration that the pane is connected to. */
  ledger: Pick<LedgerClient, 'balances'>;
};

/** A list to pull, and its question. */
type Behind = { list: PulledList; question: Question };

/** The accounts of a period that calls of a formula ask for. */
type Cards = Pick<ReturnType<typeof readArguments.TURNOVER>, 'patterns' | 'administration'> & {
  question: { from?: string; to: string };
};

/**
 * The lists that have what is behind the figures of a formula: account cards of its accounts in its periods, and open
 * items of its relations.
 * @param connected the id of the administration that the pane is connected to
 * @throws FormulaProblem
 */
export async function listsBehind(
  calls: readonly CellCall[],
  { ask, findBooks, ledger }: Sources,
  connected: string,
  signal?: AbortSignal,
): Promise<Behind[]> {
  const cards = new Map<string, Cards>();
  const lists: Behind[] = [];
  for (const { id, args } of calls) {
    if (id !== 'BALANCE' && id !== 'TURNOVER' && id !== 'OPEN') continue;
    const { administration } = readArguments[id](args);
    const books = await findBooks(administration, signal);
    if (books.id !== connected) throw notAvailable(({ ofOther }) => ofOther(books.name));
    if (id === 'OPEN') {
      const { relation, at } = readArguments.OPEN(args);
      const { relations } = await ask(administration, { kind: 'open', at });
      const { to } = await ledger.balances({ to: at }, signal);
      lists.push({ list: openItems, question: { At: to, RelationGUID: relationNamed(relation, relations).guid } });
    } else {
      const asked = readArguments[id](args);
      const key = JSON.stringify(asked.question);
      const others = cards.get(key);
      if (others === undefined) cards.set(key, asked);
      else others.patterns.push(...asked.patterns);
    }
  }
  for (const { patterns, administration, question } of cards.values()) {
    const accounts = accountsOf(await ask(administration, { kind: 'balances', ...question }));
    const Accounts = accountsText(patterns, accounts);
    if (Accounts === '') continue;
    const { from, to } = await ledger.balances(question, signal);
    lists.push({ list: accountCard, question: { Accounts, DateFrom: from, DateTill: to } });
  }
  if (lists.length === 0) throw invalidValue(({ nothingBehind }) => nothingBehind);
  return lists;
}

const isBooked = ({ debit, credit, closing }: AccountFigures): boolean =>
  [debit, credit, closing].some((one) => one !== 0n);

/** The accounts that some patterns mean, as an account card asks for them; "" for none. @throws FormulaProblem */
function accountsText(patterns: readonly AccountPattern[], accounts: readonly AccountFigures[]): string {
  const texts = new Set<string>();
  const quiet = new Set<string>();
  for (const pattern of patterns) {
    const meant = matchingAccounts([pattern], accounts);
    const start = pattern.kind === 'wildcard' ? /^([^*\s,;|:]*)\*$/.exec(pattern.text)?.[1] : undefined;
    // A beginning means the same on an account card, unless only capitals differ.
    if (pattern.kind === 'wildcard' && start !== undefined && meant.every(({ number }) => number.startsWith(start)))
      texts.add(pattern.text);
    else for (const one of meant) (isBooked(one) ? texts : quiet).add(one.number);
  }
  const asked = [...(texts.size > 0 ? texts : quiet)];
  if (asked.length > MAX_ACCOUNTS || asked.some((text) => /[\s,;|:]/.test(text))) {
    throw invalidValue(({ notOnCard }) => notOnCard(String(MAX_ACCOUNTS)));
  }
  return asked.join(', ');
}
