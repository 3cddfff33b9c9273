import { setTimeout as passed } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { HttpRequest } from '@azure/functions';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAuditfileClient } from '../../shared/client/auditfileClient.ts';
import { Problem } from '../../shared/problem.ts';
import {
  AUDITFILE_PART_BYTES,
  type Auditfile,
  MAX_AUDITFILE_BYTES,
} from '../../shared/resources/generalLedger/auditfile.ts';
import { startApp, type TestAdministration, type TestApp } from '../../testing/app.ts';
import { auditfile, line, manyEntries, transactions } from '../../testing/builtin/auditfiles.ts';
import { testStorage } from '../../testing/storage.ts';
import type { Administrations } from '../administrations/administration.ts';
import { builtinAdministrations } from '../administrations/builtin/builtin.ts';
import { AUDITFILE_QUEUE } from './dependencies.ts';
import { openAuditfiles } from './openAuditfiles.ts';

const { connectionString, storage } = await testStorage();
let app: TestApp;
beforeAll(async () => {
  app = await startApp({ storage: connectionString });
});
afterAll(() => app.close());

/** A new administration with a key that may import. */
const newAdministration = () => app.addAdministration({ scope: 'import', username: 'importer@example.com' });
const clientOf = ({ credential }: TestAdministration) => createAuditfileClient({ base: app.url, credential, fetch });
const fileOf = (content: string, name = 'books.xaf') => new File([content], name);

const books = (amount = '121.00', more = '') =>
  auditfile({
    transactions: transactions('2', amount, amount, line('0100', amount, 'D', more) + line('8000', amount, 'C')),
  });

/** Waits until a file is not worked on. */
async function settled(administration: TestAdministration, id: string): Promise<Auditfile> {
  for (;;) {
    const found = await clientOf(administration).state(id);
    if (!['checking', 'importing', 'withdrawing'].includes(found.state)) return found;
    await passed(50);
  }
}

/** Sends a file. @returns its id */
async function sent(administration: TestAdministration, file: File): Promise<string> {
  const client = clientOf(administration);
  const received = await client.receive(file);
  await client.sendParts(received, file, () => {});
  return received.id;
}

async function checked(administration: TestAdministration, file: File): Promise<Auditfile> {
  const id = await sent(administration, file);
  await clientOf(administration).check(id);
  return settled(administration, id);
}

async function imported(
  administration: TestAdministration,
  file: File,
  choices = { replace: false, takeWithWarnings: false },
): Promise<Auditfile> {
  const { id } = await checked(administration, file);
  await clientOf(administration).import(id, choices);
  return settled(administration, id);
}

const balancesOf = async (administration: TestAdministration): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await administration.get('/ledger/balances?from=2025&to=2025')).json.balances.map(
      (one: { number: string; closing: number }) => [one.number, one.closing],
    ),
  );

const blobsOf = async (id: string): Promise<string[]> => {
  const container = await storage.containerClient('auditfiles');
  const names = await Array.fromAsync(container.listBlobsFlat(), ({ name }) => name);
  return names.filter((name) => name.includes(id));
};

