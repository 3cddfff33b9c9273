import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { DatabaseKind } from '../database.ts';

export type Table = CreateTableBuilder<string, string>;
type Column = ColumnDefinitionBuilder;

/** The parts tables are made of, the same on every database. */
export function columns(db: Kysely<unknown>, kind: DatabaseKind) {
  // PostgreSQL compares text by the rules of a language unless it is told not to; SQLite never does.
  const text = kind === 'sqlite' ? sql`text` : sql`text collate "C"`;
  return {
    text,
    bytes: kind === 'sqlite' ? sql`blob` : sql`bytea`,
    // SQLite numbers rows by itself only in a column of the type INTEGER.
    numbered: (table: Table): Table =>
      kind === 'sqlite'
        ? table.addColumn('id', 'integer', (id) => id.primaryKey())
        : table.addColumn('id', 'bigint', (id) => id.primaryKey().generatedByDefaultAsIdentity()),
    ofAdministration: (table: Table): Table =>
      table.addColumn('administration_id', 'bigint', (column) => column.notNull().references('administration.id')),
    /** A row that goes when the row it belongs to goes. */
    reference: (target: string) => (column: Column) => column.notNull().references(`${target}.id`).onDelete('cascade'),
    optionalReference: (target: string) => (column: Column) => column.references(`${target}.id`),
    texts: (table: Table, ...names: string[]): Table =>
      names.reduce((built, name) => built.addColumn(name, text, (column) => column.notNull().defaultTo('')), table),
    numbers: (table: Table, ...names: string[]): Table =>
      names.reduce((built, name) => built.addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0)), table),
    optionalNumbers: (table: Table, ...names: string[]): Table =>
      names.reduce((built, name) => built.addColumn(name, 'bigint'), table),
    create: (name: string, ...parts: ((table: Table) => Table)[]): Promise<void> =>
      parts.reduce((table, part) => part(table), db.schema.createTable(name) as Table).execute(),
    index: (table: string, unique: boolean, ...names: string[]): Promise<void> => {
      const made = db.schema
        .createIndex([table, ...names].join('_').slice(0, 60))
        .on(table)
        .columns(names);
      return (unique ? made.unique() : made).execute();
    },
    addTexts: async (table: string, ...names: string[]): Promise<void> => {
      for (const name of names) {
        await db.schema
          .alterTable(table)
          .addColumn(name, text, (column) => column.notNull().defaultTo(''))
          .execute();
      }
    },
    addNumbers: async (table: string, ...names: string[]): Promise<void> => {
      for (const name of names) {
        await db.schema
          .alterTable(table)
          .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
          .execute();
      }
    },
  };
}
