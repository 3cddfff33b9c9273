import type { ListedProduct } from '../../../shared/resources/productList.ts';
import type { Retry } from '../../excel/batch.ts';
import { textOfCell } from '../../excel/cell.ts';
import { appendRows } from '../../excel/tables/rowsBelow.ts';
import type { TableHandle } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { presentCells, type StockMode } from '../sheetColumns/productTable.ts';

/**
 * Adds a product to a product sheet, with its present values, unless a row names it already.
 * @param readOn when it was read, in UNIX seconds
 * @returns the number of its row, and whether it was there already
 * @throws WorkbookProblem
 */
export const addProduct = (
  handle: TableHandle,
  product: ListedProduct,
  readOn: string | null,
  mode: StockMode,
  messages: Messages,
  retry?: Retry,
): Promise<{ number: number; wasThere: boolean }> =>
  appendRows(
    handle,
    {
      rows: [
        {
          ArticleNumber: product.ArticleNumber,
          StockUpdateMode: messages.codes[mode],
          ...presentCells(product, readOn),
        },
      ],
      prefilled: ['StockUpdateMode'],
      isThere: ({ cells }) =>
        textOfCell(cells.get('ArticleNumber') ?? '').trim() === product.ArticleNumber ||
        (product.EAN !== '' && textOfCell(cells.get('EAN') ?? '').trim() === product.EAN),
    },
    retry,
  );
