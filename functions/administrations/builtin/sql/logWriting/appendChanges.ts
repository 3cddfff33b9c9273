import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../database.ts';
import { type TableName, tables } from '../declarations/tables.ts';
import type { SqlDialect } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/dialectOf.ts';
import { insertRows } from '../insertRows.ts';
import { prepared, preparedText } from '../prepared.ts';
import type { Row, Seconds } from '../schema.ts';
import type { Author } from './author.ts';
import { hashOf, type LogRow, sealed } from './chain.ts';
import { namedByDocuments, relationGuidOf, subjectColumn } from './loggedTables.ts';

/**
 * How changes become rows of the log: one row for all, as of a request; one for each record, as of an imported file; or one
 * row with counts and a digest, as of an imported administration.
 */
export type Grouping = 'together' | 'by record' | 'counted';

/** The administration of a log, and who changes it when. */
export type Log = {
  /** Left out for a new administration, which gets its id during the changes. */
  administrationId?: bigint;
  author: Author;
  now: Seconds;
  /** Whether only a salted digest of personal values is stored. */
  isImpersonal?: boolean;
  /** Changes up to this id are not of this log. Left out: those that are there when the work begins. */
  after?: bigint;
};

type Change = Row<'log_change'>;

/** The end of a log, with the number of a row that is to come. */
type Head = Pick<Row<'log_head'>, 'sequence' | 'hash'>;

/** The log of work in a transaction. */
export type Logging = {
  /**
   * Logs the changes so far, for work with more changes than fit in memory.
   * @param action of these changes, where each record has its own row of the log; otherwise that of the author
   */
  logSoFar(action?: string): Promise<void>;
  /** Names the administration that the work has created. */
  created(administrationId: bigint): void;
  /** Continues the log of the created administration after its last row, which came from an archive. */
  continueAfterLast(): Promise<void>;
};

/** Runs work, and adds its changes to the log in the same transaction. */
export async function logged<T>(
  db: Database,
  { grouping = 'together', ...log }: Log & { grouping?: Grouping },
  work: (logging: Logging) => Promise<T>,
): Promise<T> {
  let { administrationId = 0n } = log;
  /** The next row of the log is reserved. */
  let head: Head | undefined;
  const after = log.after ?? (await lastChange(db));
  /** The changes are read, and still in log_change. */
  let areLeft = false;
  const append = async (rows: readonly NewLogRow[], action = log.author.action) => {
    const first = head ?? (await reserve(db, administrationId))!;
    head = undefined;
    const added = chained({ ...log, administrationId, author: { ...log.author, action } }, first, rows);
    await addRows(db, added, areLeft ? after : undefined);
  };
  const sink = sinks[grouping](db, () => administrationId, append);
  const logSoFar = async (action?: string) => {
    const taken = await takeChanges(db, head === undefined ? administrationId : undefined, after);
    head ??= taken.head;
    if (taken.changes.length > 0) await sink.add(taken.changes, action);
  };
  /** What most work does alone: it reads the end with the changes, and moves it once, which reserves the rows. */
  const logRest = async () => {
    if (head !== undefined || dialectOf(db).expressions.hasWritesInQueries) return logSoFar();
    const read = await changesWithEnd(db, { administrationId, after });
    const [first] = read;
    if (first === undefined) return;
    // The log has no end: its changes cannot be taken.
    if (first.head_sequence === null) return logSoFar();
    head = { sequence: first.head_sequence + 1n, hash: first.head_hash! };
    areLeft = true;
    await sink.add(read, undefined);
  };
  const done = await work({
    logSoFar,
    created(id) {
      administrationId = id;
    },
    async continueAfterLast() {
      if (await moveToLastRow(db, administrationId)) head = undefined;
    },
  });
  await logRest();
  await sink.end();
  return done;
}

type Sink = {
  add: (changes: readonly Change[], action: string | undefined) => Promise<void> | void;
  end: () => Promise<void> | void;
};

type Append = (rows: readonly NewLogRow[], action?: string) => Promise<void>;

