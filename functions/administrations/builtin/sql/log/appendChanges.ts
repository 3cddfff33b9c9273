import { createHash } from 'node:crypto';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import type { SqlDialect } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/dialectOf.ts';
import { insertRows } from '../insertRows.ts';
import { prepared } from '../prepared.ts';
import type { Row, Seconds } from '../schema.ts';
import type { TableName } from '../tables/tables.ts';
import type { Author } from './author.ts';
import { hashOf, type LogRow, sealed } from './chain.ts';
import { relationGuidOf, subjectColumn } from './loggedTables.ts';

/**
 * What rows of the log changes become: one for all of them, as of a request; one for each record, as of a file that is
 * imported; or one that counts them and has their digest, as of a whole administration that is made at once.
 */
export type Grouping = 'together' | 'by record' | 'counted';

/** Whose log it is, and who makes changes when. A new administration gets its id while they are made. */
export type Log = {
  administrationId: bigint;
  author: Author;
  now: Seconds;
  /** Whether personal values are left out: of them, only a digest that says nothing stays. */
  isImpersonal?: boolean;
};

type Change = Row<'log_change'>;

/** What takes the changes made so far by work under way, by its transaction. */
const underWay = new WeakMap<Database, () => Promise<void>>();

/**
 * Makes what some work changes into rows of the log, in the transaction that changes it.
 */
export async function logged<T>(db: Database, log: Log & { grouping?: Grouping }, work: () => Promise<T>): Promise<T> {
  const outer = underWay.get(db);
  const last = await lastChange(db);
  const sink = sinks[log.grouping ?? 'together'](db, log);
  const take = async () => {
    const changes = await takeChanges(db, last);
    if (changes.length > 0) await sink.add(changes);
  };
  underWay.set(db, take);
  try {
    const done = await work();
    await take();
    await sink.end();
    return done;
  } finally {
    if (outer === undefined) underWay.delete(db);
    else underWay.set(db, outer);
  }
}

/** Takes what work under way changed so far: for work that changes more than is to be held in memory. */
export const takeChangesSoFar = async (db: Database): Promise<void> => underWay.get(db)?.();

type Sink = { add: (changes: readonly Change[]) => Promise<void> | void; end: () => Promise<void> | void };

const sinks: Record<Grouping, (db: Database, log: Log) => Sink> = {
  together(db, log) {
    const all: Change[] = [];
    return {
      add: (changes) => void all.push(...changes),
      end: async () => {
        if (all.length > 0) await appendRows(db, log, [await rowOf(db, mainFirst(recordsOf(all)))]);
      },
    };
  },
  'by record': (db, log) => ({
    async add(changes) {
      const rows: NewLogRow[] = [];
      for (const records of bySubject(recordsOf(changes))) rows.push(await rowOf(db, records));
      await appendRows(db, log, rows);
    },
    end: () => {},
  }),
  counted(db, log) {
    const digest = createHash('sha256');
    const counts = new Map<string, number>();
    return {
      add(changes) {
        digest.update(valuesOf(changes)).update(personalOf(changes));
        for (const { table_name } of changes) counts.set(table_name, (counts.get(table_name) ?? 0) + 1);
      },
      end: () =>
        appendRows(db, log, [
          {
            kind: 'administration',
            subject: String(log.administrationId),
            relation_guid: null,
            changes: JSON.stringify([{ counts: Object.fromEntries(counts), sha256: digest.digest('hex') }]),
            ...sealed(''),
          },
        ]),
    };
  },
};

/**
 * The changes of the transaction under way that were not taken yet, in the order they were made in.
 * @param after the id of the last that is not meant
 */
async function takeChanges(db: Database, after: bigint): Promise<Change[]> {
  const { rows } = await db.executeQuery<Change>(CompiledQuery.raw(taking(dialectOf(db)), [after]));
  return rows.sort((a, b) => Number(a.id - b.id));
}

const taking = ({ transactionId, placeholder }: SqlDialect): string =>
  `delete from log_change where id > ${placeholder(1)} and transaction_id = ${transactionId} returning *`;

/** The last change that is there already. */
const lastChange = async (db: Database): Promise<bigint> => (await lastOf(db, {}))[0]?.id ?? 0n;

const lastOf = prepared((db) => db.selectFrom('log_change').orderBy('id', 'desc').limit(1).select('id'));

/** The row of the log that tells of records; the first is what it concerns. */
async function rowOf(db: Database, records: readonly ChangedRecord[]): Promise<NewLogRow> {
  const [{ table: kind, id }] = records as [ChangedRecord];
  const changes = records.flatMap((record) => record.changes);
  const known = changes.find((change) => change.subject !== null && change.record === kind && change.record_id === id);
  const { subject, relation_guid } = known ?? (await found(db, kind, id));
  const personal = personalOf(changes);
  return {
    kind,
    subject: subject ?? String(id),
    relation_guid: relation_guid ?? changes.find((change) => change.relation_guid !== null)?.relation_guid ?? null,
    changes: valuesOf(changes),
    ...sealed(personal),
  };
}

/** JSON of changes: what was done to which row, with its values that are not personal. */
const valuesOf = (changes: readonly Change[]): string =>
  `[${changes
    .map(({ table_name, row_id, operation, old_values, new_values }) => {
      const row = `"table":"${table_name}","id":${row_id},"operation":"${operation}"`;
      return `{${row}${sides(old_values, new_values)}}`;
    })
    .join(',')}]`;

