import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Credential } from '../../shared/client/client.ts';

export type DatabaseKind = 'sqlite' | 'postgres';

/** What is known of the data of a release, beside the data. */
export type Release = {
  /** Seconds since 1970. */
  madeOn: number;
  credential: Credential;
  secretKey: string;
  /** Id of the push under way: each of its rows adds one to the stock of P-0, P-1 and so on. */
  push: string;
  /** What their stock is when it has ended. */
  added: number;
  articles: number;
  relations: number;
};

const releases = path.join(import.meta.dirname, 'releases');

export const releaseFolder = (name: string, kind: DatabaseKind): string => path.join(releases, name, kind);

/** The releases that are kept. */
export const releaseNames = (): string[] => readdirSync(releases).sort();
