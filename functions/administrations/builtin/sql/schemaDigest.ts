import { hash } from 'node:crypto';

/** The digest of a schema, from the names of its migrations and triggers. */
export const schemaDigest = (names: readonly string[]): string => hash('sha256', names.toSorted().join());
