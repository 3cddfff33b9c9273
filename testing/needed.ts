/** What a test needs and not every machine has. */
export type Needed = {
  isThere: boolean;
  /** The title of a test that needs it, with the reason where it is skipped: the end of a run repeats that. */
  title: (sentence: string) => string;
};

/** @param reason why tests that need it are skipped where it is not there */
export const needed = (isThere: boolean, reason: string): Needed => ({
  isThere,
  title: (sentence) => (isThere ? sentence : `${sentence} (skipped: ${reason})`),
});

/** Why a test was skipped, from its own title or the title of a group that it stands in. */
export const reasonIn = (titles: string): string | undefined => /\(skipped: (.+?)\)( > |$)/.exec(titles)?.[1];
