import path from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuditfileClient } from '../../shared/client/auditfileClient.ts';
import type { Auditfile } from '../../shared/resources/generalLedger/auditfile.ts';
import { type AppProcess, startAppProcess } from '../../testing/appProcess.ts';
import { manyEntries } from '../../testing/builtin/auditfiles.ts';
import { databaseKind, emptyDatabase } from '../../testing/database.ts';
import { addAdministration, type TestCredential } from '../../testing/fixtures/administration.ts';
import { secretKeyOf } from '../../testing/secretKey.ts';
import { testStorage } from '../../testing/storage.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';
import type { Database } from '../administrations/builtin/sql/database.ts';
import { LEASE_SECONDS } from '../storage/lease.ts';

/* The app in a process that is killed while it imports an audit file, and started again. */

const { connectionString } = await testStorage();
const ENTRIES = 8000;

// No other process opens an embedded database.
describe.skipIf(databaseKind() === 'embedded')('an app that is killed during an import', () => {
  const folder = temporaryFolder();
  let db: Database;
  let settings: Record<string, string>;
  let app: AppProcess;
  beforeAll(async () => {
    const opened = await emptyDatabase(path.join(folder, 'ledgerline.sqlite'));
    db = opened.db;
    settings = {
      DATABASE_URL: opened.url,
      DATA_DIR: folder,
      AzureWebJobsStorage: connectionString,
      SECRET_KEY: secretKeyOf('killed imports'),
    };
    app = await start();
  });
  afterAll(async () => {
    await app?.kill();
    await db?.destroy();
  });

  const start = () => startAppProcess('testing/abuse/abusedApp.ts', settings);
  const clientOf = ({ credential }: TestCredential) => createAuditfileClient({ base: app.url, credential, fetch });
  const newAdministration = (name: string) => addAdministration(db, name, { scope: 'import' });

  /** Entries with lines and their sum, and totals by account and day. */
  async function booked(administrationId: bigint): Promise<[entries: number, lines: number, totals: number]> {
    const count = async (table: 'journal_entry' | 'journal_line' | 'ledger_total') =>
      Number(
        (
          await db
            .selectFrom(table)
            .where('administration_id', '=', administrationId)
            .select(({ fn }) => fn.countAll<bigint>().as('count'))
            .executeTakeFirstOrThrow()
        ).count,
      );
    return [await count('journal_entry'), await count('journal_line'), await count('ledger_total')];
  }

  /** Waits until a file is as it is to be. */
  async function until(one: TestCredential, id: string, isThere: (file: Auditfile) => boolean): Promise<Auditfile> {
    for (;;) {
      const file = await clientOf(one).state(id);
      if (isThere(file)) return file;
      await passed(20);
    }
  }

  it.each([5, 60, 90])(
    'at %i percent of it has imported nothing, and imports all of it later, once',
    async (percent) => {
      const one = await newAdministration(`Killed at ${percent}`);
      const file = new File([manyEntries(ENTRIES)], 'books.xaf');
      const received = await clientOf(one).receive(file);
      await clientOf(one).sendParts(received, file, () => {});
      const { id } = received;
      await clientOf(one).import(id, { replace: false, takeWithWarnings: false });
      const before = await until(one, id, ({ progress, state }) => progress >= percent || state !== 'importing');
      await app.kill();
      app = await start();
      const found = await booked(one.administrationId);
      // All or nothing, whenever it was killed: what was decided on SQLite is finished when the database is opened.
      const everything = [ENTRIES, 2 * ENTRIES, 2];
      expect([[0, 0, 0], everything]).toContainEqual(found);
      if (before.state === 'importing' && percent < 90) expect(found).toEqual([0, 0, 0]);

      await passed(LEASE_SECONDS * 1000);
      await fetch(`${app.url}/timers/auditfileMaintenance`, { method: 'POST' });
      const after = await until(one, id, ({ state }) => state !== 'importing');
      expect(after).toMatchObject({ state: 'imported', message: '', report: { entries: { added: ENTRIES } } });
      expect(await booked(one.administrationId)).toEqual(everything);
      // A repeated import would have a second record of the opening and the accounts.
      const logged = await db
        .selectFrom('log')
        .where('administration_id', '=', one.administrationId)
        .where('kind', '=', 'journal_entry')
        .select('sequence')
        .execute();
      expect(logged).toHaveLength(ENTRIES);
    },
  );
});
