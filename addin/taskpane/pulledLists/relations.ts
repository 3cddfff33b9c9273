import { customFieldTypes } from '../../../shared/resources/customField.ts';
import { type Relation, relationKinds } from '../../../shared/resources/relation.ts';
import type { Messages } from '../locales/en.ts';
import type { Fields } from '../sheetColumns/columns.ts';
import { customValue } from '../sheetColumns/customFields.ts';
import { declareList, listTable } from './list.ts';

const LISTED_RELATIONS = 'listedRelations';

/** Identifying numbers are text: they keep their zeros and any number of digits. A number that is 0 is none. */
export const relationFields: Fields<Relation, keyof Messages['headings']['relations']> = {
  RelationGUID: ['text', 14],
  Name: ['text', 36],
  CustomerNumber: ['text', 17, ({ CustomerNumber }) => CustomerNumber || null],
  SupplierNumber: ['text', 17, ({ SupplierNumber }) => SupplierNumber || null],
  PrivateOrBusiness: ['code', relationKinds],
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

/** One of several parts of a relation, with its number from 1. */
type PartOf<Part> = Part & { relation: Relation; number: number };

const partsOf = <Part>(parts: (relation: Relation) => readonly Part[]) => {
  return () =>
    (relation: Relation): PartOf<Part>[] =>
      parts(relation).map((part, index) => ({ ...part, relation, number: index + 1 }));
};

type Contact = PartOf<Relation['Relation_Contact'][number]>;
type BankAccount = PartOf<Relation['Relation_BankAccount'][number]>;
type CustomField = PartOf<Relation['Relation_CustomField'][number]>;

/** The relation of a part, and the place of the part: together its key. */
const place: Fields<PartOf<unknown>, 'RelationGUID' | 'Line' | 'RelationName'> = {
  RelationGUID: ['text', 14, ({ relation }) => relation.RelationGUID],
  Line: ['integer', 7, ({ number }) => number],
  RelationName: ['text', 32, ({ relation }) => relation.Name],
};
const keys = ['RelationGUID', 'Line'] as const;

/** The present relations, one a row, with further tables for what a relation may have several of. */
export const relations = declareList({
  view: 'relations',
  endpoint: 'listrelations',
  filters: {
    RelationType: { kind: 'choice', choices: ['Customer', 'Supplier'] },
    RelationName: { kind: 'text' },
    RelationNumber: { kind: 'text' },
    RelationEmail: { kind: 'text' },
    RelationVAT: { kind: 'text' },
    RelationGUID: { kind: 'number' },
    SearchOperand: { kind: 'choice', choices: ['OR'] },
    ChangedSince: { kind: 'since' },
    CreatedSince: { kind: 'since' },
  },
  table: listTable<Relation>()(LISTED_RELATIONS, 'relations', relationFields, { keys: ['RelationGUID'], frozen: 2 }),
  further: {
    WithContacts: {
      table: listTable<Relation, Contact>()(
        'relationContacts',
        'relationContacts',
        {
          ...place,
          FirstName: ['text', 16],
          Preposition: ['text', 12],
          LastName: ['text', 20],
          FamilyName: ['text', 20],
          Sex: ['text', 10],
          Email: ['text', 30],
          Phone: ['text', 16],
          DefaultContact: ['boolean', 12],
          ContactNotes: ['rich text', 30],
        },
        { keys, frozen: 3, itemsOf: partsOf(({ Relation_Contact }) => Relation_Contact) },
      ),
    },
    WithBankAccounts: {
      table: listTable<Relation, BankAccount>()(
        'relationBankAccounts',
        'relationBankAccounts',
        {
          ...place,
          IBAN: ['text', 26],
          BIC: ['text', 14],
          Name: ['text', 28],
          Place: ['text', 18],
          UseForExcasso: ['boolean', 14],
          SkipIBANCheck: ['boolean', 14],
        },
        { keys, frozen: 3, itemsOf: partsOf(({ Relation_BankAccount }) => Relation_BankAccount) },
      ),
    },
    WithCustomFields: {
      table: listTable<Relation, CustomField>()(
        'relationCustomFields',
        'relationCustomFields',
        {
          ...place,
          Label: ['text', 24],
          Value: ['text', 30, customValue],
          FieldType: ['code', customFieldTypes],
          TypeOfRelation: ['code', ['Customer', 'Supplier']],
        },
        { keys, frozen: 3, itemsOf: partsOf(({ Relation_CustomField }) => Relation_CustomField) },
      ),
    },
  },
  keyOf: ({ RelationGUID }) => String(RelationGUID),
});
