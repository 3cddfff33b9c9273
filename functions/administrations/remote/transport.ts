import { Pool } from 'undici';

export type OutgoingRequest = {
  method: 'GET' | 'POST' | 'PUT';
  /** Path and query, below the base address. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  /** Whether it may arrive twice. */
  mayBeRepeated: boolean;
  /** The most bytes of its response, before decompression: of a longer one no more is read. */
  maxBytes: number;
};

export type IncomingResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
};

/** A whole response; or `not sent` when no byte of the request left, or `lost` when that is unknown. */
export type SendResult =
  | { kind: 'response'; response: IncomingResponse }
  | { kind: 'not sent'; reason: string; timedOut: boolean }
  | { kind: 'lost'; reason: string; timedOut: boolean; isTooLarge: boolean };

export type Transport = {
  send(request: OutgoingRequest): Promise<SendResult>;
  close(): Promise<void>;
};

type TransportOptions = {
  /** Base address of the service; requests go nowhere else. */
  url: string;
  /** Milliseconds from the start to the last byte of the response. */
  timeout: number;
};

/** Milliseconds for a connection. */
const CONNECT_TIMEOUT = 10_000;
/** Simultaneous connections to the service; further requests wait for one. */
const MAX_CONNECTIONS = 128;

/**
 * Sends requests to one service over HTTP. It follows no redirects and repeats no requests.
 *
 * A service may close an idle connection just when a request is sent on it. So only requests that may be repeated reuse
 * connections; each other one has a new connection.
 */
export function createTransport({ url, timeout }: TransportOptions): Transport {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/(?<!\/)\/+$/, '');
  const options = {
    connections: MAX_CONNECTIONS,
    // Explicit, so that no environment variable can disable it.
    connect: { timeout: Math.min(CONNECT_TIMEOUT, timeout), rejectUnauthorized: true },
    // One timer below limits the whole request, also a slow response.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  };
  const reused = new Pool(origin, { ...options, pipelining: 1 });
  const single = new Pool(origin, { ...options, pipelining: 0 });

  return {
    send: ({ method, path, headers, body, mayBeRepeated, maxBytes }) =>
      new Promise((resolve) => {
        let controller: { abort(reason: Error): void } | undefined;
        let ended = false;
        let response: Omit<IncomingResponse, 'body'> | undefined;
        const chunks: Buffer[] = [];
        let size = 0;
        const end = (result: SendResult) => {
          if (ended) return;
          ended = true;
          clearTimeout(timer);
          resolve(result);
        };
        const failed = (error: unknown) => {
          const sent = controller !== undefined;
          const { reason, timedOut } = explain(error);
          end(
            sent
              ? { kind: 'lost', reason, timedOut, isTooLarge: error instanceof TooLarge }
              : { kind: 'not sent', reason, timedOut },
          );
        };
        const timer = setTimeout(() => {
          const late = new Late();
          failed(late);
          controller?.abort(late);
        }, timeout);
        try {
          (mayBeRepeated ? reused : single).dispatch(
            { method, path: base + path, headers, body: body ?? null },
            {
              onRequestStart(started) {
                // Its timeout passed before it had a connection: nothing was sent, and nothing will be.
                if (ended) return started.abort(new Late());
                controller = started;
              },
              onResponseStart(_, status, responseHeaders) {
                response = { status, headers: responseHeaders };
              },
              onResponseData(_, chunk) {
                size += chunk.length;
                if (size > maxBytes) {
                  const tooLarge = new TooLarge();
                  failed(tooLarge);
                  chunks.length = 0;
                  controller?.abort(tooLarge);
                } else chunks.push(chunk);
              },
              onResponseEnd() {
                // Most come in one piece, which needs no copy.
                const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
                end({ kind: 'response', response: { ...response!, body } });
              },
              onResponseError(_, error) {
                failed(error);
              },
            },
          );
        } catch (error) {
          failed(error);
        }
      }),
    async close() {
      await Promise.all([reused.destroy(), single.destroy()]);
    },
  };
}

class Late extends Error {
  readonly code = 'LATE';
}

class TooLarge extends Error {
  readonly code = 'TOO_LARGE';
}

/** Why a response is refused that is larger than its limit, as it travels or unpacked. */
export const TOO_LARGE = 'its answer is larger than what was asked for';

const reasons: Readonly<Record<string, string>> = {
  LATE: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'there was no connection in time',
  ETIMEDOUT: 'there was no connection in time',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it broke the connection',
  EPIPE: 'it broke the connection',
  UND_ERR_SOCKET: 'it broke the connection',
  EHOSTUNREACH: 'it is unreachable',
  ENETUNREACH: 'it is unreachable',
  TOO_LARGE,
  UND_ERR_INVALID_ARG: 'the request cannot be sent over HTTP',
};

/** The error as a text, without the request and the address. */
function explain(error: unknown): { reason: string; timedOut: boolean } {
  const thrown = Object(error);
  // Of a name with several addresses, all connections failed.
  const { code = '' } = thrown.errors?.[0] ?? thrown;
  const timedOut = reasons[code] === reasons.LATE || reasons[code] === reasons.ETIMEDOUT;
  if (/CERT|SELF_SIGNED|UNABLE_TO|TLS|SSL/.test(code)) {
    return { reason: `its certificate is not trusted (${code})`, timedOut };
  }
  return {
    reason:
      reasons[code] ??
      (/^HPE_/.test(code)
        ? 'it answered something that is not HTTP'
        : `the connection failed${code ? ` (${code})` : ''}`),
    timedOut,
  };
}
