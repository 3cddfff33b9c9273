import { administration, choice, defaulted, id, long, optional, seconds, text } from './column.ts';

/** The origins of changes: a request, a row of a push, the app itself, the command line. */
const origins = ['rest', 'push', 'timer', 'command'] as const;

/** Who changed what, and when (docs/decisions/log.md). */
export const log = {
  /** A change. Rows are never changed or removed; their personal values can be blanked. */
  log: {
    administration_id: administration(),
    /** Counts the rows of an administration, from 1. */
    sequence: long('Sequence', { isIdentity: true }),
    at: seconds('At'),
    origin: choice('Origin', origins),
    /** The id of the API key, never the key; null where there is none. */
    key_id: optional(long('Key')),
    /** The endpoint, or the command or task. */
    action: text('Action'),
    /** The table of the changed record, and its identifier for people. */
    kind: text('Kind'),
    subject: text('Subject'),
    /** The relation of the personal values. */
    relation_guid: optional(long('RelationGUID')),
    /** JSON text: the changed rows, with old and new values of the changed columns. */
    changes: text('Changes'),
    /** JSON text: old and new values of the columns with personal values. */
    personal: text('Personal'),
    /** Random hexadecimal digits, against guessing personal values from their digest. */
    salt: text('Salt'),
    /** SHA-256 of salt and personal values, in hexadecimal; "" when there were none. */
    personal_digest: text('PersonalDigest'),
    /** SHA-256 of the other values and of the hash of the previous row. */
    hash: text('Hash'),
  },
  /** The end of the log of an administration: its last sequence and hash. */
  log_head: { administration_id: administration(), sequence: long(null), hash: text(null) },
  /** Changes that are not in the log yet; triggers write them (sql/logWriting/triggers.ts). */
  log_change: {
    id: id(),
    /** Of PostgreSQL; 0 on SQLite, where only one transaction writes at a time. */
    transaction_id: long(null),
    /** Null when neither the row nor its record has it. */
    administration_id: optional(long(null)),
    table_name: text(null),
    row_id: optional(long(null)),
    operation: choice(null, ['insert', 'update', 'delete']),
    /** The record the row is part of. */
    record: text(null),
    record_id: long(null),
    /** The identifier of the record for people, and its relation, if the row has them. */
    subject: optional(text(null)),
    relation_guid: optional(long(null)),
    /** Members of a JSON object, each after a comma. */
    old_values: defaulted(text(null)),
    new_values: defaulted(text(null)),
    old_personal: defaulted(text(null)),
    new_personal: defaulted(text(null)),
  },
  /** On SQLite: an administration whose changes of long work are being applied (sql/staging/applyChanges.ts). */
  staged_work: {
    administration_id: administration(),
    /** The name of the file that has the changes, beside that of the database. */
    file: text(null),
    /** How many parts of them were applied. */
    applied: long(null),
  },
};
