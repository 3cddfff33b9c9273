import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { runCommand } from '../../functions/administrations/builtin/cli/command.ts';
import type { Database } from '../../functions/administrations/builtin/sql/database.ts';
import { openDatabase } from '../../functions/administrations/builtin/sql/openDatabase.ts';

/** The command line with a new data folder for each test, on 4 March 2026. */
export function commandLineOfTests() {
  let folder: string;
  let opened: Database[];
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'ledgerline-command-'));
    opened = [];
  });
  afterEach(async () => {
    for (const db of opened) await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  });
  const inFolder = (name: string): string => path.join(folder, name);
  async function runWith(settings: Record<string, string>, ...words: string[]) {
    const output: string[] = [];
    const errorOutput: string[] = [];
    const code = await runCommand(words, {
      env: { DATA_DIR: folder, ...settings },
      say: (line) => output.push(line),
      complain: (line) => errorOutput.push(line),
      now: () => new Date('2026-03-04T12:00:00Z'),
    });
    return { code, output, errorOutput: errorOutput.join('\n') };
  }
  return {
    inFolder,
    run: (...words: string[]) => runWith({}, ...words),
    runWith,
    async database(): Promise<Database> {
      const db = await openDatabase(`sqlite:${inFolder('ledgerline.sqlite')}`);
      opened.push(db);
      return db;
    },
    /** Writes a file, and returns its path. */
    file(name: string, text: string): string {
      writeFileSync(inFolder(name), text);
      return inFolder(name);
    },
  };
}
