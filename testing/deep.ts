/**
 * Whether these are the deep runs (`npm run test:deep`): more crashes, more random cases, larger data. Long tests that do
 * nothing more then are skipped in a file that does, since `npm test` has done them.
 */
export const isDeep = import.meta.env.MODE === 'deep';

/** An amount of work: in usual runs, and in deep runs. */
export const deeper = <Work>(usual: Work, deep: Work): Work => (isDeep ? deep : usual);
