import type { Relation } from '../../../shared/resources/relation.ts';
import type { TableSpec } from '../../excel/tables/table.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { columnsOf } from '../sheetColumns/columns.ts';
import { relationFields } from './relations.ts';

/** The date of an export in the list; left out for the latest. */
export type RelationQuestion = { date?: string };

export const RELATIONS = 'relations';

/**
 * The relations of an export, one a row. The columns are those of the export's workbook, with the key first for look-ups.
 * @param exportedAt when the export began; undefined if the service does not tell
 */
export const relationTable = (
  messages: Messages,
  administration: Administration,
  query: RelationQuestion,
  exportedAt: Date | undefined,
): TableSpec<Relation> => ({
  ...(exportedAt === undefined ? {} : { dataAt: exportedAt.toISOString() }),
  source: { view: RELATIONS, administration, endpoint: 'exports', query },
  sheetName: [messages.exports.sheet, query.date].filter(Boolean).join(' '),
  keys: ['RelationGUID'],
  frozen: 2,
  columns: columnsOf(relationFields, messages.headings.relations, messages),
});
