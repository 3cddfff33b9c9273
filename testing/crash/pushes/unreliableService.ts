import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Seeded, seeded } from '../../../functions/administrations/builtin/setup/demo/seeded.ts';
import { listen } from '../../listen.ts';

/** The faults of the service, with their percentages; otherwise it handles a request normally. */
const behaviours = {
  'resets before': 2,
  'resets after': 3,
  'hangs up before': 1,
  'hangs up after': 2,
  'fails before': 2,
  'fails after': 2,
  'answers half': 2,
  'answers too late': 1,
  'does it too late': 1,
  'answers nothing': 1,
  refuses: 2,
  'has enough': 1,
} as const;
type ServiceBehaviour = keyof typeof behaviours | 'answers';

/** A request, as far as the service reads it. */
type Update = {
  ArticleNumber: string;
  NewName?: string;
  NewStockQty: number;
  StockUpdateMode?: 'Relative' | 'Absolute';
  NewStockMutationComment: string;
};

/** A request for a document, as far as the service reads it. */
type Document = { InvoiceNotes?: string; OrderNotes?: string };

/** The data of one credential: the stock of each article, and the comment or the notes of each applied write. */
type Books = { stock: Map<string, number>; done: string[] };

/**
 * A service that changes and adds products of its credentials, in whole quantities, with the faults of real networks
 * and services.
 * @param timeout of its callers, in milliseconds
 */
export async function startUnreliableService(seed: number, timeout: number) {
  const random = seeded(seed);
  const books = new Map<string, Books>();
  let received = 0;
  const underWay = new Set<Promise<void>>();
  const server = createServer((request, response) => {
    if (request.method !== 'GET') received++;
    const responding = respond(request, response).finally(() => underWay.delete(responding));
    underWay.add(responding);
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    // A caller that was killed while sending has sent no request.
    try {
      for await (const chunk of request.setEncoding('utf8')) text += chunk;
    } catch {
      return;
    }
    const data = books.get(String(request.headers.apikey))!;
    // The check of the credential.
    if (request.method === 'GET') return void response.end('[]');
    const update = JSON.parse(text) as Update;
    const respond = (status: number, body: unknown, headers = {}) =>
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
    const behaviour = anyBehaviour(random);
    await sleep(random.from(0, 25));
    switch (behaviour) {
      case 'resets before':
        return void request.socket.resetAndDestroy();
      case 'hangs up before':
        return void request.socket.destroy();
      case 'fails before':
        return void respond(503, { errorMessage: 'Busy.' });
      case 'answers nothing':
        return void respond(200, null);
      case 'refuses':
        return void respond(400, { errorCode: 'X1', errorMessage: 'Not today.' });
      case 'has enough':
        return void respond(401, { errorMessage: 'Ratelimit exceeded' }, { 'Retry-After': '1' });
      case 'does it too late':
        await sleep(timeout + 300);
    }
    const isDocument = !/product/.test(request.url ?? '');
    const isAddition = request.method === 'POST';
    const made = isDocument ? documentMade(data, JSON.parse(text)) : undefined;
    if (!isDocument && data.stock.has(update.ArticleNumber) === isAddition) {
      return void respond(400, { errorCode: 'X2', errorMessage: `ArticleNumber: ${update.ArticleNumber}` });
    }
    const result = made ?? productChanged(data, update);
    switch (behaviour) {
      case 'resets after':
        return void request.socket.resetAndDestroy();
      case 'hangs up after':
        return void request.socket.destroy();
      case 'fails after':
        return void respond(500, { errorMessage: 'Oops.' });
      case 'answers half':
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': 500 });
        response.write(JSON.stringify(result).slice(0, 20), () => request.socket.destroy());
        return;
      case 'answers too late':
        await sleep(timeout + 300);
    }
    respond(200, isAddition ? [result] : result);
  }

  const { url, close } = await listen(server);
  return {
    url,
    books,
    /** The number of received writes. */
    received: (): number => received,
    /** Waits until it is idle. */
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    close: async () => close(),
  };
}

function productChanged(data: Books, { ArticleNumber, NewStockQty, StockUpdateMode, ...update }: Update): object {
  const before = data.stock.get(ArticleNumber) ?? 0;
  const StockQty = StockUpdateMode === 'Absolute' ? NewStockQty : before + NewStockQty;
  data.stock.set(ArticleNumber, StockQty);
  data.done.push(update.NewStockMutationComment);
  return { Name: ArticleNumber, ArticleNumber, StockQty, Price: 1.5 };
}

function documentMade(data: Books, { InvoiceNotes, OrderNotes }: Document): object {
  data.done.push((InvoiceNotes ?? OrderNotes)!);
  const number = data.done.length;
  return OrderNotes === undefined ? { InvoiceNumber: number, InvoiceNotes } : { OrderNumber: number, OrderNotes };
}

function anyBehaviour(random: Seeded): ServiceBehaviour {
  let left = random.below(100);
  for (const [behaviour, percentage] of Object.entries(behaviours)) {
    if (left < percentage) return behaviour as ServiceBehaviour;
    left -= percentage;
  }
  return 'answers';
}
