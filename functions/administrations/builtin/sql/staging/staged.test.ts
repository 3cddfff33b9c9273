import { readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startScript } from '../../../../../testing/appProcess.ts';
import { databaseKind, emptyDatabase } from '../../../../../testing/database.ts';
import { addAdministration } from '../../../../../testing/fixtures/administration.ts';
import { folderOfTest } from '../../../../../testing/temporaryFolder.ts';
import { anonymiseRelation } from '../../anonymise/anonymiseRelation.ts';
import { checkAdministration } from '../../check/check.ts';
import { readCsv } from '../../files/readCsv.ts';
import { importRows } from '../../import/importRows.ts';
import { resources } from '../../import/resources.ts';
import { storeEntries } from '../../ledger/storeEntries.ts';
import { createAdministration } from '../../setup/createAdministration.ts';
import { deleteAdministration } from '../../setup/deleteAdministration.ts';
import type { Database } from '../database.ts';
import { insertRows } from '../insertRows.ts';
import { byCommand } from '../logWriting/author.ts';
import { openDatabase } from '../openDatabase.ts';
import { newRow } from '../rows.ts';
import { writingIn } from '../transaction.ts';
import { staged } from './staged.ts';

const NOW = 1_760_000_000n;
const ROWS = 3000;

let folder: string;
let file: string;
let db: Database;
let administrationId: bigint;
let otherId: bigint;

const url = () => `sqlite:${path.join(folder, 'books.sqlite')}`;

/** A file of relations with a contact each: those of an import have one name. */
function writeRelations(name: string, count = ROWS): void {
  const rows = Array.from({ length: count }, (_, row) => `${1000 + row},${name},Gouda,Jansen ${row}`);
  writeFileSync(file, `CustomerNumber,Name,Address_City,Contact_LastName\n${rows.join('\n')}\n`);
}

const importInto =
  (id = administrationId) =>
  async (into: Database) =>
    importRows(into, resources.relations, await readCsv(file), { administrationId: id, now: NOW });

/** Imports one relation with a contact into the other administration, in one transaction. */
async function importOther(number: number): Promise<void> {
  const one = path.join(folder, 'one.csv');
  writeFileSync(one, `CustomerNumber,Name,Contact_LastName\n${number},Other ${number},Pieters ${number}\n`);
  await importRows(db, resources.relations, await readCsv(one), { administrationId: otherId, now: NOW });
}