describe('an audit file', () => {
  it('is sent, checked without a change, imported, and erased', async () => {
    const administration = await newAdministration();
    const { id, state, report } = await checked(administration, fileOf(books()));
    expect(state).toBe('checked');
    expect(report).toMatchObject({
      company: { name: 'X' },
      fiscalYear: 2025,
      firstDay: '2025-01-01',
      lastDay: '2025-12-31',
      accounts: { added: 2, changed: 0, unchanged: 0 },
      transactions: { lines: '2', debit: '121.00', credit: '121.00' },
      openingBalance: null,
      entries: { added: 1, removed: 0, unchanged: 0, matched: 0 },
      replaces: false,
      problemCount: 0,
    });
    expect(await balancesOf(administration)).toEqual({});
    expect(await blobsOf(id)).toHaveLength(1);

    await clientOf(administration).import(id, { replace: false, takeWithWarnings: false });
    const done = await settled(administration, id);
    expect(done).toMatchObject({
      state: 'imported',
      progress: 100,
      message: '',
      parts: [],
      report: { fiscalYear: 2025 },
    });
    expect(done.by).toEqual({ username: administration.credential.username, label: 'test' });
    expect(await balancesOf(administration)).toMatchObject({ '0100': 121, '8000': -121 });
    await expect.poll(() => blobsOf(id)).toEqual([]);
    const [logged] = await app.db.selectFrom('log').where('kind', '=', 'journal_entry').selectAll().execute();
    expect(logged).toMatchObject({ origin: 'rest', action: 'import auditfile' });
  });

  it('that is imported again changes nothing, and another one of the year replaces it when the person says so', async () => {
    const administration = await newAdministration();
    await imported(administration, fileOf(books()));
    const again = await imported(administration, fileOf(books()));
    expect(again.report).toMatchObject({ entries: { added: 0, removed: 0, unchanged: 1 }, replaces: false });

    const other = fileOf(books('242.00'));
    const compared = await checked(administration, other);
    expect(compared.report).toMatchObject({ replaces: true, problemCount: 0, entries: { added: 1, removed: 1 } });
    expect(compared.report!.differences).toHaveLength(2);

    const refused = await imported(administration, other);
    expect(refused).toMatchObject({ state: 'checked', report: { problemCount: 1 } });
    expect(await balancesOf(administration)).toMatchObject({ '0100': 121 });
    await clientOf(administration).import(refused.id, { replace: true, takeWithWarnings: false });
    expect(await settled(administration, refused.id)).toMatchObject({ state: 'imported', report: { replaces: true } });
    expect(await balancesOf(administration)).toMatchObject({ '0100': 242, '8000': -242 });
  });

  it('that contradicts itself is taken with a warning only when the person says so', async () => {
    const administration = await newAdministration();
    const file = fileOf(books().replace('<linesCount>2<', '<linesCount>3<'));
    const { report } = await checked(administration, file);
    expect(report).toMatchObject({
      contradictions: 1,
      problemCount: 0,
      warnings: [expect.stringContaining('linesCount')],
    });
    const refused = await imported(administration, file);
    expect(refused).toMatchObject({ state: 'checked', report: { problemCount: 1 } });
    const taken = await imported(administration, file, { replace: false, takeWithWarnings: true });
    expect(taken.state).toBe('imported');
  });

  it('that cannot be read is refused with its line, and nothing is imported', async () => {
    const administration = await newAdministration();
    const wrong = books().replace('<accID>8000</accID><docRef/>', '<accID>9999</accID><docRef/>');
    const { report } = await checked(administration, fileOf(wrong));
    expect(report!.problems).toEqual([
      { line: expect.any(Number), element: 'accID', message: expect.stringContaining('9999') },
    ]);
    const { report: bomb } = await checked(administration, fileOf('<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'));
    expect(bomb!.problems[0]!.message).toContain('document type');
  });

  it('of several parts is sent further where it broke off, and parts of another file are sent again', async () => {
    const administration = await newAdministration();
    const client = clientOf(administration);
    const descriptions = Array.from({ length: 30_000 }, (_, index) => `<!-- ${index} ${'x'.repeat(300)} -->\n`);
    const file = fileOf(books() + descriptions.join(''));
    const received = await client.receive(file);
    expect(file.size).toBeGreaterThan(AUDITFILE_PART_BYTES);
    const early = new AbortController();
    const half = client.sendParts(received, file, () => early.abort(), early.signal);
    await expect(half).rejects.toThrow();
    const state = await client.state(received.id);
    expect(state.parts.map(({ part }) => part)).toEqual([1]);
    const incomplete = await app.request('POST', `/auditfiles/${received.id}/check`, {
      headers: headersOf(administration),
    });
    expect(incomplete).toMatchObject({ status: 409 });

    const changed = fileOf(`${books('333.00')}${descriptions.join('')}`);
    const sentParts: string[] = [];
    const counting = createAuditfileClient({
      base: app.url,
      credential: administration.credential,
      fetch: (url, init) => {
        sentParts.push(new URL(url).pathname.split('/').at(-1)!);
        return fetch(url, init);
      },
    });
    await counting.sendParts(state, file, () => {});
    expect(sentParts).toEqual(['2']);
    await counting.sendParts(await client.state(received.id), changed, () => {});
    expect(sentParts).toEqual(['2', '1']);
    await client.check(received.id);
    expect((await settled(administration, received.id)).report).toMatchObject({ transactions: { debit: '333.00' } });
  });
});

