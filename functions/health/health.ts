import { createHash, timingSafeEqual } from 'node:crypto';
import type { HttpRequest, InvocationContext } from '@azure/functions';
import type { HttpFunction } from '../http/definition.ts';
import { jsonResponse } from '../http/json.ts';

/** How a part of the app is. `degraded`: there, but not well. */
export type Health = { status?: 'ok' | 'degraded' } & Record<string, unknown>;

/** Milliseconds in which strangers get the same answer: asking costs reads of the database and the storage. */
const CACHE_MS = 5000;

/**
 * `/health`: 200 when everything the app needs is there, 503 when not; what is wrong stands in the log. An app in front of a
 * service that fails is there: starting it again would mend nothing. Whoever sends the key of the settings in `Health-Key`
 * is told how each part is, anybody else whether the app is up.
 * @param parts how each part is, by its name; throws when one cannot be reached
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
    if (Date.now() >= cached.until) {
      cached = { until: Date.now() + CACHE_MS, isUp: read(context).then((health) => !(health instanceof Error)) };
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
          answer: {
            'application/json': {
              type: 'object',
              required: ['status'],
              properties: { status: { type: 'string', enum: ['ok', 'degraded', 'unavailable'] } },
            },
          },
        },
      ],
      async handler(request, context) {
        if (!hasHealthKey(request, key)) return answer({ status: statusText(await isUp(context)) });
        const health = await read(context);
        if (health instanceof Error) return answer({ status: statusText(false), version, error: health.message });
        const all = Object.entries(health);
        const status = all.some(([, part]) => part.status === 'degraded') ? 'degraded' : 'ok';
        return answer({
          status,
          version,
          ...Object.fromEntries(all.map(([name, { status: _, ...part }]) => [name, part])),
        });
      },
    },
  ];
}

const statusText = (isUp: boolean) => (isUp ? 'ok' : 'unavailable');

const answer = (health: { status: string } & Record<string, unknown>) =>
  jsonResponse(JSON.stringify(health), { status: health.status === 'unavailable' ? 503 : 200 });

/** Whether a request has the health key; the time this takes says nothing of how close a guess came. */
export function hasHealthKey(request: HttpRequest, expected: string | undefined): boolean {
  const key = request.headers.get('Health-Key');
  if (key === null || expected === undefined) return false;
  const [one, other] = [key, expected].map((text) => createHash('sha256').update(text, 'utf8').digest());
  return timingSafeEqual(one!, other!);
}
