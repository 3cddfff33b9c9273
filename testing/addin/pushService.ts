import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { fetchOnce } from '../../addin/taskpane/fetchWithRetry.ts';
import { createPushClient, type PushClient } from '../../shared/client/pushClient.ts';
import { errorsText, type FieldError, fieldError } from '../../shared/fieldErrors.ts';
import { Problem, problemBody } from '../../shared/problem.ts';
import { addsToStock, type ProductUpdate, product } from '../../shared/resources/product.ts';
import {
  type PushedWrite,
  type PushRow,
  pushChanges,
  pushList,
  pushResponse,
  rowStates,
} from '../../shared/resources/push.ts';
import { parseJson, stringifyJson } from '../../shared/wire/json.ts';
import { listen } from '../listen.ts';
import { readPush } from '../pushes/readPush.ts';

/** A fault of a request: it is lost, its response is lost, it is never answered, or it is refused. */
export type Fault = 'lost' | 'response lost' | 'unanswered' | Problem;

type Row = {
  write: PushedWrite;
  state: string;
  errorCode: string;
  errorMessage: string;
  errors: FieldError[];
  product?: object;
  turn: number;
};
type StoredPush = { id: string; key: string; body: string; rows: Row[]; cancelling: boolean; stopped: string };

/**
 * The pushes of a service over real HTTP. Each request for the changes of a push applies some of its waiting rows. Of
 * products only the stock is stored, by article number.
 */
export type TestPushService = {
  client: PushClient;
  stock: Record<string, number>;
  /** The applied writes, in their order. */
  appliedWrites: ProductUpdate[];
  pushes: StoredPush[];
  /** Rows that are applied at each request for the changes of a push. */
  atOnce: number;
  /** Article numbers whose writes are applied and reported as unknown. */
  unknown: Set<string>;
  /** Sets the outcome of the unknown rows of an article. */
  resolveUnknown: (article: string, state: 'applied' | 'refused') => void;
  /** Called before each request is read; returns its fault. */
  onRequest: (method: string, path: string) => Fault | undefined;
  /** The method and the path of each request. */
  requests: string[];
  close: () => void;
};

/** This service stores products only. */
const requestOf = ({ request }: PushedWrite) => request as ProductUpdate;

export async function openPushService(stock: Record<string, number>): Promise<TestPushService> {
  let turn = 0;
  const { url, close } = await listen(createServer((request, response) => void handle(request, response)));
  const service: TestPushService = {
    client: createPushClient({
      base: url,
      credential: { apiKey: 'SECRET-KEY', username: 'jo@example.com' },
      fetch: fetchOnce,
    }),
    stock,
    appliedWrites: [],
    pushes: [],
    atOnce: Number.POSITIVE_INFINITY,
    unknown: new Set(),
    resolveUnknown: (article, state) => {
      const rows = service.pushes.flatMap(({ rows }) => rows);
      for (const row of rows) {
        if (row.state === 'unknown' && requestOf(row.write).ArticleNumber === article)
          Object.assign(row, { state, turn: ++turn });
      }
    },
    onRequest: () => undefined,
    requests: [],
    close,
  };

  const apply = (row: Row) => {
    const request = requestOf(row.write);
    const number = String(request.ArticleNumber);
    row.turn = ++turn;
    if (service.stock[number] === undefined) {
      row.state = 'refused';
      row.errorCode = 'INVALID_REQUEST';
      row.errors = [fieldError('ArticleNumber', 'NO_SUCH_ARTICLE_NUMBER', { articleNumber: number })];
      row.errorMessage = errorsText(row.errors);
      return;
    }
    service.appliedWrites.push(request);
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

  const summaryOf = ({ id, rows, cancelling, stopped }: StoredPush) => {
    const open = rows.some(({ state }) => state === 'waiting');
    return {
      id,
      state: open ? (cancelling ? 'cancelling' : 'running') : 'ended',
      total: rows.length,
      relative: rows.filter(({ write }) => addsToStock(requestOf(write))).length,
      counts: Object.fromEntries(rowStates.map((state) => [state, rows.filter((row) => row.state === state).length])),
      createdOn: Math.floor(Date.now() / 1000),
      stopped,
    };
  };

  const pushNamed = (id: string | undefined): StoredPush => {
    const found = service.pushes.find((push) => push.id === id);
    if (found === undefined) throw new Problem('NOT_FOUND', 'There is no such push.');
    return found;
  };

  const cancelOpen = (push: StoredPush, stopped: string) => {
    push.stopped = stopped;
    for (const row of push.rows) if (row.state === 'waiting') Object.assign(row, { state: 'cancelled', turn: ++turn });
  };

  const respond = (request: IncomingMessage, body: string): [number, object] => {
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
      return [202, pushResponse.parse({ push: summaryOf(begun) })];
    }
    if (id === undefined) return [200, pushList.parse({ pushes: service.pushes.map(summaryOf).reverse() })];
    const push = pushNamed(id);
    if (verb === 'cancel') {
      cancelOpen(push, 'CANCELLED');
      return [202, pushResponse.parse({ push: summaryOf(push) })];
    }
    for (const row of push.rows.filter(({ state }) => state === 'waiting').slice(0, service.atOnce)) apply(row);
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
    service.requests.push(`${request.method} ${path}`);
    const fault = service.onRequest(request.method!, path);
    if (fault === 'lost') return void response.destroy();
    if (fault === 'unanswered') return;
    let status: number;
    let content: object;
    try {
      if (fault instanceof Problem) throw fault;
      [status, content] = respond(request, body);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      [status, content] = [error.status, problemBody(error, path)];
    }
    if (fault === 'response lost') return void response.destroy();
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(stringifyJson(content));
  };

  return service;
}
