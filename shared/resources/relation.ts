import type * as z from 'zod/mini';
import * as field from '../wire/field.ts';
import * as response from '../wire/response.ts';
import { relationCustomField } from './customField.ts';

const relationSortings = [
  'RelationGUID',
  'CreatedDate',
  'ChangedDate',
  'CustomerNumber',
  'SupplierNumber',
  'RelationName',
] as const;

export const relationKinds = ['PrivateRelation', 'BusinessRelation'] as const;

export const MAX_RELATIONS = 200;

export const relationQuery = field.object(() => ({
  RelationType: field.otherwise(field.choice('All', 'Supplier', 'Customer'), 'All'),
  RelationNumber: field.optionalText(),
  RelationName: field.optionalText(),
  RelationEmail: field.optionalText(),
  /** Compared without country code, separators and additions such as B01. */
  RelationVAT: field.optionalText(),
  RelationGUID: field.optional(field.long()),
  SearchOperand: field.otherwise(field.choice('AND', 'OR'), 'AND'),
  ChangedSince: field.optional(field.long()),
  CreatedSince: field.optional(field.long()),
  Limit: field.optional(field.integer({ min: 1, clamped: true })),
  Offset: field.optional(field.integer({ min: 0 })),
  Sorting: field.otherwise(field.choice(...relationSortings), 'RelationGUID'),
  SortDir: field.choiceOr('DESC', 'ASC'),
}));
export type RelationQuery = z.output<typeof relationQuery>;

export const relationContact = response.record(() => ({
  Email: response.text(),
  Phone: response.text(),
  Sex: response.text(),
  LastName: response.text(),
  FamilyName: response.text(),
  FirstName: response.text(),
  Preposition: response.text(),
  ContactNotes: response.text(),
  DefaultContact: response.boolean(),
}));

export const relationBankAccount = response.record(() => ({
  IBAN: response.text(),
  SkipIBANCheck: response.boolean(),
  UseForExcasso: response.boolean(),
  BIC: response.text(),
  Place: response.text(),
  Name: response.text(),
}));

export const relation = response.record(() => ({
  RelationGUID: response.long(),
  Name: response.text(),
  PrivateOrBusiness: response.choice(...relationKinds),
  Email: response.text(),
  Phone: response.text(),
  Address_City: response.text(),
  Address_Street: response.text(),
  Address_PostalCode: response.text(),
  Address_Unit: response.text(),
  Address_UnitAppendix: response.text(),
  Address_CountryCode: response.text(),
  GroupName: response.text(),
  IsCustomer: response.boolean(),
  IsSupplier: response.boolean(),
  IsOther: response.boolean(),
  CustomerNumber: response.integer(),
  SupplierNumber: response.integer(),
  RegistrationNumber: response.text(),
  TaxIdentificationNumber: response.text(),
  CreatedOn: response.long(),
  ChangedOn: response.long(),
  Relation_Contact: response.list(relationContact),
  Relation_CustomField: response.list(relationCustomField),
  Relation_BankAccount: response.list(relationBankAccount),
}));
export type Relation = z.output<typeof relation>;
