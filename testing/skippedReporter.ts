import type { Reporter, TestModule } from 'vitest/node';
import { reasonIn } from './needed.ts';

/** Prints at the end of a run which tests were skipped, a line for each reason. */
export class SkippedReporter implements Reporter {
  readonly #absent: readonly string[];

  /** @param absent the reasons of tests that are not part of the run */
  constructor(absent: readonly string[]) {
    this.#absent = absent;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const module of modules)
      for (const test of module.children.allTests('skipped')) {
        const reason = reasonIn(test.fullName);
        if (reason !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + 1);
      }
    const lines = [
      ...[...counts].map(([reason, count]) => `${count} ${count === 1 ? 'test' : 'tests'}: ${reason}`),
      ...this.#absent,
    ];
    if (lines.length > 0) console.log(`Skipped here:\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
  }
}
