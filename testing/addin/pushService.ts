import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fetchOnce } from '../../addin/taskpane/fetchWithRetry.ts';
import { createPushClient, type PushClient } from '../../shared/client/pushClient.ts';
import { errorsText, type FieldError, fieldError } from '../../shared/fieldErrors.ts';
import { Problem, problemBody } from '../../shared/problem.ts';
import { addsToStock, product } from '../../shared/resources/product.ts';
import {
  type PushedWrite,
  type PushRow,
  pushAnswer,
  pushChanges,
  pushList,
  readPush,
  rowStates,
} from '../../shared/resources/push.ts';
import { parseJson, stringifyJson } from '../../shared/wire/json.ts';

/** What happens to a question: it is lost on the way, its answer is, or it is refused. */
export type Fault = 'lost' | 'answer lost' | Problem;

type Row = {
  write: PushedWrite;
  state: string;
  errorCode: string;
  errorMessage: string;
  errors: FieldError[];
  product?: object;
  turn: number;
};
type Kept = { id: string; key: string; body: string; rows: Row[]; cancelling: boolean; stopped: string };

/**
 * The pushes of a service over real HTTP, whose rows are carried out while it is asked about them. For tests only.
 * Products are kept as a stock by article number.
 */
export type TestPushService = {
  client: PushClient;
  stock: Record<string, number>;
  /** The writes that were carried out, in their order. */
  carriedOut: PushedWrite['request'][];
  pushes: Kept[];
  /** Rows carried out each time the changes of a push are asked for. */
  atOnce: number;
  /** Article numbers whose answer gets lost behind the service: carried out, and nobody knows. */
  unknown: Set<string>;
  /** An answer comes in after all: what became of the rows of an article whose outcome was unknown. */
  learn: (article: string, state: 'applied' | 'refused') => void;
  /** Called before each question is looked at. */
  onQuestion: (method: string, path: string) => Fault | undefined;
  questions: string[];
  close: () => Promise<void>;
};

export async function openPushService(stock: Record<string, number>): Promise<TestPushService> {
  let turn = 0;
  const service: TestPushService = {
    client: undefined as unknown as PushClient,
    stock,
    carriedOut: [],
    pushes: [],
    atOnce: Number.POSITIVE_INFINITY,
    unknown: new Set(),
    learn: (article, state) => {
      const rows = service.pushes.flatMap(({ rows }) => rows);
      for (const row of rows) {
        if (row.state === 'unknown' && row.write.request.ArticleNumber === article)
          Object.assign(row, { state, turn: ++turn });
      }
    },
    onQuestion: () => undefined,
    questions: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  const carryOut = (row: Row) => {
    const { request } = row.write;
    const number = String(request.ArticleNumber);
    row.turn = ++turn;
    if (service.stock[number] === undefined) {
      row.state = 'refused';
      row.errorCode = 'INVALID_REQUEST';
      row.errors = [fieldError('ArticleNumber', 'NO_SUCH_ARTICLE_NUMBER', { articleNumber: number })];
      row.errorMessage = errorsText(row.errors);
      return;
    }
    service.carriedOut.push(request);
    if (request.NewStockQty !== undefined) {
      const quantity = Number(request.NewStockQty);
      service.stock[number] = request.StockUpdateMode === 'Absolute' ? quantity : service.stock[number] + quantity;
    }
    row.state = service.unknown.has(number) ? 'unknown' : 'applied';
    if (row.state === 'applied') {
      const StockQty = service.stock[number];
      const fields = { ArticleNumber: number, StockQty, Price: request.NewSalePrice ?? 1, ChangedOn: 1_767_225_600 };
      row.product = product.parse(fields);
    }
  };

  const summaryOf = ({ id, rows, cancelling, stopped }: Kept) => {
    const open = rows.some(({ state }) => state === 'waiting');
    return {
      id,
      state: open ? (cancelling ? 'cancelling' : 'running') : 'ended',
      total: rows.length,
      relative: rows.filter(({ write }) => addsToStock(write.request)).length,
      counts: Object.fromEntries(rowStates.map((state) => [state, rows.filter((row) => row.state === state).length])),
      createdOn: Math.floor(Date.now() / 1000),
      stopped,
    };
  };

  const pushNamed = (id: string | undefined): Kept => {
    const found = service.pushes.find((push) => push.id === id);
    if (found === undefined) throw new Problem('NOT_FOUND', 'There is no such push.');
    return found;
  };

  const cancelOpen = (push: Kept, stopped: string) => {
    push.stopped = stopped;
    for (const row of push.rows) if (row.state === 'waiting') Object.assign(row, { state: 'cancelled', turn: ++turn });
  };

  const answer = (request: IncomingMessage, body: string): [number, object] => {
    const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
    const [, , id, verb] = pathname.split('/');
    if (request.method === 'POST' && id === undefined) {
      const key = String(request.headers['idempotency-key']);
      const known = service.pushes.find((push) => push.key === key);
      if (known !== undefined && known.body !== body) throw new Problem('CONFLICT', 'The key was used before.');
      const rows = readPush(parseJson(body)).map(
        (write): Row => ({ write, state: 'waiting', errorCode: '', errorMessage: '', errors: [], turn: 0 }),
      );
      const begun = known ?? {
        id: `push-${service.pushes.length + 1}`,
        key,
        body,
        rows,
        cancelling: false,
        stopped: '',
      };
      if (known === undefined) service.pushes.push(begun);
      return [202, pushAnswer.parse({ push: summaryOf(begun) })];
    }
    if (id === undefined) return [200, pushList.parse({ pushes: service.pushes.map(summaryOf).reverse() })];
    const push = pushNamed(id);
    if (verb === 'cancel') {
      cancelOpen(push, 'CANCELLED');
      return [202, pushAnswer.parse({ push: summaryOf(push) })];
    }
    for (const row of push.rows.filter(({ state }) => state === 'waiting').slice(0, service.atOnce)) carryOut(row);
    const after = Number(searchParams.get('after') ?? 0);
    const changed = push.rows.filter((row) => row.state !== 'waiting' && row.turn > after);
    const rows = changed.map(({ write: { row }, state, errorCode, errorMessage, errors, product }) => ({
      row,
      state,
      errorCode,
      errorMessage,
      errors,
      ...(product === undefined ? {} : { product }),
    })) as PushRow[];
    return [200, pushChanges.parse({ push: summaryOf(push), rows, cursor: String(turn), more: false })];
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const path = request.url!;
    service.questions.push(`${request.method} ${path}`);
    const fault = service.onQuestion(request.method!, path);
    if (fault === 'lost') return void response.destroy();
    let status: number;
    let said: object;
    try {
      if (fault instanceof Problem) throw fault;
      [status, said] = answer(request, body);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      [status, said] = [error.status, problemBody(error, path)];
    }
    if (fault === 'answer lost') return void response.destroy();
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(stringifyJson(said));
  };

  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const base = `http://localhost:${(server.address() as AddressInfo).port}`;
  service.client = createPushClient({
    base,
    credential: { apiKey: 'SECRET-KEY', username: 'jo@example.com' },
    fetch: fetchOnce,
  });
  return service;
}
