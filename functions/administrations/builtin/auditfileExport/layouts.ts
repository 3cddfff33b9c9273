import type { AuditfileVersion } from '../../../../shared/resources/generalLedger/auditfileYear.ts';
import { namespaces } from '../import/auditfile/namespaces.ts';
import { textLengths } from '../import/relationFiles/textsOfAuditfiles.ts';

/** The elements of a record in their order: the most characters of each (0: any number), or its own elements. */
export type Layout = { readonly [element: string]: number | Layout };

/** A version of the audit file: its namespace, and the elements of its records that are written. */
type VersionLayout = {
  namespace: string;
  header: Layout;
  company: Layout;
  customerSupplier: Layout;
  ledgerAccount: Layout;
  vatCode: Layout;
  period: Layout;
  openingBalance: Layout;
  obLine: Layout;
  transactions: Layout;
  journal: Layout;
  transaction: Layout;
};

const address = (streetname: number): Layout => ({
  streetname,
  number: textLengths.unit,
  numberExtension: textLengths.unit_appendix,
  city: textLengths.city,
  postalCode: textLengths.postal_code,
  country: 2,
});

const header: Layout = {
  fiscalYear: 9,
  startDate: 10,
  endDate: 10,
  curCode: 3,
  dateCreated: 10,
  softwareDesc: 50,
  softwareVersion: 20,
};
const taxRegistration: Layout = { taxRegistrationCountry: 2, taxRegIdent: textLengths.vat_number };
const vatAccounts: Layout = { vatToPayAccID: 35, vatToClaimAccID: 35 };
const period: Layout = { periodNumber: 3, startDatePeriod: 10, endDatePeriod: 10 };
const totals: Layout = { linesCount: 10, totalDebit: 21, totalCredit: 21 };
const amount: Layout = { amnt: 21, amntTp: 1 };
const obLine: Layout = { nr: 35, accID: 35, ...amount };
const journal: Layout = { jrnID: 35, desc: 0, jrnTp: 2, offsetAccID: 35 };
const transaction = (trLine: Layout): Layout => ({ nr: 35, desc: 0, periodNumber: 3, trDt: 10, trLine });
const vat: Layout = { vatID: 35, vatPerc: 9, vatAmnt: 21, vatAmntTp: 1 };

/** By version. `layouts.test.ts` compares them with the official schemas. */
export const layouts: Record<AuditfileVersion, VersionLayout> = {
  '4.0': {
    namespace: namespaces['4.0'],
    header,
    company: { Commercenr: 100, companyName: 255, ...taxRegistration, streetAddress: address(100) },
    customerSupplier: {
      custSupID: 35,
      custSupName: textLengths.name,
      eMail: 0,
      commerceNr: textLengths.registration_number,
      ...taxRegistration,
      custSupTp: 1,
      streetAddress: address(textLengths.street),
    },
    ledgerAccount: { accID: 35, accDesc: 255, accTp: 2 },
    vatCode: { vatID: 35, vatDesc: 100, ...vatAccounts },
    period,
    openingBalance: totals,
    obLine,
    transactions: totals,
    journal,
    transaction: transaction({
      nr: 35,
      accID: 35,
      docRef: 255,
      effDate: 10,
      desc: 0,
      ...amount,
      custSupID: 35,
      invRef: 255,
      cost: 999,
      vat,
    }),
  },
  '3.2': {
    namespace: namespaces['3.2'],
    header,
    company: { companyName: 999, ...taxRegistration, streetAddress: address(999) },
    customerSupplier: {
      custSupID: 35,
      custSupName: textLengths.name,
      telephone: textLengths.phone,
      eMail: 0,
      commerceNr: 999,
      ...taxRegistration,
      custSupTp: 1,
      streetAddress: address(999),
      bankAccount: { bankAccNr: 35, bankIdCd: 35 },
    },
    ledgerAccount: { accID: 35, accDesc: 999, accTp: 2 },
    vatCode: { vatID: 35, vatDesc: 999, ...vatAccounts },
    period,
    openingBalance: { opBalDate: 10, ...totals },
    obLine,
    transactions: totals,
    journal,
    transaction: transaction({
      nr: 35,
      accID: 35,
      docRef: 999,
      effDate: 10,
      desc: 0,
      ...amount,
      custSupID: 35,
      invRef: 999,
      costID: 35,
      vat,
    }),
  },
};