/** How many relations of an administration have each name. */
async function namesOf(id: bigint): Promise<Record<string, bigint>> {
  const rows = await db
    .selectFrom('relation')
    .where('administration_id', '=', id)
    .groupBy('name')
    .select(['name', (eb) => eb.fn.countAll<bigint>().as('count')])
    .execute();
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

const findings = (id = administrationId) => Array.fromAsync(checkAdministration(db, id));

/** Books an entry of many lines for the only relation, whose texts name it. */
async function bookFor(name: string, into = db): Promise<void> {
  const writing = { administrationId, author: byCommand('test'), now: NOW };
  await writingIn(into, writing, async (trx) => {
    const administration = await trx
      .selectFrom('administration')
      .where('id', '=', administrationId)
      .selectAll()
      .executeTakeFirstOrThrow();
    const relations = trx.selectFrom('relation').where('administration_id', '=', administrationId);
    const { id } = await relations.select('id').executeTakeFirstOrThrow();
    const lines = Array.from({ length: ROWS }, (_, line) => ({
      ledger_account_number: line % 2 === 0 ? '1300' : '8000',
      relation_id: line % 2 === 0 ? id : null,
      description: `Voor ${name}`,
      amount: line % 2 === 0 ? 1n : -1n,
    }));
    const entry = { journal: 'memorial', date: '2026-01-01', description: 'Day', created_on: 1n, lines } as const;
    await storeEntries({ db: trx, administration }, [entry]);
  });
}

const lineTexts = async () => await db.selectFrom('journal_line').select('description').distinct().execute();

/** The files beside the database. */
const others = () => readdirSync(folder).filter((name) => name.startsWith('books.sqlite-changes'));

/** Adds a cost center by a transaction of its own. */
const addCostCenter = (id: bigint, name: string) =>
  writingIn(db, { administrationId: id, author: byCommand('test'), now: NOW }, (trx) =>
    insertRows(trx, 'cost_center', [newRow('cost_center', { administration_id: id, name })]),
  );

const costCentersOf = async (id: bigint) =>
  (await db.selectFrom('cost_center').where('administration_id', '=', id).select('name').execute()).map(
    ({ name }) => name,
  );

/** Imports the file by the command line, and kills it when a condition holds. */
const importAndKill = (isTime: IsTime): Promise<void> => runAndKill(['import', 'relations', file], isTime);

type IsTime = (trx: Database) => Promise<boolean> | boolean;

/**
 * Runs a command for the administration, which is killed when a condition holds. It is looked at in transactions that write,
 * so that the command does not go on meanwhile.
 */
async function runAndKill(verb: readonly string[], isTime: IsTime): Promise<void> {
  const args = [...verb, '--administration', String(administrationId)];
  const script = 'functions/administrations/builtin/cli/command.ts';
  const command = startScript(script, { DATABASE_URL: url() }, { args });
  let hasEnded = false;
  void command.ended.then(() => {
    hasEnded = true;
  });
  const isKilled = () =>
    db.transaction().execute(async (trx) => {
      expect(hasEnded, command.errorOutput()).toBe(false);
      if (!(await isTime(trx))) return false;
      await command.kill();
      return true;
    });
  while (!(await isKilled())) await sleep(2);
}

/** Runs a command for the administration to its end. @param complaint what it ends with; left out: it succeeds */
async function runCommand(verb: readonly string[], complaint = ''): Promise<void> {
  const args = [...verb, '--administration', String(administrationId)];
  const command = startScript('functions/administrations/builtin/cli/command.ts', { DATABASE_URL: url() }, { args });
  const [code] = await command.ended;
  expect({ code, said: command.errorOutput() }).toEqual({
    code: complaint === '' ? 0 : 1,
    said: complaint === '' ? '' : expect.stringContaining(complaint),
  });
}

describe.runIf(databaseKind() === 'sqlite')('long work on SQLite', () => {
  beforeEach(async () => {
    folder = folderOfTest();
    file = path.join(folder, 'relations.csv');
    ({ db } = await emptyDatabase(path.join(folder, 'books.sqlite')));
    onTestFinished(() => db.destroy());
    ({ administrationId } = await addAdministration(db, 'Books', { username: 'a@example.com' }));
    ({ administrationId: otherId } = await addAdministration(db, 'Other', { username: 'b@example.com' }));
    writeRelations('First');
  });

  it('is refused, and leaves nothing, when its administration is archived meanwhile', async () => {
    let times = 0;
    const importing = staged(db, { administrationId }, async (copy) => {
      const result = await importInto()(copy);
      if (++times === 1) {
        await writingIn(db, { administrationId, author: byCommand('archive'), now: NOW }, async (trx) => {
          const change = { archived_on: NOW };
          await trx.updateTable('administration').where('id', '=', administrationId).set(change).execute();
        });
      }
      return result;
    });
    await expect(importing).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(await namesOf(administrationId)).toEqual({});
    expect(await findings()).toEqual([]);
  });

  it('leaves what it leaves in one transaction, with the same log', async () => {
    await staged(db, { administrationId }, importInto());
    await importInto(otherId)(db);
    expect(await namesOf(administrationId)).toEqual({ First: BigInt(ROWS) });
    const [ours, theirs] = await Promise.all(
      [administrationId, otherId].map((id) =>
        db
          .selectFrom('log')
          .where('administration_id', '=', id)
          .where('action', '=', 'import')
          .orderBy('sequence')
          .select(['sequence', 'kind', 'subject'])
          .execute(),
      ),
    );
    expect(ours).toEqual(theirs);
    expect([await findings(), await findings(otherId), others()]).toEqual([[], [], []]);
  });

  it('changes rows that are there, and rows that others add meanwhile keep theirs', async () => {
    await staged(db, { administrationId }, importInto());
    writeRelations('Second');
    const { result } = await staged(db, { administrationId }, async (copy) => {
      const done = await importInto()(copy);
      await addCostCenter(otherId, 'Meanwhile');
      return { result: done };
    });
    expect(result.counts).toEqual({ added: 0, changed: ROWS, unchanged: 0 });
    expect([await namesOf(administrationId), await costCentersOf(otherId)]).toEqual([
      { Second: BigInt(ROWS) },
      ['Meanwhile'],
    ]);
    expect([await findings(), await findings(otherId), others()]).toEqual([[], [], []]);
  });

  it('goes without the indexes that only cost it time, which the database itself keeps', async () => {
    await staged(db, { administrationId }, importInto());
    const indexesIn = async (of: Database) => {
      const { rows } = await sql<{ name: string }>`select name from pragma_index_list('journal_line')`.execute(of);
      return rows.map(({ name }) => name);
    };
    const all = await indexesIn(db);
    const foundBy = [{ table: 'journal_line', column: 'journal_entry_id' }] as const;
    const used = await staged(db, { administrationId, foundBy }, async (copy) => {
      await bookFor('Familie Zwartkoning', copy);
      return await indexesIn(copy);
    });
    expect(all.length).toBeGreaterThan(2);
    expect([used, await indexesIn(db)]).toEqual([['journal_line_journal_entry_id'], all]);
    // By its indexes too: SQLite compares each of them with its table.
    const { rows } = await sql`pragma integrity_check`.execute(db);
    expect([rows, await lineTexts(), await findings()]).toEqual([
      [{ integrity_check: 'ok' }],
      [{ description: 'Voor Familie Zwartkoning' }],
      [],
    ]);
  });

  it('leaves nothing when it is rolled back, or fails', async () => {
    writeFileSync(
      file,
      `CustomerNumber,Name\n${Array.from({ length: ROWS }, (_, row) => `${row + 1},A`).join('\n')}\n1,B\n`,
    );
    const { problems } = await staged(db, { administrationId }, importInto());
    expect(problems).toHaveLength(1);
    const failing = staged(db, { administrationId }, async (copy) => {
      await importInto()(copy);
      throw new Error('It failed.');
    });
    await expect(failing).rejects.toThrow('It failed.');
    expect([await namesOf(administrationId), await findings(), others()]).toEqual([{}, [], []]);
  });

  it('is done once more when the administration was changed meanwhile', async () => {
    let times = 0;
    await staged(db, { administrationId }, async (into) => {
      times++;
      const done = await importInto()(into);
      if (times === 1) await addCostCenter(administrationId, 'Meanwhile');
      return done;
    });
    expect([times, await namesOf(administrationId), await costCentersOf(administrationId)]).toEqual([
      2,
      { First: BigInt(ROWS) },
      ['Meanwhile'],
    ]);
    expect([await findings(), others()]).toEqual([[], []]);
  });

  it('writers of the administration wait until its changes are applied, and others get in between', async () => {
    const seen: bigint[] = [];
    let isOver = false;
    const work = staged(db, { administrationId }, importInto()).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const waiting = await db.selectFrom('staged_work').select('file').execute();
      if (waiting.length > 0) {
        await addCostCenter(otherId, `Other ${seen.length}`);
        await addCostCenter(administrationId, 'Own');
        seen.push((await namesOf(administrationId)).First ?? 0n);
        break;
      }
      await sleep(2);
    }
    await work;
    expect([seen, await costCentersOf(administrationId)]).toEqual([[BigInt(ROWS)], ['Own']]);
    expect([await findings(), await findings(otherId)]).toEqual([[], []]);
  });

  it('leaves the rows that others add to the same tables while its changes are applied', async () => {
    writeRelations('First', 2 * ROWS);
    let isOver = false;
    const work = staged(db, { administrationId }, importInto()).finally(() => {
      isOver = true;
    });
    const added: Record<string, bigint> = {};
    while (!isOver) {
      const waiting = await db.selectFrom('staged_work').select('file').execute();
      if (waiting.length > 0) {
        const number = Object.keys(added).length + 1;
        await importOther(number);
        added[`Other ${number}`] = 1n;
      }
      await sleep(1);
    }
    await work;
    expect(added).not.toEqual({});
    expect([await namesOf(otherId), await namesOf(administrationId)]).toEqual([added, { First: BigInt(2 * ROWS) }]);
    const ofContacts = await db
      .selectFrom('relation_contact')
      .innerJoin('relation', 'relation.id', 'relation_contact.relation_id')
      .where('administration_id', '=', otherId)
      .select(['name', 'last_name'])
      .execute();
    expect(ofContacts.map(({ name, last_name }) => `${name} ${last_name}`).sort()).toEqual(
      Object.keys(added)
        .map((name) => `${name} ${name.replace('Other', 'Pieters')}`)
        .sort(),
    );
    const { rows } = await sql`pragma foreign_key_check`.execute(db);
    expect([rows, await findings(), await findings(otherId)]).toEqual([[], [], []]);
  });

  it('leaves the id of a new administration to it until it is seen', async () => {
    const create = (into: Database, name: string) =>
      createAdministration(into, { name, country: 'NL', fiscalYears: [2026], now: NOW });
    let isOver = false;
    const work = staged(db, { administrationId: undefined }, async (copy) => {
      const id = await create(copy, 'Long');
      const names = Array.from({ length: 8 * ROWS }, (_, row) => `Long ${row}`);
      await writingIn(copy, { administrationId: id, author: byCommand('test'), now: NOW }, (trx) =>
        insertRows(
          trx,
          'cost_center',
          names.map((name) => newRow('cost_center', { administration_id: id, name })),
        ),
      );
    }).finally(() => {
      isOver = true;
    });
    let isCreated = false;
    while (!isOver && !isCreated) {
      await db.transaction().execute(async (trx) => {
        const waiting = await trx.selectFrom('staged_work').select('file').execute();
        if (waiting.length === 0) return;
        await create(trx, 'Short');
        isCreated = true;
      });
      await sleep(1);
    }
    await work;
    expect(isCreated).toBe(true);
    const made = db.selectFrom('administration').where('id', '>', otherId).orderBy('name');
    const found = await made.select(['id', 'name']).execute();
    expect(found.map(({ name }) => name)).toEqual(['Long', 'Short']);
    const [long, short] = found.map(({ id }) => id);
    expect([(await costCentersOf(long!)).length, await costCentersOf(short!)]).toEqual([8 * ROWS, []]);
    expect([await findings(long), await findings(short)]).toEqual([[], []]);
  });

  it('applies few rows of long texts in parts too', async () => {
    const texts = Array.from({ length: 20 }, (_, row) => `${row} ${'x'.repeat(1_000_000)}`);
    const writing = { administrationId, author: byCommand('test'), now: NOW };
    let isOver = false;
    const work = staged(db, { administrationId }, (copy) =>
      writingIn(copy, writing, async (trx) => {
        const rows = texts.map((name) => newRow('cost_center', { administration_id: administrationId, name }));
        await insertRows(trx, 'cost_center', rows);
      }),
    ).finally(() => {
      isOver = true;
    });
    const counts = new Set<bigint>();
    while (!isOver) {
      const rows = db.selectFrom('cost_center').select(({ fn }) => fn.countAll<bigint>().as('count'));
      counts.add((await rows.executeTakeFirstOrThrow()).count);
      await sleep(2);
    }
    await work;
    expect((await costCentersOf(administrationId)).sort()).toEqual(texts.sort());
    // Half of them at a time would be two parts.
    expect(counts.size, [...counts].join(', ')).toBeGreaterThan(2);
  });

  it('lets writers of other administrations in while a relation with many documents is anonymised', async () => {
    writeRelations('Familie Zwartkoning', 1);
    await importInto()(db);
    await bookFor('Familie Zwartkoning');
    const relation = await db.selectFrom('relation').selectAll().executeTakeFirstOrThrow();
    // By SQL: it waits to be logged.
    await db.updateTable('relation').set({ email: 'zwartkoning@post.example' }).execute();
    let isOver = false;
    const work = anonymiseRelation(db, relation, () => NOW).finally(() => {
      isOver = true;
    });
    let written = 0;
    while (!isOver) {
      const waiting = await db.selectFrom('staged_work').select('file').execute();
      if (waiting.length > 0) await addCostCenter(otherId, `Other ${++written}`);
      await sleep(2);
    }
    await work;
    expect(written).toBeGreaterThan(0);
    const unlogged = await db.selectFrom('log_change').select(['old_personal', 'new_personal']).execute();
    expect(unlogged).not.toEqual([]);
    expect(JSON.stringify([await lineTexts(), unlogged])).not.toMatch(/zwartkoning/i);
    expect([await findings(), await findings(otherId), others()]).toEqual([[], [], []]);
  });

  it('lets writers of other administrations in while an administration is deleted', async () => {
    await importInto()(db);
    // Its log has a row for each relation, and is deleted in parts of its own, of which the first are small.
    const logged = async () => {
      const rows = db.selectFrom('log').where('administration_id', '=', administrationId);
      return Number((await rows.select(({ fn }) => fn.countAll().as('count')).executeTakeFirstOrThrow()).count);
    };
    expect(await logged()).toBeGreaterThan(ROWS);
    let isOver = false;
    const work = deleteAdministration(db, administrationId, NOW).finally(() => {
      isOver = true;
    });
    const left: number[] = [];
    while (!isOver) {
      await addCostCenter(otherId, `Other ${left.length}`);
      left.push(await logged());
      await sleep(2);
    }
    await work;
    expect(left.filter((count) => count > 100 && count < ROWS)).not.toEqual([]);
    expect([await namesOf(administrationId), await findings(otherId)]).toEqual([{}, []]);
  });

  it('deletes what a request that had begun before adds to the administration meanwhile', async () => {
    await importInto()(db);
    const deletes = deleteAdministration(db, administrationId, NOW);
    while ((await namesOf(administrationId)).First === BigInt(ROWS)) await sleep(2);
    await addCostCenter(administrationId, 'Late');
    await deletes;
    expect([await namesOf(administrationId), await findings(otherId)]).toEqual([{}, []]);
  });

  it('that deletes an administration leaves rows of others with ids that another deletion has set free', async () => {
    await importInto()(db);
    const deletes = deleteAdministration(db, administrationId, NOW);
    const contacts = db.selectFrom('relation_contact').select((eb) => eb.fn.countAll<bigint>().as('count'));
    while ((await contacts.executeTakeFirstOrThrow()).count === BigInt(ROWS)) await sleep(1);
    await db.deleteFrom('relation_contact').execute();
    await db.deleteFrom('relation').where('administration_id', '=', administrationId).execute();
    writeRelations('Other');
    await importInto(otherId)(db);
    await deletes;
    expect([await namesOf(administrationId), await namesOf(otherId)]).toEqual([{}, { Other: BigInt(ROWS) }]);
    const { rows } = await sql`pragma foreign_key_check`.execute(db);
    expect([rows, await findings(otherId)]).toEqual([[], []]);
  });

  it('that deletes an administration and is killed leaves it closed, and is finished by the same command', async () => {
    await importInto()(db);
    const name = ['--yes', 'Books'];
    const isHalf = async (trx: Database) => {
      const { relations } = await trx
        .selectFrom('relation')
        .where('administration_id', '=', administrationId)
        .select((eb) => eb.fn.countAll<bigint>().as('relations'))
        .executeTakeFirstOrThrow();
      return relations < BigInt(ROWS);
    };
    await runAndKill(['delete', ...name], isHalf);
    const ours = await db.selectFrom('administration').selectAll().where('id', '=', administrationId).execute();
    expect(ours).toMatchObject([{ name: 'Books', archived_on: expect.any(BigInt) }]);
    expect(
      await db.selectFrom('api_key').where('administration_id', '=', administrationId).selectAll().execute(),
    ).toEqual([]);
    expect(await findings()).toEqual([expect.stringContaining('Delete it again')]);
    await runCommand(['unarchive'], 'A part of administration');
    await runCommand(['delete', ...name]);
    expect(await db.selectFrom('administration').select('name').execute()).toEqual([{ name: 'Other' }]);
    expect([await namesOf(administrationId), await findings(otherId)]).toEqual([{}, []]);
  });

  it('is readable by its owner only while it is done', async () => {
    const modes = await staged(db, { administrationId }, async () =>
      others().map((name) => statSync(path.join(folder, name)).mode & 0o077),
    );
    expect(modes.length).toBeGreaterThan(1);
    expect(modes.every((mode) => mode === 0)).toBe(true);
  });

  it('that is killed before its changes are decided leaves nothing, and the next start removes its files', async () => {
    const sizes = () =>
      others()
        .filter((name) => name.endsWith('-copy'))
        .map((name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0);
    await importAndKill(async () => {
      if (others().length === 0) return false;
      // This transaction has the write lock from here on, so nothing is decided: the copy is made, or even gone again.
      while (sizes().length > 0 && !sizes().some((size) => size > 100_000)) await sleep(2);
      return true;
    });
    expect(others()).not.toEqual([]);
    await (await openDatabase(url())).destroy();
    expect([await namesOf(administrationId), await findings(), others()]).toEqual([{}, [], []]);
  });

  const hasBegun = async (trx: Database) =>
    (await trx.selectFrom('staged_work').where('applied', '>', 0n).select('file').execute()).length > 0;

  it('that is killed while its changes are applied is finished by the next start', async () => {
    await importAndKill(hasBegun);
    expect(await db.selectFrom('staged_work').select('file').execute()).toHaveLength(1);
    await (await openDatabase(url())).destroy();
    expect([await namesOf(administrationId), await findings(), others()]).toEqual([{ First: BigInt(ROWS) }, [], []]);
  });

  it('that is killed while its changes are applied is finished by the next writer', async () => {
    await importAndKill(hasBegun);
    await addCostCenter(administrationId, 'Next');
    expect(await namesOf(administrationId)).toEqual({ First: BigInt(ROWS) });
    expect([await findings(), others()]).toEqual([[], []]);
  });

  it('that an older version left is finished before migrations complete its rows', async () => {
    for (const index of ['periodic_invoice_next_due', 'outgoing_mail_state_due_on']) {
      await db.schema.dropIndex(index).execute();
    }
    await db.schema.dropIndex('ledger_account_administration_id_number_fiscal_year').execute();
    await db.schema.alterTable('periodic_invoice').dropColumn('next_due').execute();
    await sql`delete from kysely_migration where name >= '030'`.execute(db);
    // Stops the changes from being applied, as the end of the process does: the copy is without it.
    await sql`create trigger killed before insert on periodic_invoice when new.request = '{}'
      begin select raise(abort, 'killed'); end`.execute(db);
    const relation = newRow('relation', {
      administration_id: administrationId,
      guid: 1n,
      name: 'Zon',
      created_on: NOW,
    });
    const left = staged(db, { administrationId }, async (copy) => {
      await sql`drop trigger killed`.execute(copy);
      await insertRows(copy, 'relation', [relation]);
      await sql`insert into periodic_invoice
        (administration_id, relation_id, starting_date, frequency, frequency_unit, request)
        select administration_id, id, '2026-01-31', 1, 'Month', '{}' from relation where guid = 1`.execute(copy);
    });
    await expect(left).rejects.toThrow('Changes of an import contradict');
    await sql`drop trigger killed`.execute(db);

    await (await openDatabase(url())).destroy();

    expect(await db.selectFrom('periodic_invoice').select('next_due').execute()).toEqual([{ next_due: '2026-01-31' }]);
    expect(others()).toEqual([]);
  });
});

it.skipIf(databaseKind() === 'sqlite')('A server knows how many rows long work has written, when it ends', async () => {
  ({ db } = await emptyDatabase());
  onTestFinished(() => db.destroy());
  ({ administrationId } = await addAdministration(db, 'Books', { username: 'a@example.com' }));
  file = path.join(folderOfTest(), 'relations.csv');
  writeRelations('First', 100);
  await sql`analyze`.execute(db);
  await staged(db, { administrationId, bytes: 1_000_000 }, importInto());
  const known = sql<{ rows: bigint }>`select reltuples::int as rows from pg_class where relname = 'relation'`;
  expect((await known.execute(db)).rows).toEqual([{ rows: 100n }]);
});
