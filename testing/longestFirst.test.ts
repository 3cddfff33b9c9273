import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { longest } from './longestFirst.ts';

describe('the order of test files', () => {
  it('names only files that exist, each once', () => {
    expect(longest.filter((file) => !existsSync(join(import.meta.dirname, '..', file)))).toEqual([]);
    expect(new Set(longest).size).toBe(longest.length);
  });
});
