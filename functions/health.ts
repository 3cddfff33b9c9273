import type { Administrations } from './administrations/administration.ts';
import type { HttpFunction } from './definition.ts';
import { guarded } from './guarded.ts';

/**
 * `/health`: 200 when everything the app needs is there, 503 when not; what is wrong stands in the log. An app in front of a
 * service that fails is there: starting it again would mend nothing.
 */
export const healthFunctions = (administrations: () => Promise<Administrations>, version: string): HttpFunction[] => [
  {
    name: 'health',
    methods: ['GET'],
    route: 'health',
    handler: guarded(async (_request, context) => {
      const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
      try {
        const { status = 'ok', ...administration } = await (await administrations()).health();
        return { headers, body: JSON.stringify({ status, version, administration }) };
      } catch (thrown) {
        context.error(thrown);
        return { status: 503, headers, body: JSON.stringify({ status: 'unavailable', version }) };
      }
    }),
  },
];
