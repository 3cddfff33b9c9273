import { customFieldStorage } from '../../../shared/resources/customField.ts';
import type { Relation } from '../../../shared/resources/relation.ts';
import type { Words } from '../../../shared/wire/language.ts';
import { type Cell, cells, momentsIn } from '../xlsx/cell.ts';
import { type Column, type Sheet, type WorkbookOptions, workbook } from '../xlsx/workbook.ts';
import { headings, sheetNames } from './workbookWords.ts';

export type RelationsWorkbookOptions = WorkbookOptions & {
  signal?: AbortSignal;
  /** The time zone of moments: an IANA name. */
  zone?: string;
};

/**
 * The relations of an administration as the bytes of an .xlsx workbook: sheets of relations, contacts,
 * bank accounts and custom fields. Each sheet begins with the RelationGUID, for look-ups, and the name.
 * Numbers that identify something are text. It is in English, and has another end for each other language.
 * @param relations in batches; their cells are in temporary files, not in memory
 * @throws the failure of reading, the signal's reason, or RangeError for a workbook of 4 GB
 */
export function relationsWorkbook(
  relations: AsyncIterable<readonly Relation[]>,
  { signal, zone = 'Europe/Amsterdam', ...options }: RelationsWorkbookOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const sheet = <Part>(
    name: Words,
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
      sheet(sheetNames.relations, (relation) => [relation], relationColumns(zone)),
      sheet(sheetNames.contacts, ({ Relation_Contact }) => Relation_Contact, contactColumns),
      sheet(sheetNames.bankAccounts, ({ Relation_BankAccount }) => Relation_BankAccount, bankAccountColumns),
      sheet(sheetNames.customFields, ({ Relation_CustomField }) => Relation_CustomField, customFieldColumns),
    ],
    options,
  );
}

type Contact = Relation['Relation_Contact'][number];
type BankAccount = Relation['Relation_BankAccount'][number];
type CustomField = Relation['Relation_CustomField'][number];

/** A part of a relation, with that relation. */
type Of<Part> = { relation: Relation; part: Part };

const text = <Row>(heading: Words, width: number, value: (row: Row) => string | number | null): Column<Row> => ({
  heading,
  width,
  isText: true,
  cell: (row) => value(row)?.toString(),
});
const yesNo = <Row>(heading: Words, width: number, value: (row: Row) => boolean | null): Column<Row> => ({
  heading,
  width,
  cell: (row) => cells.boolean(value(row)),
});

const keyColumns: readonly Column<{ relation: Relation }>[] = [
  text(headings.relationId, 14, ({ relation }) => relation.RelationGUID),
  text(headings.name, 36, ({ relation }) => relation.Name),
];

function relationColumns(zone: string): Column<Of<Relation>>[] {
  const moment = momentsIn(zone);
  return [
    text(headings.customerNumber, 17, ({ part }) => part.CustomerNumber || null),
    text(headings.supplierNumber, 17, ({ part }) => part.SupplierNumber || null),
    text(headings.kind, 18, ({ part }) => part.PrivateOrBusiness),
    text(headings.vatNumber, 19, ({ part }) => part.TaxIdentificationNumber),
    text(headings.registrationNumber, 20, ({ part }) => part.RegistrationNumber),
    text(headings.email, 32, ({ part }) => part.Email),
    text(headings.phone, 18, ({ part }) => part.Phone),
    text(headings.street, 28, ({ part }) => part.Address_Street),
    text(headings.houseNumber, 15, ({ part }) => part.Address_Unit),
    text(headings.addition, 11, ({ part }) => part.Address_UnitAppendix),
    text(headings.postalCode, 13, ({ part }) => part.Address_PostalCode),
    text(headings.city, 22, ({ part }) => part.Address_City),
    text(headings.country, 10, ({ part }) => part.Address_CountryCode),
    text(headings.group, 20, ({ part }) => part.GroupName),
    yesNo(headings.customer, 11, ({ part }) => part.IsCustomer),
    yesNo(headings.supplier, 11, ({ part }) => part.IsSupplier),
    yesNo(headings.other, 9, ({ part }) => part.IsOther),
    { heading: headings.createdOn, width: 17, cell: ({ part }) => moment(part.CreatedOn) },
    { heading: headings.changedOn, width: 17, cell: ({ part }) => moment(part.ChangedOn) },
  ];
}

const contactColumns: readonly Column<Of<Contact>>[] = [
  text(headings.firstName, 16, ({ part }) => part.FirstName),
  text(headings.preposition, 13, ({ part }) => part.Preposition),
  text(headings.lastName, 24, ({ part }) => part.LastName || part.FamilyName),
  text(headings.email, 32, ({ part }) => part.Email),
  text(headings.phone, 18, ({ part }) => part.Phone),
  text(headings.sex, 9, ({ part }) => part.Sex),
  yesNo(headings.defaultContact, 17, ({ part }) => part.DefaultContact),
  text(headings.notes, 40, ({ part }) => part.ContactNotes),
];

const bankAccountColumns: readonly Column<Of<BankAccount>>[] = [
  text(headings.iban, 28, ({ part }) => part.IBAN),
  text(headings.bic, 14, ({ part }) => part.BIC),
  text(headings.accountHolder, 28, ({ part }) => part.Name),
  text(headings.place, 20, ({ part }) => part.Place),
  yesNo(headings.usedForPayments, 20, ({ part }) => part.UseForExcasso),
  yesNo(headings.ibanNotChecked, 18, ({ part }) => part.SkipIBANCheck),
];

const customFieldColumns: readonly Column<Of<CustomField>>[] = [
  text(headings.field, 24, ({ part }) => part.Label),
  { heading: headings.value, width: 36, cell: ({ part }) => customFieldCell(part) },
  text(headings.type, 13, ({ part }) => part.FieldType),
  text(headings.role, 11, ({ part }) => part.TypeOfRelation),
];

/** The cell of a custom field. Its DataType says which member holds the value. */
function customFieldCell(field: CustomField): Cell {
  const stored = Object.values(customFieldStorage).find(({ dataType }) => dataType === field.DataType);
  const { kind, member } = stored ?? customFieldStorage.TextSmall;
  return (cells[kind] as (value: CustomField[typeof member]) => Cell)(field[member]);
}