const sinks: Record<Grouping, (db: Database, administrationId: () => bigint, append: Append) => Sink> = {
  together(db, _, append) {
    let all: readonly Change[] = [];
    return {
      add(changes) {
        all = all.concat(changes);
      },
      end: async () => {
        if (all.length > 0) await append(await rowsOf(db, [mainFirst(recordsOf(all))]));
      },
    };
  },
  'by record': (db, _, append) => ({
    async add(changes, action) {
      await append(await rowsOf(db, bySubject(recordsOf(changes))), action);
    },
    end: () => {},
  }),
  counted(_, administrationId, append) {
    const digest = createHash('sha256');
    const counts = new Map<string, number>();
    return {
      add(changes) {
        digest.update(valuesOf(changes)).update(personalOf(changes));
        for (const { table_name } of changes) counts.set(table_name, (counts.get(table_name) ?? 0) + 1);
      },
      end: () =>
        append([
          {
            kind: 'administration',
            subject: String(administrationId()),
            relation_guid: null,
            changes: JSON.stringify([{ counts: Object.fromEntries(counts), sha256: digest.digest('hex') }]),
            ...sealed(''),
          },
        ]),
    };
  },
};

/**
 * Removes and returns the changes of the current transaction after one of them, in their order.
 * @param administrationId reserves the next row of its log if there are changes, and returns its end; left out: that is
 *   reserved already
 */
async function takeChanges(
  db: Database,
  administrationId: bigint | undefined,
  after: bigint,
): Promise<{ changes: Change[]; head?: Head | undefined }> {
  const inOrder = (taken: readonly Change[]) => taken.toSorted((a, b) => Number(a.id - b.id));
  if (!dialectOf(db).expressions.hasWritesInQueries) {
    const head =
      administrationId === undefined ? undefined : (await reserveForChanges(db, [administrationId, after]))[0];
    // SQLite would collect what a deletion returns in a table first.
    const changes = await read(db, [after]);
    await remove(db, [after]);
    return { changes, head };
  }
  if (administrationId === undefined) return { changes: inOrder(await take(db, [after])) };
  const taken = await takeAndReserve(db, [after, administrationId]);
  const [first] = taken;
  const head = first?.head_sequence == null ? undefined : { sequence: first.head_sequence, hash: first.head_hash };
  return { changes: inOrder(taken), head };
}

/** The condition of changes of the current transaction after one of them, which is that parameter. */
const changesAfter = ({ expressions: { transactionId, placeholder } }: SqlDialect, parameter: number): string =>
  `id > ${placeholder(parameter)} and transaction_id = ${transactionId}`;

/** Moves the end of a log one row ahead. @param parameter its administration */
const reserving = ({ expressions: { placeholder } }: SqlDialect, parameter: number): string =>
  `update log_head set sequence = sequence + 1 where administration_id = ${placeholder(parameter)}`;

const removing = (dialect: SqlDialect): string => `delete from log_change where ${changesAfter(dialect, 1)}`;

const read = preparedText<Change>(
  (dialect) => `select * from log_change where ${changesAfter(dialect, 1)} order by id`,
);
const remove = preparedText(removing);
const take = preparedText<Change>((dialect) => `${removing(dialect)} returning *`);

/** One question to a server that may be far away. */
const takeAndReserve = preparedText<Change & { head_sequence: bigint | null; head_hash: string }>(
  (dialect) => `with reserved as (${reserving(dialect, 2)}
      and exists (select from log_change where ${changesAfter(dialect, 1)})
      returning sequence as head_sequence, hash as head_hash),
    taken as (${removing(dialect)} returning *)
    select * from taken left join reserved on true`,
);

/** Moves the end of a log one row ahead if the current transaction has changes after one of them. */
const reserveForChanges = preparedText<Head>(
  (dialect) =>
    `${reserving(dialect, 1)} and exists (select 1 from log_change where ${changesAfter(dialect, 2)}) returning sequence, hash`,
);

/** Moves the end of a log one row ahead: until that row is there, changes may leave log_change. */
const reserve = async (db: Database, administrationId: bigint): Promise<Head | undefined> =>
  (await reserveNext(db, [administrationId]))[0];

const reserveNext = preparedText<Head>((dialect) => `${reserving(dialect, 1)} returning sequence, hash`);

/** The changes after one of them, where no other transaction writes, each with the end of the log. */
const changesWithEnd = prepared((db, { administrationId, after }: { administrationId: bigint; after: bigint }) =>
  db
    .selectFrom('log_change')
    .leftJoin('log_head', (join) => join.on('log_head.administration_id', '=', administrationId))
    .where('id', '>', after)
    .orderBy('id')
    .selectAll('log_change')
    .select(['log_head.sequence as head_sequence', 'log_head.hash as head_hash']),
);

