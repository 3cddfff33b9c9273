import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startScript } from '../../testing/appProcess.ts';
import { readArguments } from './arguments.ts';

const known = ['pages', 'log', 'start'];

describe('The arguments of the bench', () => {
  it('name parts, and a commit to compare with', () => {
    expect(readArguments([], known)).toEqual({ parts: [], against: undefined, rounds: 3 });
    expect(readArguments(['log', 'pages'], known)).toMatchObject({ parts: ['log', 'pages'], against: undefined });
    expect(readArguments(['--against', 'main', 'log'], known)).toEqual({ parts: ['log'], against: 'main', rounds: 3 });
    expect(readArguments(['log', '--against=main', '--rounds=5'], known)).toMatchObject({ against: 'main', rounds: 5 });
  });

  it.each([
    [['pgaes'], 'No part pgaes. The parts are pages, log, start.'],
    [['--against', 'main'], '--against needs at least one part.'],
    [['--against=', 'log'], '--against needs a commit.'],
    [['--against', 'main', 'start'], 'start has no figures to compare.'],
    [['--against', 'main', 'log', '--rounds', '0'], '--rounds needs a whole number above 0.'],
    [['--against', 'main', 'log', '--rounds', 'many'], '--rounds needs a whole number above 0.'],
    [['log', '--rounds', '2'], '--rounds needs --against.'],
    [['--agianst', 'main', 'log'], "Unknown option '--agianst'"],
  ])('%j are refused', (args, message) => {
    expect(() => readArguments(args, known)).toThrow(message);
  });

  it('are refused before anything is measured, with the parts there are', async () => {
    const bench = startScript(path.resolve(import.meta.dirname, '../run.ts'), {}, { args: ['pgaes'] });
    expect(await bench.ended).toEqual([2, null]);
    expect(bench.errorOutput()).toMatch(/^No part pgaes\. The parts are pages, updates, .*, start\.$/m);
    expect(bench.lines()).toEqual([]);
  });
});
