import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { Unreachable } from '../../../shared/client/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { addDays, type CalendarDate } from '../../../shared/wire/calendarDate.ts';
import { en } from '../locales/en.ts';
import { outsideTextsOf } from '../locales/messages.ts';
import { askedBooks } from './askedBooks.ts';
import type { Answers, Books, Question, Table } from './books.ts';
import { cellFunctions } from './cellFunctions.ts';
import { functionIds, ledgerFunctions } from './declaration.ts';
import { FormulaProblem, notAvailable } from './formulaProblem.ts';
import { functionsMetadata } from './functionsMetadata.ts';
import type { AnswerStore, KnownAnswers } from './storedAnswers.ts';

type Entry = { account: string; date: CalendarDate; cents: bigint };

/** The first and the last day of a period, as its text says; a month here has 31 days. */
function daysOf(period: string): [string, string] {
  const [, year, quarter] = /^(\d{4})-Q(\d)$/.exec(period) ?? [];
  if (quarter !== undefined) {
    const [first, last] = [Number(quarter) * 3 - 2, Number(quarter) * 3].map((month) => String(month).padStart(2, '0'));
    return [`${year}-${first}-01`, `${year}-${last}-31`];
  }
  if (period.length === 4) return [`${period}-01-01`, `${period}-12-31`];
  return period.length === 7 ? [`${period}-01`, `${period}-31`] : [period, period];
}

/** Books of entries, which answer as the app does; `requests` counts what they were asked. */
function booksOf(accounts: readonly string[], entries: readonly Entry[], id = 'own') {
  const state = { version: '1', requests: [] as (readonly Question[])[], failure: undefined as unknown };
  const total = (account: string, isCounted: (entry: Entry) => boolean) =>
    entries
      .filter((entry) => entry.account === account && isCounted(entry))
      .reduce((sum, { cents }) => sum + cents, 0n);
  const answer = (question: Question): Table => {
    if (question.kind === 'open') {
      const relations = [
        { numbers: ['7'], guid: '9007199254740993', name: 'Jansen', amount: 1250n },
        { numbers: ['8', '7001'], guid: '7', name: 'Bakker', amount: -5n },
        { numbers: ['9'], guid: '9007199254740995', name: 'Bakker', amount: 0n },
        { numbers: ['9'], guid: '9007199254740997', name: 'Smit', amount: 0n },
      ];
      return { kind: 'open', relations };
    }
    if (question.kind === 'accounts') {
      return { kind: 'accounts', accounts: accounts.map((number) => ({ number, name: `Account ${number}` })) };
    }
    const from = daysOf(question.from ?? '1900')[0];
    const to = daysOf(question.to)[1];
    if (from > to) return { kind: 'balances', accounts: undefined };
    return {
      kind: 'balances',
      accounts: accounts.map((number) => {
        const within = ({ date }: Entry) => date >= from && date <= to;
        const before = total(number, ({ date }) => date < from);
        const debit = total(number, (entry) => within(entry) && entry.cents > 0n);
        const credit = -total(number, (entry) => within(entry) && entry.cents < 0n);
        return { number, name: `Account ${number}`, debit, credit, closing: before + debit - credit };
      }),
    };
  };
  const books: Books = {
    id,
    name: 'Demo',
    async ask(questions, signal): Promise<Answers> {
      state.requests.push(questions);
      if (state.failure === 'silence') {
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }
      if (state.failure !== undefined) throw state.failure;
      return { version: state.version, tables: questions.map(answer) };
    },
  };
  return { books, state };
}

const memoryStore = (): AnswerStore => {
  const kept = new Map<string, KnownAnswers>();
  return {
    read: async (id) => structuredClone(kept.get(id)),
    write: async (id, answers) => void kept.set(id, structuredClone(answers)),
    keepOnly: async () => {},
  };
};

/** The functions over some books, with a clock of their own. */
function functionsOver(books: Books, { store = memoryStore(), limitMs = 30_000 } = {}) {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const asked = askedBooks({
    findBooks: async (name) => {
      if (name !== undefined) throw notAvailable(({ notConnected }) => notConnected(name));
      return books;
    },
    store,
    now: () => clock.now,
    limitMs,
    batchMs: 5,
  });
  return { ...cellFunctions(asked), asked, clock };
}

