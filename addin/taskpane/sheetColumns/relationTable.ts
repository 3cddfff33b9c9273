import type { Relation } from '../../../shared/resources/relation.ts';
import type { TableSpec } from '../../excel/tables/table.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { columnsOf, type Fields } from './columns.ts';

/** The date of an export in the list; left out for the latest. */
export type RelationQuestion = { date?: string };

export const RELATIONS = 'relations';

/** Identifying numbers are text: they keep their zeros and any number of digits. A number that is 0 is none. */
const relationFields: Fields<Relation, keyof Messages['headings']['relations']> = {
  RelationGUID: ['text', 14],
  Name: ['text', 36],
  CustomerNumber: ['text', 17, ({ CustomerNumber }) => CustomerNumber || null],
  SupplierNumber: ['text', 17, ({ SupplierNumber }) => SupplierNumber || null],
  PrivateOrBusiness: ['code', 18],
  TaxIdentificationNumber: ['text', 19],
  RegistrationNumber: ['text', 20],
  Email: ['text', 32],
  Phone: ['text', 18],
  Address_Street: ['text', 28],
  Address_Unit: ['text', 15],
  Address_UnitAppendix: ['text', 11],
  Address_PostalCode: ['text', 13],
  Address_City: ['text', 22],
  Address_CountryCode: ['text', 10],
  GroupName: ['text', 20],
  IsCustomer: ['boolean', 11],
  IsSupplier: ['boolean', 11],
  IsOther: ['boolean', 9],
  CreatedOn: ['moment', 17],
  ChangedOn: ['moment', 17],
};

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
