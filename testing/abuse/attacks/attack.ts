import type { Target } from '../target.ts';

/** Something that a caller, or a service, does to an app while others read. */
export type Attack<Of = Target> = {
  name: string;
  /**
   * Makes what is sent, and what has to be there before.
   * @returns a function that sends it, and returns what came of it in a few words. It throws when the app did not refuse,
   *   end or limit what it must
   */
  prepare(target: Of): Work | Promise<Work>;
  /** The most megabytes by which it may let the memory of the app grow; left out: that is not looked at. */
  maxMemory?: number;
};

type Work = () => Promise<string>;
