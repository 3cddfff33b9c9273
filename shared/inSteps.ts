/** Runs the steps of a generator, and lets others work between them. @param otherWork ends when they had their turn */
export async function inSteps<Result>(
  steps: Generator<void, Result>,
  otherWork: () => Promise<unknown>,
): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await otherWork();
  }
}
