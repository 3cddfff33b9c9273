import { createContext, use } from 'react';
import type { Workbook } from '../workbook/workbook.ts';
import type { Actions } from './editing/actions.ts';
import type { PageMessages } from './pageMessages.ts';

/** The context of every part of the page. */
export type Page = { workbook: Workbook; messages: PageMessages; actions: Actions };

export const PageContext = createContext<Page | undefined>(undefined);

export const usePage = (): Page => use(PageContext)!;
