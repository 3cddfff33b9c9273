import type { ComponentType } from 'react';
import { loadPart } from '../loadPart.ts';
import type { Connected } from '../paneContext.ts';
import type { PulledList } from '../pulledLists/list.ts';
import { lists } from '../pulledLists/lists.ts';
import type { WorkView } from '../viewNames.ts';

type View = ComponentType<Connected>;

/** The view of a list that has nothing of its own. */
const viewOf = async (list: PulledList): Promise<View> => {
  const { ListView } = await import('./pullList/ListView.tsx');
  return ({ connection }) => <ListView connection={connection} list={list} />;
};

const ledgerViewOf = async (list: PulledList): Promise<View> =>
  (await import('./pullList/ledgerView.tsx')).ledgerView(list);

/** The views by their names in viewNames.ts. Each is loaded when it is opened. */
const loaders: Readonly<Record<WorkView, () => Promise<View>>> = {
  invoices: async () => (await import('./pullList/InvoicesView.tsx')).InvoicesView,
  relations: () => viewOf(lists.relations),
  accounts: () => viewOf(lists.accounts),
  taxCodes: () => viewOf(lists.taxCodes),
  materialBookings: () => viewOf(lists.materialBookings),
  trialBalance: () => ledgerViewOf(lists.trialBalance),
  accountCard: () => ledgerViewOf(lists.accountCard),
  openItems: () => ledgerViewOf(lists.openItems),
  vatReturn: async () => (await import('./pullList/VatReturnView.tsx')).VatReturnView,
  auditfiles: async () => (await import('./auditfilesView/AuditfilesView.tsx')).AuditfilesView,
  exports: async () => (await import('./ExportsView.tsx')).ExportsView,
  products: async () => (await import('./makeSheet/ProductsView.tsx')).ProductsView,
  documentSheets: async () => (await import('./makeSheet/DocumentSheetsView.tsx')).DocumentSheetsView,
  push: async () => (await import('./pushSheet/PushView.tsx')).PushView,
  activity: async () => (await import('./activity/ActivityView.tsx')).ActivityView,
};

const loaded = new Map<WorkView, View>();

/** A view that was loaded before; it is shown at once. */
export const loadedView = (name: WorkView): View | undefined => loaded.get(name);

/** Loads a view. @throws NotLoaded */
export async function loadView(name: WorkView): Promise<View> {
  const view = loaded.get(name) ?? (await loadPart(loaders[name]()));
  loaded.set(name, view);
  return view;
}
