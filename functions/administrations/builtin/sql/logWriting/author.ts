import type { Row } from '../schema.ts';

/** The author of a change. */
export type Author = {
  origin: Row<'log'>['origin'];
  /** The id of the API key; null where there is none. */
  key: bigint | null;
  /** The endpoint, or the command or task. */
  action: string;
};

export const byCommand = (action: string): Author => ({ origin: 'command', key: null, action });
