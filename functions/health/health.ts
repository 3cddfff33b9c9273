import type { HttpFunction } from '../http/definition.ts';
import { jsonResponse } from '../http/json.ts';

/** How a part of the app is. `degraded`: there, but not well. */
export type Health = { status?: 'ok' | 'degraded' } & Record<string, unknown>;

/**
 * `/health`: 200 when everything the app needs is there, 503 when not; what is wrong stands in the log. An app in front of a
 * service that fails is there: starting it again would mend nothing.
 * @param parts how each part is, by its name; throws when one cannot be reached
 */
export const healthFunctions = (parts: () => Promise<Record<string, Health>>, version: string): HttpFunction[] => [
  {
    name: 'health',
    methods: ['GET'],
    route: 'health',
    async handler(_request, context) {
      try {
        const all = Object.entries(await parts());
        const status = all.some(([, part]) => part.status === 'degraded') ? 'degraded' : 'ok';
        const details = Object.fromEntries(all.map(([name, { status: _, ...part }]) => [name, part]));
        return jsonResponse(JSON.stringify({ status, version, ...details }));
      } catch (thrown) {
        context.error(thrown);
        return jsonResponse(JSON.stringify({ status: 'unavailable', version }), { status: 503 });
      }
    },
  },
];