describe('an import that is under way', () => {
  /** The first state that a file has while some of it was read. */
  async function underWay(administration: TestAdministration, id: string): Promise<Auditfile> {
    for (;;) {
      const found = await clientOf(administration).state(id);
      if (found.progress > 0 || found.state !== 'importing') return found;
      await passed(5);
    }
  }

  it('tells its progress, is cancelled without a trace, and is done later', async () => {
    const administration = await newAdministration();
    const client = clientOf(administration);
    const { id } = await checked(administration, fileOf(manyEntries(10_000)));
    await client.import(id, { replace: false, takeWithWarnings: false });
    // Others are served meanwhile: otherwise this request would wait for the end.
    expect(await underWay(administration, id)).toMatchObject({ state: 'importing', cancelling: false });
    expect(await client.cancel(id)).toMatchObject({ state: 'importing', cancelling: true });
    await expect(client.erase(id)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await settled(administration, id)).toMatchObject({ state: 'checked', cancelling: false, message: '' });
    expect(await balancesOf(administration)).toEqual({});

    await client.import(id, { replace: false, takeWithWarnings: false });
    await expect(client.import(id, { replace: false, takeWithWarnings: false })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    const done = await settled(administration, id);
    expect(done).toMatchObject({ state: 'imported', report: { entries: { added: 10_000 } } });
    expect(await balancesOf(administration)).toMatchObject({ '0100': 10_000, '8000': -10_000 });
  });
});

/** Sends a file to an instance of the app. @returns its id */
async function sentTo(
  files: ReturnType<typeof openAuditfiles>,
  credential: TestAdministration['credential'],
  content: string,
): Promise<string> {
  const { id } = await files.receive(credential, { name: 'x.xaf', bytes: Buffer.byteLength(content) });
  const body = { bytes: gzipSync(content) };
  await files.receivePart(credential, id, 1, new HttpRequest({ method: 'POST', url: app.url, body }));
  return id;
}

/** An administration that has sent a file, and instances of the app that work on it. */
async function sentFile() {
  const administration = await newAdministration();
  const { credential } = administration;
  const administrations = builtinAdministrations(app.db);
  const { storage: own } = await testStorage();
  const open = (of: Administrations, slice = 600_000) =>
    openAuditfiles({ storage: own, administrations: of, secretKeys: [Buffer.alloc(32, 1)], days: 30, slice });
  const files = open(administrations);
  const { id: owner } = (await administrations.identify(credential)) as { id: string };
  const send = (content: string) => sentTo(files, credential, content);
  const id = await send(books());
  /** Its work is done, and it does not get to record that: it is killed, or the response to the commit is lost. */
  const dying = open({
    ...administrations,
    async auditfiles(one) {
      const importer = await administrations.auditfiles!(one);
      const dies = async <T>(work: Promise<T>): Promise<T> => {
        await work;
        throw new Error('Connection terminated unexpectedly');
      };
      return {
        import: (...call) => dies(importer.import(...call)),
        withdraw: (...call) => dies(importer.withdraw(...call)),
      };
    },
  });
  const work = (of: typeof files) => of.work({ owner }, () => {});
  return { administration, credential, administrations, open, files, send, id, dying, work };
}

describe('work whose worker was killed when it was done', () => {
  /** Imports a file, and withdraws it, with workers of which one is killed before it has recorded that. */
  async function workedOn(killed: 'import' | 'withdraw') {
    const { administration, credential, files, id, dying, work } = await sentFile();
    await files.import(credential, id, {});
    if (killed === 'withdraw') {
      await work(files);
      await files.withdraw(credential, id);
    }
    await work(dying);
    expect(await files.cancel(credential, id)).toMatchObject({ cancelling: true });
    await work(files);
    return { administration, file: await files.state(credential, id) };
  }

  it('is an import that was done, also when somebody cancels it then', async () => {
    const { administration, file } = await workedOn('import');
    expect(await balancesOf(administration)).toMatchObject({ '0100': 121 });
    expect(file).toMatchObject({ state: 'imported', cancelling: false, report: { entries: { added: 1 } } });
  });

  it('is a withdrawal that was done, also when somebody cancels it then', async () => {
    const { administration, file } = await workedOn('withdraw');
    expect(await balancesOf(administration)).toEqual({});
    expect(file).toMatchObject({ state: 'withdrawn', cancelling: false });
  });
});

describe('work that finds the database away', () => {
  it('goes on when it is back, however often it was begun, and tells that it was done before', async () => {
    const { administration, credential, administrations, open, files, id, dying, work } = await sentFile();
    const isAway = async () => {
      throw new Problem('UNAVAILABLE', 'The database cannot be reached at the moment. Nothing was changed.');
    };
    const away = open({
      ...administrations,
      auditfiles: isAway,
      appliedWrites: { ...administrations.appliedWrites!, applied: isAway },
    });
    await files.import(credential, id, {});
    for (const of of [dying, away, away, away, away]) {
      await work(of);
      expect(await files.state(credential, id)).toMatchObject({ state: 'importing', message: '' });
    }
    await work(files);
    expect(await files.state(credential, id)).toMatchObject({ state: 'imported', report: { entries: { added: 1 } } });
    expect(await balancesOf(administration)).toMatchObject({ '0100': 121 });
  });

  it('is done before what was asked for after it', async () => {
    const { administration, credential, administrations, open, files, send, id, work } = await sentFile();
    await files.import(credential, id, {});
    await work(files);
    const corrected = await send(books('242.00'));
    await files.withdraw(credential, id);
    await passed(2);
    await files.import(credential, corrected, { replace: true });
    const isAway = async () => {
      throw new Problem('UNAVAILABLE', 'The database cannot be reached at the moment. Nothing was changed.');
    };
    await work(open({ ...administrations, auditfiles: isAway }));
    await work(files);
    expect(await files.state(credential, id)).toMatchObject({ state: 'withdrawn' });
    expect(await files.state(credential, corrected)).toMatchObject({ state: 'imported' });
    expect(await balancesOf(administration)).toMatchObject({ '0100': 242, '8000': -242 });
  });
});

it('an import that takes longer than a worker may work each time is not begun for ever', async () => {
  const { credential, administrations, open, id, work } = await sentFile();
  const endless = (_: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise<never>((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const files = open({ ...administrations, auditfiles: async () => ({ import: endless, withdraw: endless }) }, 1);
  await files.import(credential, id, {});
  for (let attempt = 1; attempt <= 3; attempt++) {
    await work(files);
    expect(await files.state(credential, id)).toMatchObject({ state: 'importing' });
  }
  await work(files);
  expect(await files.state(credential, id)).toMatchObject({
    state: 'failed',
    message: expect.stringMatching('several'),
  });
});

describe('an import that was done, of which that was not recorded', () => {
  it.each([
    ['it was begun as often as it may be', 3],
    ['its key has been revoked', 1],
  ])('is told of also when %s', async (_, attempts) => {
    const { administration, credential, administrations, open, files, id, dying, work } = await sentFile();
    const failing = open({ ...administrations, auditfiles: () => Promise.reject(new Error('It failed.')) });
    await files.import(credential, id, {});
    for (let attempt = 1; attempt < attempts; attempt++) await work(failing);
    await work(dying);
    expect(await files.state(credential, id)).toMatchObject({ state: 'importing', message: '' });
    const revoked = open({
      ...administrations,
      auditfiles: () => Promise.reject(new Problem('UNAUTHORIZED', 'Expected the credentials of an administration.')),
    });
    await work(attempts === 1 ? revoked : files);
    expect(await files.state(credential, id)).toMatchObject({
      state: 'imported',
      message: '',
      report: { entries: { added: 1 } },
    });
    expect(await balancesOf(administration)).toMatchObject({ '0100': 121 });
  });
});

describe('an import that is withdrawn', () => {
  const changesOf = ({ administrationId }: TestAdministration) =>
    app.db
      .selectFrom('log')
      .where('administration_id', '=', administrationId)
      .where('action', '=', 'withdraw auditfile')
      .selectAll()
      .execute();

  it('goes whole, with one record in the log, and so do the files before it', async () => {
    const administration = await newAdministration();
    const client = clientOf(administration);
    const first = await imported(administration, fileOf(manyEntries(5000), 'first.xaf'));
    const second = await imported(administration, fileOf(books(), 'second.xaf'), {
      replace: true,
      takeWithWarnings: false,
    });
    const accounts = () =>
      app.db
        .selectFrom('ledger_account')
        .where('administration_id', '=', administration.administrationId)
        .selectAll()
        .execute();
    const before = await accounts();
    expect(await client.withdraw(second.id)).toMatchObject({ state: 'withdrawing', parts: [] });
    const done = await settled(administration, second.id);
    expect(done).toMatchObject({ state: 'withdrawn', message: '', report: { fiscalYear: 2025 } });
    expect(Number(done.endedOn)).toBeGreaterThanOrEqual(Number(second.endedOn));
    expect((await client.state(first.id)).state).toBe('withdrawn');
    expect(await balancesOf(administration)).toEqual({});
    expect(await accounts()).toEqual(before);
    const logged = await changesOf(administration);
    expect(logged.map(({ origin, kind }) => [origin, kind])).toEqual([['rest', 'administration']]);

    await expect(client.withdraw(second.id)).rejects.toMatchObject({ code: 'CONFLICT' });
    const again = await imported(administration, fileOf(books(), 'second.xaf'));
    expect(again).toMatchObject({ state: 'imported', report: { entries: { added: 1 } } });
    expect(await balancesOf(administration)).toMatchObject({ '0100': 121 });
  });

  it('stays when the books are closed, and says why', async () => {
    const administration = await newAdministration();
    const { id } = await imported(administration, fileOf(books()));
    const close = (day: string) =>
      app.db
        .updateTable('administration')
        .where('id', '=', administration.administrationId)
        .set({ closed_until: day })
        .execute();
    await close('2025-03-31');
    await clientOf(administration).withdraw(id);
    const refused = await settled(administration, id);
    expect(refused).toMatchObject({ state: 'imported', message: expect.stringContaining('closed until 2025-03-31') });
    expect(await balancesOf(administration)).toMatchObject({ '0100': 121 });
    expect(await changesOf(administration)).toEqual([]);
    await close('');
    await clientOf(administration).withdraw(id);
    expect(await settled(administration, id)).toMatchObject({ state: 'withdrawn', message: '' });
  });

  it('is cancelled without a trace', async () => {
    const administration = await newAdministration();
    const { id } = await imported(administration, fileOf(manyEntries(5000)));
    await clientOf(administration).withdraw(id);
    await clientOf(administration).cancel(id);
    const { state } = await settled(administration, id);
    // It may have been removed before.
    const left = state === 'imported' ? { '0100': 5000, '8000': -5000 } : {};
    expect(await balancesOf(administration)).toEqual(left);
    expect(await changesOf(administration)).toHaveLength(state === 'imported' ? 0 : 1);
  });

  it('was imported before: a file that was only checked has nothing to withdraw', async () => {
    const administration = await newAdministration();
    const { id } = await checked(administration, fileOf(books()));
    await expect(clientOf(administration).withdraw(id)).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

const headersOf = ({ credential }: TestAdministration) => ({
  ApiKey: credential.apiKey,
  Username: credential.username,
});

it('work that the storage account accepted without a response is begun once, and not refused', async () => {
  const { credential } = await newAdministration();
  const { storage: own } = await testStorage();
  const files = openAuditfiles({
    storage: {
      ...own,
      table: (name) => {
        const table = own.table(name);
        // Azure's client sends a change whose response was lost again: by then the row has another version.
        return {
          ...table,
          replace: async (row, version) => (await table.replace(row, version)) && table.replace(row, version),
        };
      },
    },
    administrations: builtinAdministrations(app.db),
    secretKeys: [Buffer.alloc(32, 1)],
    days: 30,
  });
  const id = await sentTo(files, credential, books());
  expect(await files.check(credential, id)).toMatchObject({ id, state: 'checking' });
  expect(await own.queue(AUDITFILE_QUEUE).length()).toBe(1);
  await expect(files.check(credential, id)).rejects.toMatchObject({ code: 'CONFLICT' });
});

it('files beside one whose secret key is lost are listed, sent and checked', async () => {
  const { credential } = await newAdministration();
  const { storage: own } = await testStorage();
  const administrations = builtinAdministrations(app.db);
  const withKey = (byte: number) =>
    openAuditfiles({ storage: own, administrations, secretKeys: [Buffer.alloc(32, byte)], days: 30 });
  const { id: owner } = (await administrations.identify(credential)) as { id: string };
  const content = Buffer.from(books());
  const lost = await withKey(1).receive(credential, { name: 'lost.xaf', bytes: content.length });
  const files = withKey(2);
  expect(await files.list(credential)).toEqual([]);
  await expect(files.state(credential, lost.id)).rejects.toMatchObject({
    message: `There is no audit file ${lost.id}.`,
  });
  const { id } = await files.receive(credential, { name: 'x.xaf', bytes: content.length });
  const body = { bytes: gzipSync(content) };
  await files.receivePart(credential, id, 1, new HttpRequest({ method: 'POST', url: app.url, body }));
  await files.check(credential, id);
  await files.work({ owner }, () => {});
  expect(await files.list(credential)).toMatchObject([{ id, state: 'checked' }]);
  // An instance that has the key may still come.
  expect((await withKey(1).list(credential)).map(({ name }) => name)).toEqual(['lost.xaf']);
});

describe('a stored file', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const maintainedAfter = async (days: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: start + days * 86_400_000 });
    await app.runTimer('auditfileMaintenance');
  };
  const start = Date.now();

  it('is erased with its parts a day after nobody imported it, and an imported one after the days of the settings', async () => {
    const administration = await newAdministration();
    const waiting = await checked(administration, fileOf(books(), 'waiting.xaf'));
    const begun = await clientOf(administration).receive({ name: 'begun.xaf', size: 9 });
    const done = await imported(administration, fileOf(books(), 'done.xaf'));
    const names = async () => (await clientOf(administration).list()).map(({ name }) => name).sort();
    await maintainedAfter(0.9);
    expect(await names()).toEqual(['begun.xaf', 'done.xaf', 'waiting.xaf']);
    expect(await blobsOf(waiting.id)).toHaveLength(1);
    await maintainedAfter(1.1);
    expect(await names()).toEqual(['done.xaf']);
    expect([await blobsOf(waiting.id), await blobsOf(begun.id), await blobsOf(done.id)]).toEqual([[], [], []]);
    await maintainedAfter(29.9);
    expect(await names()).toEqual(['done.xaf']);
    await maintainedAfter(30.1);
    expect(await names()).toEqual([]);
    vi.useRealTimers();
    // What it brought stays.
    expect(await balancesOf(administration)).toMatchObject({ '0100': 121 });
  });

  /** A storage account with a file of one part, which is sent later. */
  async function received() {
    const { credential } = await newAdministration();
    const { storage: own } = await testStorage();
    const open = (stores: typeof own) =>
      openAuditfiles({
        storage: stores,
        administrations: builtinAdministrations(app.db),
        secretKeys: [Buffer.alloc(32, 1)],
        days: 30,
      });
    const files = open(own);
    const content = Buffer.from('<auditfile>');
    const { id } = await files.receive(credential, { name: 'x.xaf', bytes: content.length });
    const part = new HttpRequest({ method: 'POST', url: app.url, body: { bytes: gzipSync(content) } });
    return { credential, own, open, files, id, part };
  }

  it('is not begun with while it is erased', async () => {
    const { credential, own, open, files, id, part } = await received();
    await files.receivePart(credential, id, 1, part);
    let begun: Promise<unknown> | undefined;
    const erasing = open({
      ...own,
      blobs: (name) => ({
        ...own.blobs(name),
        async *list(start) {
          begun ??= files.check(credential, id).catch((failure) => failure.code);
          await begun;
          yield* own.blobs(name).list(start);
        },
      }),
    });
    await erasing.erase(credential, id);
    expect(await begun).toBe('NOT_FOUND');
    expect(await Array.fromAsync(own.table('auditfiles').list({}), ({ key }) => key)).toEqual([]);
  });

  it('stays when work with it begins while old ones are looked for', async () => {
    const { credential, own, open, files, id, part } = await received();
    await files.receivePart(credential, id, 1, part);
    const looking = open({
      ...own,
      table: (name) => ({
        ...own.table(name),
        async *list(range) {
          for await (const row of own.table(name).list(range)) {
            // Those of one administration are read with it.
            if (range.partition === undefined) await files.check(credential, id);
            yield row;
          }
        },
      }),
    });
    vi.useFakeTimers({ toFake: ['Date'], now: start + 2 * 86_400_000 });
    await looking.maintain();
    expect(await files.state(credential, id)).toMatchObject({ state: 'checking', parts: [{ part: 1 }] });
  });

  it('leaves no part that arrives while it is erased', async () => {
    const { credential, own, open, files, id, part } = await received();
    // It is erased when its part has come, and is about to be stored.
    let erased: Promise<void> | undefined;
    const whileErasing = open({
      ...own,
      blobs: (name) => ({
        ...own.blobs(name),
        async blob(path) {
          erased ??= files.erase(credential, id);
          await erased;
          return own.blobs(name).blob(path);
        },
      }),
    });
    await expect(whileErasing.receivePart(credential, id, 1, part)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await Array.fromAsync(own.blobs('auditfiles').list(''))).toEqual([]);
    expect(await Array.fromAsync(own.table('auditfiles').list({}), ({ key }) => key)).toEqual([]);
  });
});

describe('the right to import', () => {
  it('is of keys with the scope import only, which may do everything else too', async () => {
    const administration = await newAdministration();
    expect((await administration.get('/administration')).json.rights).toEqual({
      read: true,
      write: true,
      import: true,
    });
    expect((await app.get('/administration')).json.rights).toEqual({ read: true, write: true, import: false });
    for (const [method, target] of [
      ['GET', '/auditfiles'],
      ['POST', '/auditfiles'],
      ['GET', `/auditfiles/${'0'.repeat(32)}`],
      ['POST', `/auditfiles/${'0'.repeat(32)}/parts/1`],
      ['POST', `/auditfiles/${'0'.repeat(32)}/check`],
      ['POST', `/auditfiles/${'0'.repeat(32)}/import`],
      ['POST', `/auditfiles/${'0'.repeat(32)}/withdraw`],
      ['POST', `/auditfiles/${'0'.repeat(32)}/cancel`],
      ['POST', `/auditfiles/${'0'.repeat(32)}/erase`],
    ] as const) {
      const headers = { 'Content-Type': 'application/gzip' };
      expect([target, (await app.request(method, target, { headers })).status]).toEqual([target, 403]);
      expect([target, (await app.request(method, target, { headers: { ...headers, ApiKey: 'x' } })).status]).toEqual([
        target,
        401,
      ]);
    }
  });

  it('is for the files of its own administration only', async () => {
    const [one, other] = [await newAdministration(), await newAdministration()];
    const id = await sent(one, fileOf(books()));
    expect(await clientOf(other).list()).toEqual([]);
    await expect(clientOf(other).state(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(clientOf(other).check(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(clientOf(other).erase(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await clientOf(one).list()).map((file) => file.id)).toEqual([id]);
    await clientOf(one).erase(id);
    expect([await clientOf(one).list(), await blobsOf(id)]).toEqual([[], []]);
  });
});

describe('a part', () => {
  it.each<[string, Buffer, string]>([
    ['that is not compressed', Buffer.from('<auditfile>'), 'something else'],
    ['that holds too little', gzipSync('<audit'), 'got 6'],
    ['that holds too much', gzipSync('<auditfile><'), 'got more'],
    ['that unpacks without end', gzipSync(Buffer.alloc(50_000_000)), 'got more'],
  ])('%s is refused', async (_, body, message) => {
    const administration = await newAdministration();
    const { id } = await clientOf(administration).receive({ name: 'x.xaf', size: 11 });
    const response = await administration.request('POST', `/auditfiles/${id}/parts/1`, {
      headers: { 'Content-Type': 'application/gzip' },
      body,
    });
    expect(response.status).toBe(400);
    expect(response.json.errorMessage).toContain(message);
    expect(await blobsOf(id)).toEqual([]);
  });

  it('that the file does not have is refused, and so is a body of another type', async () => {
    const administration = await newAdministration();
    const { id } = await clientOf(administration).receive({ name: 'x.xaf', size: 11 });
    const send = (part: string, type: string) =>
      administration.request('POST', `/auditfiles/${id}/parts/${part}`, {
        headers: { 'Content-Type': type },
        body: gzipSync('<auditfile>'),
      });
    expect((await send('2', 'application/gzip')).status).toBe(404);
    expect((await send('0', 'application/gzip')).status).toBe(404);
    expect((await send('1', 'application/json')).status).toBe(415);
    expect((await send('1', 'application/gzip')).status).toBe(200);
  });

  it('that is sent several times at once is taken each time', async () => {
    const administration = await newAdministration();
    const { id } = await clientOf(administration).receive({ name: 'x.xaf', size: 11 });
    const sending = Array.from({ length: 12 }, () =>
      administration.request('POST', `/auditfiles/${id}/parts/1`, {
        headers: { 'Content-Type': 'application/gzip' },
        body: gzipSync('<auditfile>'),
      }),
    );
    expect(new Set((await Promise.all(sending)).map(({ status }) => status))).toEqual(new Set([200]));
    expect(await blobsOf(id)).toHaveLength(1);
  });
});

it('files that are not imported are bounded, in number, in bytes, and each', async () => {
  const administration = await newAdministration();
  const client = clientOf(administration);
  const tooLarge = client.receive({ name: 'x.xaf', size: MAX_AUDITFILE_BYTES + 1 });
  await expect(tooLarge).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  for (let count = 0; count < 2; count++) await client.receive({ name: 'x.xaf', size: MAX_AUDITFILE_BYTES });
  await expect(client.receive({ name: 'x.xaf', size: 1 })).rejects.toMatchObject({ code: 'RATE_LIMIT' });
  for (const { id } of await client.list()) await client.erase(id);
  for (let count = 0; count < 5; count++) await client.receive({ name: 'x.xaf', size: 1 });
  await expect(client.receive({ name: 'x.xaf', size: 1 })).rejects.toMatchObject({ code: 'RATE_LIMIT' });
  expect(await client.list()).toHaveLength(5);
});