/** The message that a formula's cell would show. */
const messageOf = (result: Promise<unknown>): Promise<string> =>
  result.then(
    (value) => `no error, but ${String(value)}`,
    (error: unknown) => (error instanceof FormulaProblem ? `${error.kind}: ${error.explain(en)}` : String(error)),
  );

describe('A formula', () => {
  const { books } = booksOf(
    ['0100', '1300', '4000', '4010', '4999', '8000', 'A10'],
    [
      { account: '1300', date: '2025-12-31', cents: 100_00n },
      { account: '4000', date: '2026-01-01', cents: 10n },
      { account: '4000', date: '2026-01-31', cents: 20n },
      { account: '4010', date: '2026-03-31', cents: 1n },
      { account: '4999', date: '2026-04-01', cents: -3n },
      { account: '8000', date: '2026-02-28', cents: -100_00n },
      { account: '0100', date: '2026-02-28', cents: 7n },
      { account: 'A10', date: '2026-06-30', cents: 5n },
    ],
  );
  const { BALANCE, TURNOVER, NAME, OPEN } = functionsOver(books);

  it.each([
    [[['4000']], '2026', 0.3],
    [[[4000]], 2026, 0.3],
    ['4000', '2026-01', 0.3],
    ['4000|4010', '2026-Q1', 0.31],
    ['4000:4999', '2026-Q2', 0.28],
    ['4*', '2026-03-31', 0.31],
    ['4*', '31-03-2026', 0.31],
    // 31 March 2026 as Excel stores it.
    ['4*', 46_112, 0.31],
    ['4*', 46_112.75, 0.31],
    [
      [
        ['4000', ''],
        [4010, null],
      ],
      '2026',
      0.31,
    ],
    // A cell cannot have the zeros of account 0100; each account counts once.
    [[[100]], '2026', 0.07],
    ['4000|4*|4000:4010', '2026-Q1', 0.31],
    ['a1*', '2026', 0.05],
    ['*0', '2026-Q1', -99.62 + 100],
    ['8*0', '2026', -100],
    ['7*', '2026', 0],
  ])('for the balance of %j at %j gives %d', async (accounts, at, balance) => {
    expect(await BALANCE(accounts, at, null)).toBeCloseTo(balance, 10);
  });

  it('for turnover counts both days at the ends', async () => {
    expect(await TURNOVER('4*', '2026-01', '2026-Q1', '')).toBe(0.31);
    expect(await TURNOVER('4000', '2026-01-01', '2026-01-01', null)).toBe(0.1);
    expect(await TURNOVER('8*', 2026, 2026, null)).toBe(-100);
    expect(await TURNOVER('1300', 2026, 2026, null)).toBe(0);
  });

  it('gives the name of an account, and what is open of a relation by number, RelationGUID or name', async () => {
    expect(await NAME('4010', null)).toBe('Account 4010');
    expect(await NAME(100, null)).toBe('Account 0100');
    expect(await OPEN(7, 2026, null)).toBe(12.5);
    expect(await OPEN('7001', 2026, null)).toBe(-0.05);
    expect(await OPEN('9007199254740993', 2026, null)).toBe(12.5);
    expect(await OPEN('Jansen', '2026-03', null)).toBe(12.5);
  });

  it.each<[string, () => Promise<unknown>, string]>([
    ['an account', () => BALANCE('', 2026, null), 'noAccount'],
    ['cells with an account', () => BALANCE([['', null]], 2026, null), 'noAccount'],
    ['a number of an account', () => BALANCE(40.5, 2026, null), 'wrongAccount'],
    ['an account, instead of TRUE', () => BALANCE(true, 2026, null), 'wrongAccount'],
    ['both ends of a range', () => BALANCE('4000:', 2026, null), 'wrongAccount'],
    ['one range', () => BALANCE('4000:4100:4200', 2026, null), 'wrongAccount'],
    ['an ascending range', () => BALANCE('4999:4000', 2026, null), 'reversedRange'],
    ['an existing account', () => BALANCE('4000|4711', 2026, null), 'unknownAccount'],
    ['a period', () => BALANCE('4000', '', null), 'noPeriod'],
    ['a month of the year', () => BALANCE('4000', '2026-13', null), 'wrongPeriod'],
    ['a day of the month', () => BALANCE('4000', '2026-02-29', null), 'wrongPeriod'],
    ['a quarter', () => BALANCE('4000', '2026-Q5', null), 'wrongPeriod'],
    ['a date', () => BALANCE('4000', 20_260_331, null), 'wrongPeriod'],
    ['a month with its dash', () => BALANCE('4000', 202_603, null), 'wrongPeriod'],
    ['a period that begins before its end', () => TURNOVER('4000', '2026-02', '2026-01', null), 'reversedPeriod'],
    ['one account', () => NAME('4*', null), 'oneAccount'],
    ['a relation', () => OPEN('', 2026, null), 'noRelation'],
    ['an existing relation', () => OPEN('Jans', 2026, null), 'unknownRelation'],
    ['a relation without a namesake', () => OPEN('bakker', 2026, null), 'severalRelations'],
    ['a relation whose number no other one has', () => OPEN(9, 2026, null), 'severalRelations'],
    ['a connected administration', () => NAME('4000', 'Elsewhere'), 'notConnected'],
  ])('asks for %s in its cell when there is none', async (_, compute, key) => {
    const text = en.formulas.problems[key as keyof typeof en.formulas.problems];
    const start = typeof text === 'string' ? text : text('@').split('“@”')[0]!;
    const message = await messageOf(compute());
    expect(message).toMatch(/^(?:invalidValue|notAvailable): /);
    expect(message).toContain(start);
  });
});

