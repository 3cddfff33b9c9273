import { DEMO_PATH, type DemoAdministration } from '../../shared/client/demo.ts';
import type { Administrations } from '../administrations/administration.ts';
import { demoCredentials } from '../administrations/builtin/setup/demo/demoCredentials.ts';
import type { HttpFunction } from '../http/definition.ts';
import { jsonResponse } from '../http/json.ts';

/** The existing demo administrations: those that a credential of the demo opens. */
export async function demoAdministrationsOf(administrations: Administrations): Promise<DemoAdministration[]> {
  const all = Object.entries(demoCredentials).map(async ([country, credential]) => {
    const isThere = await administrations.open(credential).then(
      () => true,
      () => false,
    );
    return isThere ? [{ country: country as keyof typeof demoCredentials, ...credential }] : [];
  });
  return (await Promise.all(all)).flat();
}

/** Returns the demo administrations to the pane of `npm start`. A deployed app has no such function. */
export const demoFunction = (administrations: Administrations): HttpFunction => ({
  name: 'demo',
  methods: ['GET'],
  route: DEMO_PATH,
  handler: async () => jsonResponse(JSON.stringify(await demoAdministrationsOf(administrations))),
});
