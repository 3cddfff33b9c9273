/** A program or file that a test needs, and not every machine has. */
export type Needed = {
  isThere: boolean;
  /** The title of a test that needs it, with the reason if it is skipped, for the end of a run. */
  title: (sentence: string) => string;
};

/** @param reason why tests are skipped without it */
export const needed = (isThere: boolean, reason: string): Needed => ({
  isThere,
  title: (sentence) => (isThere ? sentence : `${sentence} (skipped: ${reason})`),
});

/** Why a test was skipped, from its title or the title of its group. */
export const reasonIn = (titles: string): string | undefined => /\(skipped: (.+?)\)( > |$)/.exec(titles)?.[1];
