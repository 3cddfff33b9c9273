import { accountCard } from './accountCard.ts';
import { accounts } from './accounts.ts';
import { invoices } from './invoices.ts';
import type { ListTable, ListViewName, PulledList } from './list.ts';
import { materialBookings } from './materialBookings.ts';
import { openItems } from './openItems.ts';
import { relations } from './relations.ts';
import { taxCodes } from './taxCodes.ts';
import { trialBalance } from './trialBalance.ts';
import { vatReturn } from './vatReturn.ts';

/** Every list that can be pulled, by the name of its view. */
export const lists: Readonly<Record<ListViewName, PulledList>> = {
  accounts,
  taxCodes,
  relations,
  invoices,
  materialBookings,
  trialBalance,
  accountCard,
  openItems,
  vatReturn,
};

const byTable = new Map(
  Object.values(lists).flatMap((list) => {
    const tables: ListTable[] = [list.table, ...Object.values(list.further).map(({ table }) => table)];
    return tables.map(({ name }) => [name, list] as const);
  }),
);

/** The list that a table shows; undefined for any other table. */
export const listOfTable = (name: string): PulledList | undefined => byTable.get(name);
