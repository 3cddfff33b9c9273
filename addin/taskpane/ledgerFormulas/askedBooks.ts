import { Unreachable } from '../../../shared/client/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { explainError } from '../explainError.ts';
import type { Answers, Books, Question, Table } from './books.ts';
import { FormulaProblem, notAvailable } from './formulaProblem.ts';
import type { AnswerStore, KnownAnswers } from './storedAnswers.ts';

/** Excel calls the functions of a sheet one by one: questions of this time are asked together. */
const BATCH_MS = 100;
/** The most questions of a request. */
const MAX_QUESTIONS = 25;
/** Requests at a time. */
const MAX_REQUESTS = 4;
/** How long answers count as current after the books were asked for their version. */
const FRESH_MS = 10_000;
/** After this time every formula has a result or an error; while Excel takes no requests, it shows neither. */
const LIMIT_MS = 30_000;
/** Answers that are kept of an administration: the earliest asked are forgotten first. */
const MAX_TABLES = 400;
/** How often questions are asked again when the books change meanwhile. */
const MAX_ROUNDS = 3;

type Options = {
  /**
   * The books of the workbook, or those of an administration that a formula names.
   * @param onWaiting called with why Excel does not tell them yet, and with undefined when the wait is over
   * @throws FormulaProblem
   */
  findBooks: (
    administration: string | undefined,
    signal: AbortSignal,
    onWaiting: (reason: string | undefined) => void,
  ) => Promise<Books>;
  store: AnswerStore;
  now?: () => number;
  limitMs?: number;
  batchMs?: number;
};

/**
 * Books that did not answer, and why. `since`: the figures of formulas are of that moment (milliseconds since 1970);
 * undefined when they have none.
 */
type Unanswered = { name: string; since: number | undefined; error: unknown };

/** What is told of books that did not answer, and the questions whose cells have no figure or an earlier one, as texts. */
type Behind = { told: Unanswered; missing: Set<string>; old: Set<string> };

type Waiting = {
  question: Question;
  resolve: (table: Table) => void;
  reject: (reason: unknown) => void;
};

/** What is known of the books of an administration in this pane. */
type Known = KnownAnswers & {
  /** Until when they count as current. */
  freshUntil: number;
  /** The batches that were asked before. */
  asked: Promise<unknown>;
};

const keyOf = (question: Question): string => {
  if (question.kind === 'balances') return `balances ${question.from ?? ''} ${question.to}`;
  return question.kind === 'open' ? `open ${question.at}` : 'accounts';
};

/**
 * Asks books for the figures of formulas: the questions of a moment together, equal ones once, and none whose answer is
 * known while the books did not change. Without a connection the last answers stay. Every question is settled within the
 * time limit.
 */
