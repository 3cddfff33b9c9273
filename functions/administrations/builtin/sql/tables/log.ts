import { administration, choice, defaulted, id, long, optional, seconds, text } from './column.ts';

/** What makes changes: a request, a row of a push, the app by itself, the command line. */
export const origins = ['rest', 'push', 'timer', 'command'] as const;

/** Who changed what, and when (docs/decisions/log.md). */
export const log = {
  /** A change. No row is ever changed or removed, but that its personal values can be blanked. */
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
    /** The table of the record it concerned, and what people know that by. */
    kind: text('Kind'),
    subject: text('Subject'),
    /** The relation whose personal values there are. */
    relation_guid: optional(long('RelationGUID')),
    /** JSON text: a list of the rows that changed, with old and new values of the columns that did. */
    changes: text('Changes'),
    /** The same of the columns with personal values. */
    personal: text('Personal'),
    /** Random hexadecimal digits, so that nobody finds personal values by trying the digest. */
    salt: text('Salt'),
    /** SHA-256 of salt and personal values, in hexadecimal; "" when there were none. */
    personal_digest: text('PersonalDigest'),
    /** SHA-256 of everything but the personal values, and of the hash of the row before. */
    hash: text('Hash'),
  },
  /** Where the log of an administration ends: its last sequence and hash. */
  log_head: { administration_id: administration(), sequence: long(null), hash: text(null) },
  /** Changes of rows that no row of the log tells of yet; triggers write them (sql/log/triggers.ts). */
  log_change: {
    id: id(),
    /** Of PostgreSQL; 0 on SQLite, where only one transaction writes at a time. */
    transaction_id: long(null),
    /** Of a row that names its administration. */
    administration_id: optional(long(null)),
    table_name: text(null),
    row_id: optional(long(null)),
    operation: choice(null, ['insert', 'update', 'delete']),
    /** The record the row is part of. */
    record: text(null),
    record_id: long(null),
    /** What people know the record by, and the relation it is of, where the row itself tells. */
    subject: optional(text(null)),
    relation_guid: optional(long(null)),
    /** Members of a JSON object, each after a comma. */
    old_values: defaulted(text(null)),
    new_values: defaulted(text(null)),
    old_personal: defaulted(text(null)),
    new_personal: defaulted(text(null)),
  },
};
