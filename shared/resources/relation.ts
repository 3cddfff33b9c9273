import type { z } from 'zod';
import * as answer from '../wire/answer.ts';
import * as field from '../wire/field.ts';
import { relationCustomField } from './customField.ts';

const relationSortings = [
  'RelationGUID',
  'CreatedDate',
  'ChangedDate',
  'CustomerNumber',
  'SupplierNumber',
  'RelationName',
] as const;

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

export const relationContact = answer.record(() => ({
  Email: answer.text(),
  Phone: answer.text(),
  Sex: answer.text(),
  LastName: answer.text(),
  FamilyName: answer.text(),
  FirstName: answer.text(),
  Preposition: answer.text(),
  ContactNotes: answer.text(),
  DefaultContact: answer.boolean(),
}));

export const relationBankAccount = answer.record(() => ({
  IBAN: answer.text(),
  SkipIBANCheck: answer.boolean(),
  UseForExcasso: answer.boolean(),
  BIC: answer.text(),
  Place: answer.text(),
  Name: answer.text(),
}));

export const relation = answer.record(() => ({
  RelationGUID: answer.long(),
  Name: answer.text(),
  PrivateOrBusiness: answer.choice('PrivateRelation', 'BusinessRelation'),
  Email: answer.text(),
  Phone: answer.text(),
  Address_City: answer.text(),
  Address_Street: answer.text(),
  Address_PostalCode: answer.text(),
  Address_Unit: answer.text(),
  Address_UnitAppendix: answer.text(),
  Address_CountryCode: answer.text(),
  GroupName: answer.text(),
  IsCustomer: answer.boolean(),
  IsSupplier: answer.boolean(),
  IsOther: answer.boolean(),
  CustomerNumber: answer.integer(),
  SupplierNumber: answer.integer(),
  RegistrationNumber: answer.text(),
  TaxIdentificationNumber: answer.text(),
  CreatedOn: answer.long(),
  ChangedOn: answer.long(),
  Relation_Contact: answer.list(relationContact),
  Relation_CustomField: answer.list(relationCustomField),
  Relation_BankAccount: answer.list(relationBankAccount),
}));
export type Relation = z.output<typeof relation>;
