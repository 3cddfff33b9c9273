import { customFieldStorage } from '../../../shared/resources/customField.ts';
import type { Relation } from '../../../shared/resources/relation.ts';
import { type Cell, cells, momentsIn } from '../xlsx/cell.ts';
import { type Column, type Sheet, workbook } from '../xlsx/workbook.ts';

export type RelationsWorkbookOptions = {
  signal?: AbortSignal;
  /** The time zone of moments: an IANA name. */
  zone?: string;
  /** Called for each text that was too long for a cell and was cut. */
  onCut?: () => void;
  /** Rows of a sheet including its headings; left out: the maximum of Excel. */
  maxRows?: number;
};

/**
 * The relations of an administration as the bytes of an .xlsx workbook: sheets of relations, contacts,
 * bank accounts and custom fields. Each sheet begins with the RelationGUID, for look-ups, and the name.
 * Numbers that identify something are text.
 * @param relations in batches; their cells are in temporary files, not in memory
 * @throws the failure of reading, the signal's reason, or RangeError for a workbook of 4 GB
 */
export function relationsWorkbook(
  relations: AsyncIterable<readonly Relation[]>,
  { signal, zone = 'Europe/Amsterdam', ...options }: RelationsWorkbookOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const sheet = <Part>(
    name: string,
    partsOf: (relation: Relation) => readonly Part[],
    columns: readonly Column<Of<Part>>[],
  ): Sheet<Relation, Of<Part>> => ({
    name,
    columns: [...keyColumns, ...columns],
    frozen: keyColumns.length,
    rows: (relation) => partsOf(relation).map((part) => ({ relation, part })),
  });
  const coming = async function* () {
    for await (const some of relations) {
      signal?.throwIfAborted();
      yield some;
    }
  };
  return workbook(
    coming(),
    [
      sheet('Relations', (relation) => [relation], relationColumns(zone)),
      sheet('Contacts', ({ Relation_Contact }) => Relation_Contact, contactColumns),
      sheet('Bank accounts', ({ Relation_BankAccount }) => Relation_BankAccount, bankAccountColumns),
      sheet('Custom fields', ({ Relation_CustomField }) => Relation_CustomField, customFieldColumns),
    ],
    options,
  );
}

type Contact = Relation['Relation_Contact'][number];
type BankAccount = Relation['Relation_BankAccount'][number];
type CustomField = Relation['Relation_CustomField'][number];

/** A part of a relation, with that relation. */
type Of<Part> = { relation: Relation; part: Part };

const text = <Row>(heading: string, width: number, value: (row: Row) => string | number | null): Column<Row> => ({
  heading,
  width,
  isText: true,
  cell: (row) => value(row)?.toString(),
});
const yesNo = <Row>(heading: string, width: number, value: (row: Row) => boolean | null): Column<Row> => ({
  heading,
  width,
  cell: (row) => cells.boolean(value(row)),
});

const keyColumns: readonly Column<{ relation: Relation }>[] = [
  text('Relation ID', 14, ({ relation }) => relation.RelationGUID),
  text('Name', 36, ({ relation }) => relation.Name),
];

function relationColumns(zone: string): Column<Of<Relation>>[] {
  const moment = momentsIn(zone);
  return [
    text('Customer number', 17, ({ part }) => part.CustomerNumber || null),
    text('Supplier number', 17, ({ part }) => part.SupplierNumber || null),
    text('Business or private', 18, ({ part }) => part.PrivateOrBusiness),
    text('VAT number', 19, ({ part }) => part.TaxIdentificationNumber),
    text('Registration number', 20, ({ part }) => part.RegistrationNumber),
    text('E-mail', 32, ({ part }) => part.Email),
    text('Phone', 18, ({ part }) => part.Phone),
    text('Street', 28, ({ part }) => part.Address_Street),
    text('House number', 15, ({ part }) => part.Address_Unit),
    text('Addition', 11, ({ part }) => part.Address_UnitAppendix),
    text('Postal code', 13, ({ part }) => part.Address_PostalCode),
    text('City', 22, ({ part }) => part.Address_City),
    text('Country', 10, ({ part }) => part.Address_CountryCode),
    text('Group', 20, ({ part }) => part.GroupName),
    yesNo('Customer', 11, ({ part }) => part.IsCustomer),
    yesNo('Supplier', 11, ({ part }) => part.IsSupplier),
    yesNo('Other', 9, ({ part }) => part.IsOther),
    { heading: 'Created on', width: 17, cell: ({ part }) => moment(part.CreatedOn) },
    { heading: 'Changed on', width: 17, cell: ({ part }) => moment(part.ChangedOn) },
  ];
}

const contactColumns: readonly Column<Of<Contact>>[] = [
  text('First name', 16, ({ part }) => part.FirstName),
  text('Preposition', 13, ({ part }) => part.Preposition),
  text('Last name', 24, ({ part }) => part.LastName || part.FamilyName),
  text('E-mail', 32, ({ part }) => part.Email),
  text('Phone', 18, ({ part }) => part.Phone),
  text('Sex', 9, ({ part }) => part.Sex),
  yesNo('Default contact', 17, ({ part }) => part.DefaultContact),
  text('Notes', 40, ({ part }) => part.ContactNotes),
];

const bankAccountColumns: readonly Column<Of<BankAccount>>[] = [
  text('IBAN', 28, ({ part }) => part.IBAN),
  text('BIC', 14, ({ part }) => part.BIC),
  text('Account holder', 28, ({ part }) => part.Name),
  text('Place', 20, ({ part }) => part.Place),
  yesNo('Used for payments', 20, ({ part }) => part.UseForExcasso),
  yesNo('IBAN not checked', 18, ({ part }) => part.SkipIBANCheck),
];

const customFieldColumns: readonly Column<Of<CustomField>>[] = [
  text('Field', 24, ({ part }) => part.Label),
  { heading: 'Value', width: 36, cell: ({ part }) => customFieldCell(part) },
  text('Type', 13, ({ part }) => part.FieldType),
  text('Of role', 11, ({ part }) => part.TypeOfRelation),
];

/** The cell of a custom field. Its DataType says which member holds the value. */
function customFieldCell(field: CustomField): Cell {
  const stored = Object.values(customFieldStorage).find(({ dataType }) => dataType === field.DataType);
  const { kind, member } = stored ?? customFieldStorage.TextSmall;
  return (cells[kind] as (value: CustomField[typeof member]) => Cell)(field[member]);
}