const account = fc.constantFrom('0100', '1000', '1300', '4000', '4010', '4999', '8000');
const days = fc.integer({ min: 0, max: 800 }).map((count) => addDays('2025-01-01', count));
const entry = fc.record({ account, date: days, cents: fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }) });

test('Balance and turnover equal a sum of the entries to the cent, for any books, accounts and days', async () => {
  const property = fc.asyncProperty(
    fc.array(entry, { maxLength: 40 }),
    fc.uniqueArray(account, { minLength: 1 }),
    days,
    days,
    async (entries, some, one, other) => {
      const [from = one, to = other] = [one, other].sort();
      const { books } = booksOf(['0100', '1000', '1300', '4000', '4010', '4999', '8000'], entries);
      const { BALANCE, TURNOVER } = functionsOver(books);
      const own = entries.filter((each) => some.includes(each.account));
      const cents = (isCounted: (date: string) => boolean) =>
        Number(own.reduce((sum, each) => (isCounted(each.date) ? sum + each.cents : sum), 0n)) / 100;
      const [balance, turnover] = await Promise.all([
        BALANCE(
          some.map((number) => [number]),
          to,
          null,
        ),
        TURNOVER(some.join('|'), from, to, null),
      ]);
      expect(balance).toBe(cents((date) => date <= to));
      expect(turnover).toBe(cents((date) => date >= from && date <= to));
    },
  );
  await fc.assert(property, { numRuns: 50 });
});

