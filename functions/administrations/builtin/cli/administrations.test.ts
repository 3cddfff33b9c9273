import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { builtinAdministrations } from '../builtin.ts';
import type { Database } from '../sql/database.ts';
import { openDatabase } from '../sql/openDatabase.ts';
import { runCommand } from './command.ts';

/* The command as it is run from a terminal: in a process of its own. */

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'ledgerline-administrations-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const command = path.resolve(import.meta.dirname, 'command.ts');

function run(words: readonly string[], variables: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], {
    env: { PATH: process.env.PATH ?? '', DATA_DIR: folder, ...variables },
    cwd: folder,
    encoding: 'utf8',
    input: '',
  });
  return { status, stdout, stderr };
}

const line = (text: string) => run(text.split(' '));

async function inDatabase<T>(work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(`sqlite:${path.join(folder, 'ledgerline.sqlite')}`);
  try {
    return await work(db);
  } finally {
    await db.destroy();
  }
}

describe('administration create', () => {
  test('prints only the id on its output, and the next steps on its error output', () => {
    const { status, stdout, stderr } = line('create --name Bakkerij --country NL');
    expect({ status, stdout }).toEqual({ status: 0, stdout: '1\n' });
    expect(stderr).toContain('Administration 1, Bakkerij, is made.');
    expect(stderr).toContain('key issue --administration 1');
    expect(stderr).toContain('import relations customers.csv --administration 1');
    expect(stderr).toContain('npm start');
  });

  test('refuses a taken name in any case, and so does renaming', () => {
    line('create --name Bakkerij --country NL --empty');
    line('create --name Molen --country BE --empty');
    const taken = 'Administration 1 is called Bakkerij: choose another name.\n';
    expect(line('create --name BAKKERIJ --country BE')).toEqual({ status: 1, stdout: '', stderr: taken });
    expect(line('set --administration 2 --name bakkerij')).toEqual({ status: 1, stdout: '', stderr: taken });
    expect(line('set --administration 1 --name BAKKERIJ').status).toBe(0);
    expect(line('set --administration 2 --name Watermolen').status).toBe(0);
    expect(line('list').stdout).toBe('1\tNL\tBAKKERIJ\n2\tBE\tWatermolen\n');
  });
});

describe('an archived administration', () => {
  test('is exported and read-only, and can be unarchived', async () => {
    line('create --name Bakkerij --country NL');
    const apiKey = line('key issue --administration 1 --username jan@example.com').stdout.trim();
    const archived = line('archive uit --administration 1');
    expect(archived).toMatchObject({ status: 0, stderr: '' });
    expect(archived.stdout).toContain('npm run administration -- unarchive --administration 1');
    expect(existsSync(path.join(folder, 'uit', 'archive.json'))).toBe(true);
    expect(line('list').stdout).toMatch(/^1\tNL\tBakkerij\tarchived \d{4}-\d\d-\d\d\n$/);
    expect(line('archive weer --administration 1').stderr).toBe('Administration 1 is archived already.\n');
    writeFileSync(path.join(folder, 'r.csv'), 'Name\nMolen\n');
    for (const words of ['import relations r.csv --administration 1', 'set --administration 1 --city Gouda']) {
      const stderr = 'Administration 1 is archived. See: npm run administration -- unarchive --help\n';
      expect(line(words)).toEqual({ status: 1, stdout: '', stderr });
    }
    const credential = { username: 'jan@example.com', apiKey };
    const product = { NewArticleNumber: '1', NewProductName: 'Brood' };
    const attempt = async () => {
      const db = await openDatabase(`sqlite:${path.join(folder, 'ledgerline.sqlite')}`);
      const administrations = builtinAdministrations(db);
      try {
        const endpoints = await administrations.open(credential);
        const accounts = (await endpoints.listledgeraccounts({ FiscalYear: 2026 } as never)) as unknown[];
        const ids = await administrations.own!.ids();
        const written = await endpoints.addproduct(product as never).then(
          () => 'written',
          (problem: Error) => problem.message,
        );
        const push = await administrations.writer!(credential).then(
          () => 'a writer',
          (problem: Error) => problem.message,
        );
        return { isRead: accounts.length > 0, ids, written, push };
      } finally {
        await administrations.close?.();
      }
    };
    const refused = 'This administration is archived: it can only be read.';
    expect(await attempt()).toEqual({ isRead: true, ids: [], written: refused, push: refused });
    expect(line('unarchive --administration 1').status).toBe(0);
    expect(await attempt()).toEqual({ isRead: true, ids: ['1'], written: 'written', push: 'a writer' });
    expect(line('unarchive --administration 1').status).toBe(1);
  });

  test('is not archived when it cannot be exported', () => {
    line('create --name Bakkerij --country NL --empty');
    writeFileSync(path.join(folder, 'uit'), '');
    const failed = line('archive uit --administration 1');
    expect(failed).toMatchObject({ status: 1, stdout: '', stderr: 'uit cannot be made: it is there already.\n' });
    expect(line('list').stdout).toBe('1\tNL\tBakkerij\n');
  });
});

