/** Whether these are the deep runs (`npm run test:deep`): more crashes, more random cases, larger data. */
const isDeep = import.meta.env.MODE === 'deep';

/** An amount of work: in usual runs, and in deep runs. */
export const deeper = (usual: number, deep: number): number => (isDeep ? deep : usual);