describe('The questions of formulas', () => {
  const months = Array.from(
    { length: 24 },
    (_, index) => `${2025 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`,
  );
  const numbers = Array.from({ length: 200 }, (_, index) => String(4000 + index));
  const sheet = ({ BALANCE, TURNOVER }: ReturnType<typeof functionsOver>) =>
    Promise.all(
      numbers.flatMap((number) =>
        months.flatMap((month) => [BALANCE(number, month, null), TURNOVER(number, month, month, null)]),
      ),
    );

  it('of 9,600 formulas over two years are asked once each, in two requests', async () => {
    const { books, state } = booksOf(numbers, []);
    expect(new Set(await sheet(functionsOver(books)))).toEqual(new Set([0]));
    expect(state.requests.map(({ length }) => length)).toEqual([25, 23]);
  });

  it('about more days than are kept are answered too, each asked once', async () => {
    const { books, state } = booksOf(['1000'], [{ account: '1000', date: '2025-02-01', cents: 100n }]);
    const { BALANCE } = functionsOver(books);
    const days = Array.from({ length: 730 }, (_, index) => addDays('2025-01-01', index));
    const balances = await Promise.all(days.map((day) => BALANCE('1000', day, null)));
    expect(balances).toEqual(days.map((day) => (day < '2025-02-01' ? 0 : 1)));
    expect(state.requests.flat()).toHaveLength(730);
  });

  it('are not asked again while the books have the same version, which one request tells', async () => {
    const { books, state } = booksOf(numbers, []);
    const functions = functionsOver(books);
    await sheet(functions);
    state.requests.length = 0;
    await sheet(functions);
    expect(state.requests).toEqual([]);
    functions.clock.now += 60_000;
    await sheet(functions);
    expect(state.requests.map(({ length }) => length)).toEqual([1]);
  });

  it('are not asked again after the workbook was opened again', async () => {
    const { books, state } = booksOf(numbers, []);
    const store = memoryStore();
    await sheet(functionsOver(books, { store }));
    state.requests.length = 0;
    await sheet(functionsOver(books, { store }));
    expect(state.requests.map(({ length }) => length)).toEqual([1]);
  });

  it('are asked again when the books changed', async () => {
    const entries: Entry[] = [{ account: '4000', date: '2026-01-05', cents: 100n }];
    const { books, state } = booksOf(['4000'], entries);
    const functions = functionsOver(books);
    const read = () =>
      Promise.all([functions.BALANCE('4000', '2026-01', null), functions.BALANCE('4000', '2026-02', null)]);
    expect(await read()).toEqual([1, 1]);
    entries.push({ account: '4000', date: '2026-01-06', cents: 50n });
    state.version = '2';
    expect(await read()).toEqual([1, 1]);
    await functions.asked.expire();
    expect(await read()).toEqual([1.5, 1.5]);
    expect(functions.asked.unanswered()).toEqual([]);
  });

  it('keep their last answers without a connection, and say since when these are old', async () => {
    const { books, state } = booksOf(['4000'], [{ account: '4000', date: '2026-01-05', cents: 100n }]);
    const functions = functionsOver(books);
    expect(await functions.BALANCE('4000', '2026-01', null)).toBe(1);
    const since = functions.clock.now;
    for (const failure of [new Unreachable('gone'), new Problem('UNAVAILABLE', 'later')]) {
      functions.clock.now += 60_000;
      state.failure = failure;
      expect(await functions.BALANCE('4000', '2026-01', null)).toBe(1);
      expect(functions.asked.unanswered()).toEqual([{ name: 'Demo', since, error: failure }]);
      expect(await messageOf(functions.BALANCE('4000', '2025', null))).toMatch(/^notAvailable: /);
    }
    state.failure = undefined;
    expect(await functions.BALANCE('4000', '2025', null)).toBe(0);
    expect(functions.asked.unanswered()).toEqual([]);
  });

  it('keep their last answers also when the books are silent for too long', async () => {
    const { books, state } = booksOf(['4000'], [{ account: '4000', date: '2026-01-05', cents: 100n }]);
    const functions = functionsOver(books, { limitMs: 30 });
    expect(await functions.BALANCE('4000', '2026-01', null)).toBe(1);
    functions.clock.now += 60_000;
    state.failure = 'silence';
    const [known, unknown] = await Promise.all([
      functions.BALANCE('4000', '2026-01', null).catch(String),
      messageOf(functions.BALANCE('4000', '2025', null)),
    ]);
    expect([known, unknown]).toEqual([1, `notAvailable: ${en.problems.offline}`]);
  });

  it('end in every cell when nothing answers, and when the books refuse', async () => {
    const { books, state } = booksOf(['4000'], []);
    const functions = functionsOver(books, { limitMs: 30 });
    state.failure = 'silence';
    const silent = await Promise.all(['2025', '2026'].map((at) => messageOf(functions.BALANCE('4000', at, null))));
    expect(silent).toEqual([
      expect.stringContaining(en.problems.offline),
      expect.stringContaining(en.problems.offline),
    ]);
    state.failure = new Problem('UNAUTHORIZED', 'no');
    expect(await messageOf(functions.NAME('4000', null))).toBe(`notAvailable: ${en.problems.service.UNAUTHORIZED}`);
    state.failure = new TypeError('a mistake of ours');
    expect(await messageOf(functions.NAME('4000', null))).toContain('a mistake of ours');
    // The pane tells it and offers to ask again, until there are answers.
    expect(functions.asked.unanswered()).toEqual([{ name: 'Demo', since: undefined, error: state.failure }]);
    state.failure = undefined;
    expect(await functions.NAME('4000', null)).toBe('Account 4000');
    expect(await Promise.all(['2025', '2026'].map((at) => functions.BALANCE('4000', at, null)))).toEqual([0, 0]);
    expect(functions.asked.unanswered()).toEqual([]);
  });

  it('are missed until their own formulas are answered, not those of others', async () => {
    const { books, state } = booksOf(['4000'], [{ account: '4000', date: '2026-01-05', cents: 100n }]);
    const functions = functionsOver(books);
    state.failure = new Unreachable('gone');
    await messageOf(functions.BALANCE('4000', '2026-01', null));
    const missed = [{ name: 'Demo', since: undefined, error: state.failure }];
    expect(functions.asked.unanswered()).toEqual(missed);
    state.failure = undefined;
    expect(await functions.BALANCE('4000', '2026-02', null)).toBe(1);
    // The cell of January still has no figure.
    expect(functions.asked.unanswered()).toEqual(missed);
    expect(await functions.BALANCE('4000', '2026-01', null)).toBe(1);
    expect(functions.asked.unanswered()).toEqual([]);
  });

  it('stay old for a formula that was not asked again when the books changed meanwhile', async () => {
    const { books, state } = booksOf(['4000'], [{ account: '4000', date: '2026-01-05', cents: 100n }]);
    const functions = functionsOver(books);
    expect(await functions.BALANCE('4000', '2026-01', null)).toBe(1);
    const since = functions.clock.now;
    functions.clock.now += 60_000;
    state.failure = new Unreachable('gone');
    expect(await functions.BALANCE('4000', '2026-01', null)).toBe(1);
    const old = [{ name: 'Demo', since, error: state.failure }];
    state.failure = undefined;
    state.version = '2';
    expect(await functions.BALANCE('4000', '2026-02', null)).toBe(1);
    expect(functions.asked.unanswered()).toEqual(old);
    expect(await functions.BALANCE('4000', '2026-01', null)).toBe(1);
    expect(functions.asked.unanswered()).toEqual([]);
  });

  it('are not missed any more once all formulas were calculated again, unless they are missing again', async () => {
    const { books, state } = booksOf(['4000'], []);
    const functions = functionsOver(books);
    const { asked } = functions;
    state.failure = new Unreachable('gone');
    await messageOf(functions.NAME('4000', null));
    const first = asked.unanswered();
    await messageOf(functions.NAME('4000', null));
    const second = asked.unanswered();
    asked.forget(first);
    expect(asked.unanswered()).toEqual([{ name: 'Demo', since: undefined, error: state.failure }]);
    asked.forget(second);
    expect(asked.unanswered()).toEqual([]);
  });

  it('do not go to the books of a wrong period, while those beside it do', async () => {
    const { books, state } = booksOf(['4000'], []);
    const { BALANCE } = functionsOver(books);
    const [wrong, right] = await Promise.all([messageOf(BALANCE('4000', 'x', null)), BALANCE('4000', '2026', null)]);
    expect([wrong, right]).toEqual([expect.stringContaining('“x”'), 0]);
    expect(state.requests.map(({ length }) => length)).toEqual([1]);
  });
});

describe('The metadata of the functions', () => {
  const { functions } = functionsMetadata(outsideTextsOf.en);
  const implemented = cellFunctions({ ask: () => Promise.reject(new Error('not asked')) });

  it('has every function that computes, with as many parameters as that takes', () => {
    expect(functions.map(({ id }) => id)).toEqual(Object.keys(implemented));
    expect(functions.map(({ parameters }) => parameters.length)).toEqual(
      Object.values(implemented).map(({ length }) => length),
    );
  });

  it('keeps to the rules of Excel', () => {
    for (const { id, name, description, parameters } of functions) {
      for (const text of [id, name]) expect(text).toMatch(/^[A-Z][A-Z0-9_.]{2,}$/);
      expect(description.length).toBeLessThanOrEqual(255);
      // What may be left out comes last.
      const optional = parameters.map((parameter) => parameter.optional);
      expect(optional).toEqual([...optional].sort());
      expect(new Set(parameters.map((parameter) => parameter.name)).size).toBe(parameters.length);
      for (const parameter of parameters) expect(parameter.name).toMatch(/^[\p{L}_]+$/u);
    }
    expect(functionIds.map((id) => ledgerFunctions[id].result)).toEqual(['number', 'number', 'string', 'number']);
  });
});
