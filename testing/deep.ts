/** Whether these are the deep runs (`npm run test:deep`): more crashes, more chance, larger data. */
export const isDeep = import.meta.env.MODE === 'deep';

/** How much of something a test does: usually, and in the deep runs. */
export const deeper = (usual: number, deep: number): number => (isDeep ? deep : usual);