export function askedBooks({ findBooks, store, now = Date.now, limitMs = LIMIT_MS, batchMs = BATCH_MS }: Options) {
  let batch: Map<string | undefined, Waiting[]> | undefined;
  const known = new Map<string, Promise<Known>>();
  const behind = new Map<string, Behind>();
  const listeners = new Set<() => void>();
  let unansweredList: readonly Unanswered[] = [];

  const tell = () => {
    unansweredList = [...behind.values()].map(({ told }) => told);
    for (const listener of listeners) listener();
  };

  /** Notes that books did not answer. @param present the texts of the questions that have an earlier answer */
  function noteFailure(id: string, told: Unanswered, asked: Iterable<string>, present: ReadonlySet<string>): void {
    const { missing, old } = behind.get(id) ?? { missing: new Set(), old: new Set() };
    for (const key of asked) (present.has(key) ? old : missing).add(key);
    behind.set(id, { told, missing, old });
    tell();
  }

  /** Notes answers. Cells of other questions stay behind, unless their earlier answers still hold. */
  function noteAnswers(id: string, asked: Iterable<string>, present: ReadonlyMap<string, Table>): void {
    const found = behind.get(id);
    if (found === undefined) return;
    const { missing, old } = found;
    for (const key of asked) for (const keys of [missing, old]) keys.delete(key);
    for (const key of old) if (present.has(key)) old.delete(key);
    if (missing.size + old.size > 0) return;
    behind.delete(id);
    tell();
  }

  function knownOf(id: string): Promise<Known> {
    const found = known.get(id);
    if (found !== undefined) return found;
    const none: KnownAnswers = { version: '', checkedAt: 0, tables: new Map() };
    const reading = store.read(id).then(
      (stored) => ({ ...(stored ?? none), freshUntil: 0, asked: Promise.resolve() }),
      () => ({ ...none, freshUntil: 0, asked: Promise.resolve() }),
    );
    known.set(id, reading);
    return reading;
  }

  function record(answers: Known, questions: readonly Question[], { version, tables }: Answers): void {
    if (answers.version !== version) answers.tables.clear();
    answers.version = version;
    for (const [index, table] of tables.entries()) answers.tables.set(keyOf(questions[index]!), table);
  }

  /** Has the present answers to some questions among those that are known. */
  async function update(books: Books, answers: Known, questions: readonly Question[], signal: AbortSignal) {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const missing = questions.filter((question) => !answers.tables.has(keyOf(question)));
      if (missing.length === 0) {
        if (now() < answers.freshUntil) return;
        // One answer tells the version of the books, and so whether the others hold.
        const asked = questions.slice(0, 1);
        record(answers, asked, await books.ask(asked, signal));
      } else {
        const [first = [], ...others] = inRequests(missing);
        const ask = async (some: readonly Question[]) => record(answers, some, await books.ask(some, signal));
        await ask(first);
        const lanes = Array.from({ length: MAX_REQUESTS }, async () => {
          for (let some = others.shift(); some !== undefined; some = others.shift()) await ask(some);
        });
        await Promise.all(lanes);
      }
      answers.checkedAt = now();
      answers.freshUntil = now() + FRESH_MS;
    }
    if (questions.some((question) => !answers.tables.has(keyOf(question)))) {
      throw notAvailable(({ changing }) => changing);
    }
  }

  /**
   * The present answers to some questions, however many these are: only then are some forgotten.
   * @returns them by the texts of the questions
   */
  async function updated(books: Books, answers: Known, questions: readonly Question[], signal: AbortSignal) {
    await update(books, answers, questions, signal);
    const present = new Map(answers.tables);
    forgetEarliest(answers);
    return present;
  }

  async function answer(
    administration: string | undefined,
    waiting: readonly Waiting[],
    signal: AbortSignal,
    onWaiting: (reason: string | undefined) => void,
  ) {
    const books = await within(signal, findBooks(administration, signal, onWaiting));
    const questions = new Map(waiting.map(({ question }) => [keyOf(question), question]));
    const answers = await within(signal, knownOf(books.id));
    // One batch after the other, so that a question is not asked while its answer is on its way.
    const updating = answers.asked.then(() => updated(books, answers, [...questions.values()], signal));
    answers.asked = updating.catch(() => {});
    let present: ReadonlyMap<string, Table> = answers.tables;
    const failure = await within(signal, updating).then(
      (tables) => {
        present = tables;
      },
      (error: unknown) => error,
    );
    if (failure === undefined) {
      noteAnswers(books.id, questions.keys(), present);
      void store.write(books.id, storedPart(answers)).catch(() => {});
    }
    const earlier = new Set<string>();
    for (const one of waiting) {
      const key = keyOf(one.question);
      const table = present.get(key);
      if (table !== undefined && (failure === undefined || isTransient(failure))) {
        earlier.add(key);
        one.resolve(table);
      } else {
        one.reject(failure === undefined ? notAvailable(({ changing }) => changing) : problemOf(failure));
      }
    }
    if (failure !== undefined) {
      const since = isTransient(failure) && answers.tables.size > 0 ? answers.checkedAt : undefined;
      noteFailure(books.id, { name: books.name, since, error: failure }, questions.keys(), earlier);
    }
  }

  function send(): void {
    const all = batch ?? new Map<string | undefined, Waiting[]>();
    batch = undefined;
    for (const [administration, waiting] of all) {
      const limit = new AbortController();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const onWaiting = (reason: string | undefined) => {
        clearTimeout(timer);
        if (reason !== undefined) return;
        timer = setTimeout(() => limit.abort(new Unreachable('There was no answer in time.')), limitMs);
      };
      onWaiting(undefined);
      answer(administration, waiting, limit.signal, onWaiting)
        // Whatever happened, no formula waits any longer.
        .catch((error: unknown) => {
          for (const { reject } of waiting) reject(problemOf(error));
        })
        .finally(() => clearTimeout(timer));
    }
  }

  return {
    /**
     * The answer to a question to the books of the workbook, or to those of an administration.
     * @throws FormulaProblem
     */
    ask: <Kind extends Table['kind']>(
      administration: string | undefined,
      question: Question & { kind: Kind },
    ): Promise<Extract<Table, { kind: Kind }>> =>
      new Promise((resolve, reject) => {
        if (batch === undefined) {
          batch = new Map();
          setTimeout(send, batchMs);
        }
        const one: Waiting = { question, resolve: resolve as Waiting['resolve'], reject };
        const others = batch.get(administration);
        if (others === undefined) batch.set(administration, [one]);
        else others.push(one);
      }),
    /** Has the next questions ask the books for their version, however short ago that was. */
    async expire() {
      for (const reading of known.values()) (await reading).freshUntil = 0;
    },
    /** Books whose figures in cells may be old, or are not there. */
    unanswered: () => unansweredList,
    /**
     * Forgets what was unanswered before all formulas were calculated again, unless it is so anew: perhaps no formula
     * asks those books any more.
     */
    forget(before: readonly Unanswered[]) {
      const gone = [...behind].filter(([, { told }]) => before.includes(told));
      for (const [id] of gone) behind.delete(id);
      if (gone.length > 0) tell();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export type AskedBooks = ReturnType<typeof askedBooks>;

function forgetEarliest({ tables }: KnownAnswers): void {
  for (const key of tables.keys()) {
    if (tables.size <= MAX_TABLES) break;
    tables.delete(key);
  }
}

const storedPart = ({ version, checkedAt, tables }: Known): KnownAnswers => ({ version, checkedAt, tables });

function inRequests(questions: readonly Question[]): Question[][] {
  const count = Math.ceil(questions.length / MAX_QUESTIONS);
  return Array.from({ length: count }, (_, at) => questions.slice(at * MAX_QUESTIONS, (at + 1) * MAX_QUESTIONS));
}

/** A result, unless the signal is aborted before. @throws its reason */
function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** Whether the books may answer later: there is no connection, or the service is overloaded. */
const isTransient = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof Problem && (error.status >= 502 || error.code === 'RATE_LIMIT'));

const problemOf = (error: unknown): FormulaProblem =>
  error instanceof FormulaProblem
    ? error
    : new FormulaProblem('notAvailable', (messages) => explainError(error, messages), { cause: error });
