import type { HttpRequest, InvocationContext } from '@azure/functions';
import { isSameSecret } from '../http/credential.ts';
import type { HttpFunction, TimerFunction } from '../http/definition.ts';
import { jsonResponse } from '../http/json.ts';

/** The state of a part of the app. `degraded`: available, but with problems. */
export type Health = { status?: 'ok' | 'degraded' } & Record<string, unknown>;

/**
 * Milliseconds for which a response is cached for unauthenticated callers: the checks read the database and the
 * storage.
 */
const CACHE_MS = 5000;

/**
 * `/health`: 200 when everything the app needs is available, else 503; the log has the reason. An app in front of a
 * failing service is available: restarting it would not help. A caller that sends the key of the settings in
 * `Health-Key` gets the state of each part, any other caller only whether the app is up.
 * @param parts the check of each part by its name; throws when the part is not available
 * @param key the key of the settings; undefined when there is none
 */
export function healthFunctions(
  parts: () => Promise<Record<string, Health>>,
  key: string | undefined,
  version: string,
): HttpFunction[] {
  async function read(context: InvocationContext): Promise<Record<string, Health> | Error> {
    try {
      return await parts();
    } catch (thrown) {
      context.error(thrown);
      return thrown instanceof Error ? thrown : new Error(String(thrown));
    }
  }
  let cached = { until: 0, isUp: Promise.resolve(false) };
  function isUp(context: InvocationContext): Promise<boolean> {
    // Not the time of day, which may be set back.
    const now = performance.now();
    if (now >= cached.until) {
      cached = { until: now + CACHE_MS, isUp: read(context).then((health) => !(health instanceof Error)) };
    }
    return cached.isUp;
  }
  return [
    {
      name: 'health',
      methods: ['GET'],
      route: 'health',
      described: () => [
        {
          path: '/health',
          method: 'GET',
          summary: 'Whether the app is up; with the key of the settings, how each part is',
          isPublic: true,
          parameters: [{ name: 'Health-Key', in: 'header', description: 'The key of the settings' }],
          response: {
            'application/json': {
              type: 'object',
              required: ['status'],
              properties: { status: { type: 'string', enum: ['ok', 'degraded', 'unavailable'] } },
            },
          },
          further: { 503: { description: 'Not up', hasContent: true } },
        },
      ],
      async handler(request, context) {
        if (!hasHealthKey(request, key)) return response({ status: statusText(await isUp(context)) });
        const health = await read(context);
        if (health instanceof Error) return response({ status: statusText(false), version, error: textOf(health) });
        const all = Object.entries(health);
        const status = all.some(([, part]) => part.status === 'degraded') ? 'degraded' : 'ok';
        return response({
          status,
          version,
          ...Object.fromEntries(all.map(([name, { status: _, ...part }]) => [name, part])),
        });
      },
    },
  ];
}

/**
 * Logs the state of each part every quarter of an hour, one line of JSON for each: alerts are set on these lines, and on
 * their absence.
 * @param parts as for `/health`
 */
export const healthTimer = (parts: () => Promise<Record<string, Health>>): TimerFunction => ({
  name: 'healthLog',
  schedule: '45 */15 * * * *',
  async handler(_timer, context) {
    for (const [part, { status = 'ok', ...detail }] of Object.entries(await parts())) {
      const line = JSON.stringify({ event: 'health', part, status, ...detail });
      if (status === 'ok') context.log(line);
      else context.warn(line);
    }
  },
});

/** The message of an error, and the first line of its cause. */
const textOf = ({ message, cause }: Error): string =>
  cause instanceof Error ? `${message} ${cause.message.split('\n', 1)[0]}` : message;

const statusText = (isUp: boolean) => (isUp ? 'ok' : 'unavailable');

const response = (health: { status: string } & Record<string, unknown>) =>
  jsonResponse(JSON.stringify(health), { status: health.status === 'unavailable' ? 503 : 200 });

/** Whether a request has the health key. */
export function hasHealthKey(request: HttpRequest, expected: string | undefined): boolean {
  const key = request.headers.get('Health-Key');
  return key !== null && expected !== undefined && isSameSecret(key, expected);
}
