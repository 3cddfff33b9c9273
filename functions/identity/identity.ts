import type { Credential } from '../../shared/client/client.ts';
import { describeSchema } from '../../shared/openapi.ts';
import { type AdministrationIdentity, administrationIdentity } from '../../shared/resources/administration.ts';
import type { Administrations } from '../administrations/administration.ts';
import { credentialOf } from '../http/credential.ts';
import type { HttpFunction } from '../http/definition.ts';
import { jsonResponse } from '../http/json.ts';
import type { SecretKeys } from '../http/secretKeys.ts';
import { remoteIds } from './remoteIds.ts';

/** What says whose books a credential opens. */
export type IdentitySources = {
  administrations: Administrations;
  /** Left out where there is none. */
  secretKeys?: SecretKeys;
  /** The parts of the app that depend on its storage account and settings. @throws Problem */
  storageParts: (credential: Credential) => Promise<Pick<AdministrationIdentity['available'], 'pushes' | 'exports'>>;
};

/** `GET /administration`: whose books a credential opens, and what it may do there. */
export const identityFunctions = (sources: () => Promise<IdentitySources>): HttpFunction[] => [
  {
    name: 'administration',
    methods: ['GET'],
    route: 'administration',
    described: () => [
      {
        path: '/administration',
        method: 'GET',
        summary: 'Whose books a credential opens, what it may do there, and what there is for it',
        response: { 'application/json': describeSchema(administrationIdentity) },
      },
    ],
    handler: async (request) => jsonResponse(JSON.stringify(await identityOf(await sources(), credentialOf(request)))),
  },
];

/** @throws Problem UNAUTHORIZED, and those of a request to a remote service */
async function identityOf(
  { administrations, secretKeys, storageParts }: IdentitySources,
  credential: Credential,
): Promise<AdministrationIdentity> {
  const known = await administrations.identify(credential);
  const available = {
    ...(await storageParts(credential)),
    products: administrations.products !== undefined,
    documents: true,
    ledger: administrations.ledger !== undefined,
  };
  if (known.kind === 'builtin') {
    const { label: _, ...told } = known;
    return { ...told, alsoKnownAs: [], available };
  }
  const { service, requestsPerMinute } = known;
  const [id, ...alsoKnownAs] = await remoteIds(service, credential, secretKeys);
  return {
    id,
    alsoKnownAs,
    name: 'unknown',
    country: 'unknown',
    kind: 'remote',
    address: new URL(service).host,
    ...(requestsPerMinute === undefined ? {} : { requestsPerMinute }),
    username: credential.username.toLowerCase(),
    rights: 'unknown',
    archived: 'unknown',
    available,
  };
}