describe('administration delete', () => {
  test('asks twice, and deletes only after the name and yes were typed', async () => {
    line('create --name Bakkerij --country NL --empty');
    const words = ['delete', '--administration', '1'];
    const responding = async (...responses: string[]) => {
      const said: string[] = [];
      const complained: string[] = [];
      const status = await runCommand(words, {
        env: { DATA_DIR: folder },
        say: (text) => said.push(text),
        complain: (text) => complained.push(text),
        ask: async () => responses.shift() ?? '',
        now: () => new Date('2026-03-04T12:00:00Z'),
      });
      return { status, said: said.join('\n'), complained: complained.join('\n') };
    };
    for (const [responses, why] of [
      [[], 'That is not its name.'],
      [['bakkerij', 'yes'], 'That is not its name.'],
      [['Bakkerij'], 'The answer was not yes.'],
      [['Bakkerij', 'no'], 'The answer was not yes.'],
    ] as const) {
      const refused = { status: 1, complained: `${why} Nothing was deleted.` };
      expect(await responding(...responses)).toMatchObject(refused);
    }
    expect(run(words)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'There is no terminal: expected --yes and its name. Nothing was deleted.\n',
    });
    expect(run([...words, '--yes', 'Molen'])).toMatchObject({ status: 1, stdout: '' });
    expect(line('list').stdout).toContain('Bakkerij');
    const deleted = await responding('Bakkerij', 'yes');
    expect(deleted).toMatchObject({ status: 0, complained: '' });
    expect(deleted.said).toContain('What stays: folders that export wrote, backups of the database');
    expect(line('list').stdout).toBe('There are no administrations yet.\n');
  });

  test('needs no terminal with the name as an option', () => {
    line('create --name Bakkerij --country NL --empty');
    expect(line('delete --administration 1 --yes Bakkerij').status).toBe(0);
    expect(line('delete --administration 1 --yes Bakkerij')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'There is no administration 1. See: npm run administration -- list\n',
    });
  });
});

describe('an error of the command', () => {
  test('is printed as one sentence, without a stack', async () => {
    await inDatabase(async () => {});
    const notOne = path.join(folder, 'none.sqlite');
    writeFileSync(notOne, 'a text that is no database, of more than a hundred characters. '.repeat(20));
    const cases: [words: string, variables: Record<string, string>, status: number, said: string][] = [
      ['check --administration 7', {}, 1, 'There is no administration 7. See: npm run administration -- list'],
      ['list', { DATABASE_URL: `sqlite:${notOne}` }, 1, 'cannot be opened: file is not a database'],
      ['list', { DATABASE_URL: `sqlite:${folder}` }, 1, 'cannot be opened: '],
      [
        'list',
        { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/books' },
        1,
        '//127.0.0.1:1/books cannot be opened: connect ECONNREFUSED 127.0.0.1:1',
      ],
      ['list', { DATABASE_URL: 'mysql://x' }, 2, 'DATABASE_URL: expected sqlite:'],
      [
        'import relations nergens.csv --administration 1',
        {},
        1,
        'nergens.csv cannot be read: there is no such file or folder.',
      ],
      ['import relations . --administration 1', {}, 1, '. cannot be read: it is a folder.'],
      ['import relations none.sqlite --administration 1 --report no/such/folder', {}, 1, ': '],
      ['import all nergens', {}, 1, 'nergens is no exported administration: archive.json: there is no such file'],
      ['key issue --administration 1 --username jan@', {}, 2, 'Expected an e-mail address'],
      ['key issue --administration 1 --username jan@kantoor', {}, 2, 'Expected an e-mail address'],
    ];
    line('create --name Bakkerij --country NL --empty');
    for (const [words, variables, status, said] of cases) {
      const ended = run(words.split(' '), variables);
      expect({ words, status: ended.status }).toEqual({ words, status });
      expect(ended.stderr).toContain(said);
      expect(ended.stderr).not.toMatch(/^\s+at /m);
      expect(ended.stderr).not.toContain('secret');
      expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
    }
  });

  test('of --values or --set is reported with the expected words, before any row', () => {
    line('create --name Bakkerij --country NL --empty');
    writeFileSync(path.join(folder, 'a.csv'), 'Number,Name,LedgerType,DebetOrCredit\n1,a,Bal,D\n2,b,Bal,D\n');
    const words = ['import', 'accounts', 'a.csv', '--administration', '1', '--set', 'FiscalYear=26'];
    expect(run([...words, '--values', 'LedgerType:Bal=Balance'])).toEqual({
      status: 1,
      stdout: '',
      stderr: [
        'a.csv:1: FiscalYear: is set to one value: expected at least 1900, got 26',
        'a.csv:1: LedgerType: the replacement of "Bal": expected BalanceSheet or IncomeStatement, got "Balance"',
        '2 problems in a.csv: nothing was imported.\n',
      ].join('\n'),
    });
  });
});
