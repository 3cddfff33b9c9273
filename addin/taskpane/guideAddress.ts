import { appAddress } from './appAddress.ts';
import type { Language } from './locales/words.ts';
import type { ViewName } from './viewNames.ts';

/** The page of the user guide for each view. */
export const guidePages: Readonly<Record<ViewName, string>> = {
  home: 'first-push',
  connect: 'connect',
  invoices: 'invoices',
  relations: 'lists',
  accounts: 'lists',
  taxCodes: 'lists',
  materialBookings: 'lists',
  exports: 'exports',
  trialBalance: 'ledger',
  accountCard: 'ledger',
  openItems: 'ledger',
  vatReturn: 'vat',
  auditfiles: 'audit-files',
  products: 'products',
  documentSheets: 'documents',
  push: 'push',
  activity: 'activity',
};

/** The address of the guide's page for a view: this app serves it. */
export const guideAddress = (language: Language, view: ViewName): string =>
  `${appAddress()}/taskpane/guide/${language}/${guidePages[view]}.html`;
