import type { ColumnDefinitionBuilder, Kysely, RawBuilder } from 'kysely';
import type { NewTable, SqlDialect } from '../dialects/dialect.ts';

type Column = ColumnDefinitionBuilder;

/** The parts tables are made of. */
export function columns(db: Kysely<unknown>, { types: { text, bytes, addId: numbered } }: SqlDialect) {
  return {
    text,
    bytes,
    numbered,
    ofAdministration: (table: NewTable): NewTable =>
      table.addColumn('administration_id', 'bigint', (column) => column.notNull().references('administration.id')),
    /** A row that goes when the row it belongs to goes. */
    reference: (target: string) => (column: Column) => column.notNull().references(`${target}.id`).onDelete('cascade'),
    optionalReference: (target: string) => (column: Column) => column.references(`${target}.id`),
    texts: (table: NewTable, ...names: string[]): NewTable =>
      names.reduce((built, name) => built.addColumn(name, text, (column) => column.notNull().defaultTo('')), table),
    numbers: (table: NewTable, ...names: string[]): NewTable =>
      names.reduce((built, name) => built.addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0)), table),
    optionalNumbers: (table: NewTable, ...names: string[]): NewTable =>
      names.reduce((built, name) => built.addColumn(name, 'bigint'), table),
    create: (name: string, ...parts: ((table: NewTable) => NewTable)[]): Promise<void> =>
      parts.reduce((table, part) => part(table), db.schema.createTable(name) as NewTable).execute(),
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
    /** A column that may be null, and is. */
    addOptional: (table: string, name: string, type: RawBuilder<unknown>): Promise<void> =>
      db.schema.alterTable(table).addColumn(name, type).execute(),
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
