import { hash } from 'node:crypto';
import { type Column, kinds } from '../declarations/column.ts';
import { nameColumns, type TableName, tables } from '../declarations/tables.ts';
import type { SqlDialect, TriggerAction } from '../dialects/dialect.ts';
import { loggedColumns, loggedTables, recordColumns, relationGuidOf, subjectColumn } from './loggedTables.ts';

/*
 * Triggers record every change of a row, whatever statement makes it. Their records become rows of the log before the
 * transaction ends (appendChanges.ts).
 */

type Operation = 'insert' | 'update' | 'delete';

/** A trigger. Its name has a digest of its statements: a changed trigger has another name. */
type Trigger = { name: string; table: string; statements: readonly string[] };

/** All triggers of the log, from the declared tables. */
export const logTriggers = (dialect: SqlDialect): Trigger[] =>
  [
    ...loggedTables.flatMap((table) => operations.map((operation) => recording(dialect, table, operation))),
    ...guards(dialect),
  ]
    .map((action) => {
      const digest = hash('sha256', dialect.triggers.create('', action).join(';')).slice(0, 8);
      const name = `log_${action.table}_${action.operation}_${digest}`;
      return { name, table: action.table, statements: dialect.triggers.create(name, action) };
    })
    .filter(({ statements }) => statements.length > 0);

const operations = ['insert', 'update', 'delete'] as const;

/** Records the changes of a table. */
function recording(dialect: SqlDialect, table: TableName, operation: Operation): TriggerAction {
  const all = (row: string) => `(${loggedColumns(table).map(({ name }) => `${row}."${name}"`)})`;
  const recorded = Object.entries(recordOf(dialect, table, operation));
  return {
    table,
    operation,
    ...(operation === 'update' ? { condition: dialect.expressions.differ(all('old'), all('new')) } : {}),
    into: 'log_change',
    columns: recorded.map(([column]) => column).join(', '),
    values: recorded.map(([, value]) => value).join(', '),
  };
}

/** Rows of the log cannot be removed or changed; their personal values can be blanked. */
function guards(dialect: SqlDialect): TriggerAction[] {
  const blankable = ['personal', 'salt'];
  const unchangeable = Object.keys(tables.log).filter((column) => !blankable.includes(column));
  const all = (row: string) => `(${unchangeable.map((column) => `${row}."${column}"`)})`;
  const changes = `${dialect.expressions.differ(all('old'), all('new'))} or ${blankable.map((column) => `new.${column} <> ''`).join(' or ')}`;
  const made = dialect.triggers.insertedRow;
  const same = (table: TableName, ...key: string[]) =>
    `exists (select 1 from ${table} where ${key.map((column) => `${table}.${column} = new.${column}`).join(' and ')})`;
  const staged = Object.keys(tables.log_change).filter((column) => !blankableChange.includes(column));
  const allStaged = (row: string) => `(${staged.map((column) => `${row}."${column}"`)})`;
  const changesStaged = `${dialect.expressions.differ(allStaged('old'), allStaged('new'))} or ${blankableChange.map((column) => `new.${column} <> ''`).join(' or ')}`;
  return [
    { table: 'log', operation: 'update', condition: changes, refuse: APPEND_ONLY },
    { table: 'log', operation: 'delete', refuse: APPEND_ONLY, ifAtEnd: administrationIsThere },
    { table: 'log', operation: 'truncate', refuse: APPEND_ONLY },
    {
      table: 'log',
      operation: 'replace',
      condition: same('log', 'administration_id', 'sequence'),
      refuse: APPEND_ONLY,
    },
    { table: 'log_head', operation: 'delete', refuse: APPEND_ONLY, ifAtEnd: administrationIsThere },
    { table: 'log_head', operation: 'truncate', refuse: APPEND_ONLY },
    { table: 'log_head', operation: 'replace', condition: same('log_head', 'administration_id'), refuse: APPEND_ONLY },
    {
      table: 'log_head',
      operation: 'update',
      condition: 'new.sequence < old.sequence or new.administration_id <> old.administration_id',
      refuse: APPEND_ONLY,
    },
    { table: 'log_change', operation: 'update', condition: changesStaged, refuse: APPEND_ONLY },
    { table: 'log_change', operation: 'delete', refuse: APPEND_ONLY, unless: isTaken },
    { table: 'log_change', operation: 'truncate', refuse: APPEND_ONLY },
    { table: 'log_change', operation: 'replace', condition: same('log_change', 'id'), refuse: APPEND_ONLY },
    {
      table: 'administration',
      operation: 'insert',
      into: 'log_head',
      columns: 'administration_id, sequence, hash',
      values: `${made}.id, 0, ''`,
    },
  ];
}

