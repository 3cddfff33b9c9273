import type { ComponentType } from 'react';
import type { Messages } from './locales/en.ts';
import type { Connected } from './paneTools.ts';
import { AccountsView } from './views/AccountsView.tsx';
import { ExportsView } from './views/ExportsView.tsx';
import { InvoicesView } from './views/InvoicesView.tsx';
import { ProductsView } from './views/ProductsView.tsx';
import { PushView } from './views/PushView.tsx';

type View = {
  group: 'pull' | 'change';
  title: (messages: Messages) => string;
  summary: (messages: Messages) => string;
  component: ComponentType<Connected>;
};

/** What the pane can do; the buttons of the ribbon open one of these by name. A new one is a row here. */
const table = {
  accounts: {
    group: 'pull',
    title: ({ accounts }) => accounts.title,
    summary: ({ accounts }) => accounts.summary,
    component: AccountsView,
  },
  invoices: {
    group: 'pull',
    title: ({ invoices }) => invoices.title,
    summary: ({ invoices }) => invoices.summary,
    component: InvoicesView,
  },
  exports: {
    group: 'pull',
    title: ({ exports }) => exports.title,
    summary: ({ exports }) => exports.summary,
    component: ExportsView,
  },
  products: {
    group: 'change',
    title: ({ products }) => products.title,
    summary: ({ products }) => products.summary,
    component: ProductsView,
  },
  push: {
    group: 'change',
    title: ({ push }) => push.title,
    summary: ({ push }) => push.summary,
    component: PushView,
  },
} as const satisfies Record<string, View>;

export type ViewName = keyof typeof table | 'home' | 'connect';

export const views: Readonly<Record<keyof typeof table, View>> = table;
export const viewNames = Object.keys(table) as (keyof typeof table)[];

/** The view an address asks for; home when there is no such view. */
export const viewNamed = (name: string | null): ViewName => viewNames.find((known) => known === name) ?? 'home';