/** The id of the last change that is stored already. */
const lastChange = async (db: Database): Promise<bigint> => (await lastOf(db, {}))[0]?.id ?? 0n;

const lastOf = prepared((db) => db.selectFrom('log_change').orderBy('id', 'desc').limit(1).select('id'));

/** A row of the log for each group of records. */
async function rowsOf(db: Database, groups: readonly ChangedRecord[][]): Promise<NewLogRow[]> {
  const unknown = groups.map(([first]) => first!).filter((first) => knownOf(first) === undefined && !isOwnEntry(first));
  const subjects = await subjectsOf(db, unknown);
  return groups.map((records) => rowOf(records, subjects));
}

/** A row of the log for some records; its subject is the first of them. */
function rowOf(records: readonly ChangedRecord[], subjects: Subjects): NewLogRow {
  const [first] = records as [ChangedRecord];
  const changes = records.flatMap((record) => record.changes);
  const { subject, relation_guid } = knownOf(first) ?? subjects.get(keyOf(first)) ?? {};
  // Its name may be that of a relation, and a subject is never blanked.
  const isNamed = subject !== undefined && subject !== null && !namedByDocuments.has(first.table);
  const personal = personalOf(changes);
  return {
    kind: first.table,
    subject: isNamed ? subject : String(first.id),
    relation_guid: relation_guid ?? changes.find((change) => change.relation_guid !== null)?.relation_guid ?? null,
    changes: valuesOf(changes),
    ...sealed(personal),
  };
}

/** JSON of changes: operation, row, and values that are not personal. */
const valuesOf = (changes: readonly Change[]): string =>
  `[${changes
    .map(({ table_name, row_id, operation, old_values, new_values }) => {
      const row = `"table":"${table_name}","id":${row_id},"operation":"${operation}"`;
      return `{${row}${sides(old_values, new_values)}}`;
    })
    .join(',')}]`;

/** JSON of the personal values, with the index of each change; "" when there are none. */
function personalOf(changes: readonly Change[]): string {
  const personal = changes.flatMap(({ old_personal, new_personal }, place) =>
    old_personal === '' && new_personal === '' ? [] : `{"change":${place}${sides(old_personal, new_personal)}}`,
  );
  return personal.length === 0 ? '' : `[${personal.join(',')}]`;
}

const sides = (old: string, new_: string): string => side('old', old) + side('new', new_);
const side = (name: string, members: string): string =>
  members === '' ? '' : `,"${name}":{${members.slice(','.length)}}`;

/** A row of the log without its position and author. */
type NewLogRow = Omit<LogRow, 'sequence' | 'hash' | 'at' | 'origin' | 'key_id' | 'action'>;

/** Rows with their position and author, each with the hash of the one before. @param head has the number of the first */
function chained(
  { administrationId, author, now, isImpersonal = false }: Required<Pick<Log, 'administrationId'>> & Log,
  head: Head,
  rows: readonly NewLogRow[],
): Row<'log'>[] {
  let { hash } = head;
  const { origin, key, action } = author;
  return rows.map((row, index) => {
    const whole = { sequence: head.sequence + BigInt(index), at: now, origin, key_id: key, action, ...row };
    hash = hashOf(whole, hash);
    const stored = isImpersonal ? { ...whole, personal: '', salt: '' } : whole;
    return { administration_id: administrationId, ...stored, hash };
  });
}

/**
 * Adds rows to a log and moves its end there, in a transaction that has locked the administration.
 * @param after the changes after this one are these rows, and removed; left out: they were
 */
async function addRows(db: Database, rows: readonly Row<'log'>[], after: bigint | undefined): Promise<void> {
  const [first, ...others] = rows;
  if (others.length === 0 && dialectOf(db).expressions.hasWritesInQueries) {
    await addRowAndMoveHead(db, first!);
    return;
  }
  // First: until these rows are there, changes may leave log_change.
  await moveHead(db, rows.at(-1)!);
  if (after !== undefined) await remove(db, [after]);
  if (others.length === 0) await addRow(db, first!);
  else await insertRows(db, 'log', rows);
}

const logColumns = Object.keys(tables.log) as (keyof Row<'log'>)[];

const logValues = (row: Row<'log'>): Row<'log'> =>
  Object.fromEntries(logColumns.map((name) => [name, row[name]])) as Row<'log'>;

const addRow = prepared((db, row: Row<'log'>) => db.insertInto('log').values(logValues(row)));