/** Of a change that is not in the log yet, these can be blanked. */
const blankableChange = ['old_personal', 'new_personal'];

/**
 * Whether a change may leave log_change: the end of its log is ahead of the log, for the row that the change goes to; or its
 * administration is deleted. The end never goes back: if the row does not come, the check finds that it is missing.
 */
const isTaken = {
  column: 'administration_id',
  holds: (row: string): string => `case when ${row}.administration_id is null
    then exists (select 1 from log_head where ${isAhead})
    else exists (select 1 from log_head where log_head.administration_id = ${row}.administration_id and ${isAhead})
      or not exists (select 1 from administration where administration.id = ${row}.administration_id) end`,
};

const isAhead = `log_head.sequence > 0 and not exists (select 1 from log
  where log.administration_id = log_head.administration_id and log.sequence >= log_head.sequence)`;

/** Rows of a log may go with their administration. */
const administrationIsThere = 'exists (select from administration where id = old.administration_id)';

const APPEND_ONLY = 'The log can only be added to.';

/** The record of a change: SQL by column of log_change. */
function recordOf(dialect: SqlDialect, table: TableName, operation: Operation): Record<string, string> {
  const row = operation === 'delete' ? 'old' : operation === 'insert' ? dialect.triggers.insertedRow : 'new';
  const columns = Object.keys(tables[table]);
  const records = recordColumns(table);
  const id = columns.includes('id') ? `${row}.id` : 'null';
  const pick = (part: (record: (typeof records)[number]) => string, ofRow: string): string => {
    const cases = records.map((one) => `when ${row}.${one.column} is not null then ${part(one)}`);
    return cases.length === 0 ? ofRow : `case ${cases.join(' ')} else ${ofRow} end`;
  };
  const administration = columns.includes('administration_id')
    ? `${row}.administration_id`
    : pick(({ column, record }) => administrationOf(record, `${row}.${column}`), 'null');
  const values = (side: 'old' | 'new', isPersonal: boolean) =>
    operation === { old: 'insert', new: 'delete' }[side]
      ? `''`
      : members(dialect, table, operation, side === 'new' ? row : 'old', isPersonal);
  return {
    transaction_id: dialect.expressions.transactionId,
    administration_id: table === 'administration' ? id : administration,
    table_name: `'${table}'`,
    row_id: id,
    operation: `'${operation}'`,
    record: pick(({ record }) => `'${record}'`, `'${table}'`),
    record_id: pick(({ column }) => `${row}.${column}`, id),
    subject: records.length === 0 ? `cast(${row}.${subjectColumn(table)} as text)` : 'null',
    relation_guid: relationGuidOf(table, row),
    old_values: values('old', false),
    new_values: values('new', false),
    old_personal: values('old', true),
    new_personal: values('new', true),
  };
}

/** SQL for the administration of a record: without it, each change of a part would look through the logs of all. */
const administrationOf = (record: TableName, id: string): string =>
  Object.hasOwn(tables[record], 'administration_id')
    ? `(select administration_id from "${record}" where id = ${id})`
    : 'null';

/** SQL for the logged values of a row as members of a JSON object, each after a comma. */
function members(
  dialect: SqlDialect,
  table: TableName,
  operation: Operation,
  row: string,
  isPersonal: boolean,
): string {
  const columns = loggedColumns(table).filter((column) => column.isPersonal === isPersonal);
  if (columns.length === 0) return `''`;
  return columns
    .map(({ name, column }) => {
      const condition =
        operation === 'update'
          ? dialect.expressions.differ(`old."${name}"`, `new."${name}"`)
          : isFilled(row, name, column);
      return `case when ${condition} then ',"${name}":' || ${jsonOf(dialect, row, name, column)} else '' end`;
    })
    .join(' || ');
}

/** SQL for whether a value is not blank: blank values of new and removed rows are left out. */
function isFilled(row: string, name: string, { isOptional, kind }: Column): string {
  if (isOptional || kind === 'reference') return `${row}."${name}" is not null`;
  return `${row}."${name}" <> ${kinds[kind].blank === '' ? `''` : '0'}`;
}

/** SQL for the JSON of a value: of a secret nothing, of a file its size, of a reference the identifier of the row for people. */
function jsonOf(dialect: SqlDialect, row: string, name: string, { kind, to, isSecret }: Column): string {
  if (isSecret) return `'"(secret)"'`;
  const stored = `${row}."${name}"`;
  if (kind === 'bytes') return dialect.expressions.json(dialect.expressions.byteLength(stored));
  if (to === null || !Object.hasOwn(nameColumns, to.table)) return dialect.expressions.json(stored);
  const key = nameColumns[to.table as keyof typeof nameColumns];
  return dialect.expressions.json(`(select named."${key}" from "${to.table}" named where named.id = ${stored})`);
}
