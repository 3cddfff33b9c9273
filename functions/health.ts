import type { HttpFunction } from './definition.ts';
import { guarded } from './guarded.ts';

/** What a part of the app says of itself; `degraded` when it is there but not well. Throws when it is not there. */
export type Health = { status?: 'ok' | 'degraded' } & Record<string, unknown>;

/** The parts of an app by their names. Without its administrations it is of no use; without another part it is degraded. */
export type HealthParts = { administration: () => Promise<Health> } & Record<string, () => Promise<Health>>;

/**
 * `/health`: 200 when everything the app needs is there, 503 when not; what is wrong stands in the log. An app in front of a
 * service that fails is there: starting it again would mend nothing.
 */
export const healthFunctions = (parts: () => Promise<HealthParts>, version: string): HttpFunction[] => [
  {
    name: 'health',
    methods: ['GET'],
    route: 'health',
    handler: guarded(async (_request, context) => {
      const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' };
      try {
        const { administration, ...others } = await parts();
        const said: Record<string, Health> = { administration: await administration() };
        for (const [name, health] of Object.entries(others)) {
          said[name] = await health().catch((failure) => {
            context.error(failure);
            return { status: 'degraded', unavailable: true };
          });
        }
        const status = Object.values(said).some((part) => part.status === 'degraded') ? 'degraded' : 'ok';
        // Said once, of the whole, where it is only of the administrations.
        const { status: _, ...ofAdministration } = said.administration!;
        return { headers, body: JSON.stringify({ status, version, ...said, administration: ofAdministration }) };
      } catch (thrown) {
        context.error(thrown);
        return { status: 503, headers, body: JSON.stringify({ status: 'unavailable', version }) };
      }
    }),
  },
];
