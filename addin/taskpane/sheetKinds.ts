import type { TableHandle } from '../excel/tables/tableMemory.ts';
import { requestKind, rowKind } from './documentSheet/requestKind.ts';
import { productKind } from './productSheet/productKind.ts';
import type { SheetKind } from './push/sheetKind.ts';
import { PRODUCTS } from './sheetColumns/productTable.ts';
import { requestSheets } from './sheetColumns/requestSheets.ts';

/** The kinds of sheets whose rows are pushed, by the view that their tables store. */
export const pushedKinds: Readonly<Record<string, SheetKind>> = {
  [PRODUCTS]: productKind,
  ...Object.fromEntries(
    Object.values(requestSheets).map(({ view, lines }) => [view, lines === undefined ? rowKind : requestKind]),
  ),
};

export const isPushed = ({ memory }: TableHandle): boolean => Object.hasOwn(pushedKinds, memory.view);

/** The kind of a sheet whose rows are pushed. */
export const sheetKindOf = ({ memory }: TableHandle): SheetKind => pushedKinds[memory.view]!;
