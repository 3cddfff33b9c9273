import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Credential } from '../../shared/client/client.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/** What the tests know about the data of a release. */
export type Release = {
  /** Seconds since 1970. */
  madeOn: number;
  credential: Credential;
  secretKey: string;
  /** The id of the running push: each row adds one to the stock of P-0, P-1 and so on. */
  push: string;
  /** Their stock when the push has ended. */
  added: number;
  articles: number;
  relations: number;
};

const releases = path.join(import.meta.dirname, 'releases');

export const releaseFolder = (name: string, kind: DatabaseKind): string => path.join(releases, name, kind);

/** The releases with stored data. */
export const releaseNames = (): string[] => readdirSync(releases).sort();