/** JSON of their personal values, each with its place among the changes; "" when there are none. */
function personalOf(changes: readonly Change[]): string {
  const personal = changes.flatMap(({ old_personal, new_personal }, place) =>
    old_personal === '' && new_personal === '' ? [] : `{"change":${place}${sides(old_personal, new_personal)}}`,
  );
  return personal.length === 0 ? '' : `[${personal.join(',')}]`;
}

const sides = (old: string, new_: string): string => side('old', old) + side('new', new_);
const side = (name: string, members: string): string =>
  members === '' ? '' : `,"${name}":{${members.slice(','.length)}}`;

/** A row of the log, but for what the end of the log and its author say. */
export type NewLogRow = Omit<LogRow, 'sequence' | 'hash' | 'at' | 'origin' | 'key_id' | 'action'>;

/** Adds rows to a log, in a transaction that keeps others from writing in the administration. */
export async function appendRows(
  db: Database,
  { administrationId, author, now, isImpersonal = false }: Log,
  rows: readonly NewLogRow[],
): Promise<void> {
  const [head] = await headOf(db, { administrationId });
  let { sequence, hash } = head!;
  const { origin, key, action } = author;
  const added = rows.map((row) => {
    sequence += 1n;
    const whole = { sequence, at: now, origin, key_id: key, action, ...row };
    hash = hashOf(whole, hash);
    const kept = isImpersonal ? { ...whole, personal: '', salt: '' } : whole;
    return { administration_id: administrationId, ...kept, hash };
  });
  await insertRows(db, 'log', added);
  await moveHead(db, { administrationId, sequence, hash });
}

/** Has the log of an administration go on after its last row: for rows that come from an archive. */
export async function continueLog(db: Database, administrationId: bigint): Promise<void> {
  const last = await db
    .selectFrom('log')
    .where('administration_id', '=', administrationId)
    .orderBy('sequence', 'desc')
    .limit(1)
    .select(['sequence', 'hash'])
    .executeTakeFirst();
  if (last !== undefined) await moveHead(db, { administrationId, ...last });
}

const headOf = prepared((db, { administrationId }: { administrationId: bigint }) =>
  db.selectFrom('log_head').where('administration_id', '=', administrationId).select(['sequence', 'hash']),
);

const moveHead = prepared(
  (db, { administrationId, sequence, hash }: { administrationId: bigint; sequence: bigint; hash: string }) =>
    db.updateTable('log_head').where('administration_id', '=', administrationId).set({ sequence, hash }),
);

/** What changed of a record and of the rows that are part of it. */
type ChangedRecord = { table: TableName; id: bigint; changes: Change[] };

function recordsOf(changes: readonly Change[]): ChangedRecord[] {
  const entries = new Map<bigint, Change>();
  for (const change of changes) if (change.table_name === 'journal_entry') entries.set(change.row_id!, change);
  const records = new Map<string, ChangedRecord>();
  for (const change of changes) {
    // A line of the journal names its entry, which names a document.
    const of = (change.record === 'journal_entry' && entries.get(change.record_id)) || change;
    const key = `${of.record} ${of.record_id}`;
    const record = records.get(key);
    if (record !== undefined) record.changes.push(change);
    else records.set(key, { table: of.record as TableName, id: of.record_id, changes: [change] });
  }
  return [...records.values()];
}

/** Of the records of one request the one that it was about: others changed with it. */
const mainKinds: readonly TableName[] = [
  'administration',
  'sales_invoice',
  'purchase_invoice',
  'periodic_invoice',
  'sales_order',
  'relation',
  'product',
];

/** Records by what each row of the log is about: a category that is made for a product is told with the product. */
function bySubject(records: readonly ChangedRecord[]): ChangedRecord[][] {
  const isMain = ({ table }: ChangedRecord) => mainKinds.includes(table);
  if (!records.some(isMain)) return records.map((record) => [record]);
  const groups: ChangedRecord[][] = [];
  let others: ChangedRecord[] = [];
  for (const record of records) {
    if (!isMain(record)) others.push(record);
    else {
      groups.push([record, ...others]);
      others = [];
    }
  }
  groups.at(-1)!.push(...others);
  return groups;
}

function mainFirst(records: readonly ChangedRecord[]): ChangedRecord[] {
  const rank = ({ table }: ChangedRecord) => (mainKinds.includes(table) ? mainKinds.indexOf(table) : mainKinds.length);
  return records.toSorted((a, b) => rank(a) - rank(b));
}

/** What people know a record by, and the relation it is about, where no change told it. */
async function found(
  db: Database,
  table: TableName,
  id: bigint,
): Promise<Partial<Pick<LogRow, 'subject' | 'relation_guid'>>> {
  const any = db as unknown as Kysely<Record<string, Record<string, unknown>>>;
  const row = await any
    .selectFrom(table)
    .where('id', '=', id)
    .select([
      sql<string>`cast(${sql.ref(subjectColumn(table))} as text)`.as('subject'),
      sql<bigint | null>`${sql.raw(relationGuidOf(table, table))}`.as('relation_guid'),
    ])
    .executeTakeFirst();
  return row ?? {};
}
