import * as z from 'zod/mini';

/** What the service of a remote administration does not tell. */
const unknown = z.literal('unknown');

/** What a key may do, whatever the state of the administration. */
const keyRights = z.object({
  read: z.boolean(),
  /** An archived administration refuses writes of every key. */
  write: z.boolean(),
  /** Whether it may bring in whole audit files. */
  import: z.boolean(),
});

/** The administration that a credential opens, and what the credential may do in it. */
export const administrationIdentity = z.object({
  /** Of the administration itself: the same for all its keys. Of a remote one it follows from the credential. */
  id: z.string().check(z.minLength(1)),
  /** The ids of a remote administration under previous secret keys. */
  alsoKnownAs: z.array(z.string()),
  /** `unknown` where the service does not tell. */
  name: z.string(),
  country: z.enum(['NL', 'BE', 'unknown']),
  kind: z.enum(['builtin', 'remote']),
  /** The host of the service; left out for a built-in administration. */
  address: z.optional(z.string()),
  /** The most requests of a credential to the service in a minute; left out without such a limit. */
  requestsPerMinute: z.optional(z.int().check(z.positive())),
  /** The user name of the credential, in lower case. */
  username: z.string(),
  rights: z.union([keyRights, unknown]),
  archived: z.union([z.boolean(), unknown]),
  /** Which parts of the app there are for it. */
  available: z.object({
    pushes: z.boolean(),
    products: z.boolean(),
    exports: z.boolean(),
    documents: z.boolean(),
    ledger: z.boolean(),
  }),
});
export type AdministrationIdentity = z.output<typeof administrationIdentity>;
