import type { Row } from '../schema.ts';

/** Who makes a change. */
export type Author = {
  origin: Row<'log'>['origin'];
  /** The id of the API key; null where there is none. */
  key: bigint | null;
  /** The endpoint, or the command or task. */
  action: string;
};

/** The command line, which has no key. */
export const byCommand = (action: string): Author => ({ origin: 'command', key: null, action });