/** One question to a server that may be far away. */
const addRowAndMoveHead = prepared((db, row: Row<'log'>) =>
  db
    .with('added', (query) => query.insertInto('log').values(logValues(row)))
    .updateTable('log_head')
    .where('administration_id', '=', row.administration_id)
    .set({ sequence: row.sequence, hash: row.hash }),
);

/** Moves the end of a log to its last row. @returns whether it has one */
async function moveToLastRow(db: Database, administrationId: bigint): Promise<boolean> {
  const last = await db
    .selectFrom('log')
    .where('administration_id', '=', administrationId)
    .orderBy('sequence', 'desc')
    .limit(1)
    .select(['sequence', 'hash'])
    .executeTakeFirst();
  if (last === undefined) return false;
  await moveHead(db, { administration_id: administrationId, ...last });
  return true;
}

const moveHead = prepared((db, { administration_id, sequence, hash }: Row<'log_head'>) =>
  db.updateTable('log_head').where('administration_id', '=', administration_id).set({ sequence, hash }),
);

/** The changes of a record and of its parts. */
type ChangedRecord = { table: TableName; id: bigint; changes: Change[] };

function recordsOf(changes: readonly Change[]): ChangedRecord[] {
  const entries = new Map<bigint, Change>();
  for (const change of changes) if (change.table_name === 'journal_entry') entries.set(change.row_id!, change);
  const records = new Map<string, ChangedRecord>();
  for (const change of changes) {
    // A line of the journal belongs to an entry, and the entry to a document.
    const of = (change.record === 'journal_entry' && entries.get(change.record_id)) || change;
    const key = `${of.record} ${of.record_id}`;
    const record = records.get(key);
    if (record !== undefined) record.changes.push(change);
    else records.set(key, { table: of.record as TableName, id: of.record_id, changes: [change] });
  }
  return [...records.values()];
}

/** The main records of requests; other records change with them. */
const mainKinds: readonly TableName[] = [
  'administration',
  'sales_invoice',
  'purchase_invoice',
  'periodic_invoice',
  'sales_order',
  'relation',
  'product',
];

/** Groups records into rows of the log: a category that is made for a product is in the row of the product. */
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

type Subjects = ReadonlyMap<string, Pick<LogRow, 'subject' | 'relation_guid'>>;

const keyOf = ({ table, id }: Pick<ChangedRecord, 'table' | 'id'>): string => `${table} ${id}`;

/** The change that has the subject and the relation of its record. */
const knownOf = ({ table, id, changes }: ChangedRecord): Change | undefined =>
  changes.find((change) => change.subject !== null && change.record === table && change.record_id === id);

/** Whether a record is an entry of no document, by its own change: its subject is its id, and it is about no relation. */
const isOwnEntry = ({ table, changes }: ChangedRecord): boolean =>
  table === 'journal_entry' && changes.some(({ table_name }) => table_name === 'journal_entry');

/** Records whose subjects one statement reads. */
const MAX_SUBJECTS = 500;

/** The subjects and relations of records of which no change has them. */
async function subjectsOf(db: Database, records: readonly ChangedRecord[]): Promise<Subjects> {
  const any = db as unknown as Kysely<Record<string, Record<string, unknown>>>;
  const subjects = new Map<string, Pick<LogRow, 'subject' | 'relation_guid'>>();
  for (const [table, some] of Map.groupBy(records, (record) => record.table)) {
    for (let start = 0; start < some.length; start += MAX_SUBJECTS) {
      const ids = some.slice(start, start + MAX_SUBJECTS).map(({ id }) => id);
      const rows = await any
        .selectFrom(table)
        .where('id', 'in', ids)
        .select([
          sql<bigint>`id`.as('id'),
          sql<string>`cast(${sql.ref(subjectColumn(table))} as text)`.as('subject'),
          sql<bigint | null>`${sql.raw(table === 'journal_entry' ? guidOfEntry : relationGuidOf(table, table))}`.as(
            'relation_guid',
          ),
        ])
        .execute();
      for (const { id, ...subject } of rows) subjects.set(keyOf({ table, id }), subject);
    }
  }
  return subjects;
}

/** The relation of a journal entry is that of its document. */
const guidOfEntry = `(select relation.guid from relation where relation.id = coalesce(
  (select relation_id from sales_invoice where sales_invoice.id = sales_invoice_id),
  (select relation_id from purchase_invoice where purchase_invoice.id = purchase_invoice_id)))`;
