import type { Retry } from '../batch.ts';
import { inTable, type Place, stayAt } from '../tables/locateTable.ts';
import type { TableHandle } from '../tables/tableMemory.ts';

/** The fill of a marked cell. */
export const MARK_FILL = '#FDE0DD';

/** The most cells that are marked: of a sheet that is wrong from top to bottom, the first are enough. */
const MAX_MARKED = 500;

/** A cell to mark: the number of its row in the sheet, and the key of its column. */
export type MarkedCell = { number: number; column: string };

/**
 * Marks cells of a table, and removes the marks of an earlier call wherever their cells are by now, since users sort.
 * Other fills stay.
 * @param columns the keys of the columns that may have marks
 * @throws WorkbookProblem
 */
export function markCells(
  handle: TableHandle,
  columns: readonly string[],
  cells: readonly MarkedCell[],
  retry?: Retry,
): Promise<void> {
  return inTable(
    handle,
    async (context, place) => {
      const present = columns.flatMap((key) => place.columns.get(key) ?? []);
      const request = await clearMarks(context, place, present, MARK_FILL);
      for (const { number, column } of cells.slice(0, MAX_MARKED)) {
        const [index, row] = [place.columns.get(column), number - 1 - place.top];
        if (index === undefined || row < 0 || row >= place.rows) continue;
        rangeOf(place, index, row, 1).format.fill.color = MARK_FILL;
      }
      await request.sync();
    },
    retry,
  );
}

/** Neighbouring cells of a column. */
type Cells = { column: number; start: number; count: number };

const rangeOf = ({ sheet, top, left }: Place, column: number, start: number, count: number): Excel.Range =>
  sheet.getRangeByIndexes(top + start, left + column, count, 1);

/** Looking at a range and clearing another take some 1500 bytes of a request, which may have 5 MB. */
const MAX_RANGES_PER_REQUEST = 1500;

/**
 * Removes the fill of marked cells, wherever they are by now: the fill of a range is empty when its cells differ; such a
 * range is halved until they do not, so a few marks in many rows take a few small requests. Takes some syncs.
 * @returns the request that removes the last ones, which throws TableMoved as the others do
 */
export async function clearMarks(
  context: Excel.RequestContext,
  place: Place,
  columns: readonly number[],
  markFill: string,
): Promise<ReturnType<typeof stayAt>> {
  let request = stayAt(context, place);
  const waiting: Cells[] = columns.map((column) => ({ column, start: 0, count: place.rows }));
  while (waiting.length > 0) {
    const looked = waiting.splice(0, MAX_RANGES_PER_REQUEST).map((cells) => {
      const { fill } = rangeOf(place, cells.column, cells.start, cells.count).format;
      fill.load({ color: true });
      return { cells, fill };
    });
    await request.sync();
    request = stayAt(context, place);
    for (const { cells, fill } of looked) {
      if (fill.color?.toUpperCase() === markFill) fill.clear();
      if (!fill.color && cells.count > 1) waiting.push(...halvesOf(cells));
    }
  }
  return request;
}

function halvesOf({ column, start, count }: Cells): Cells[] {
  const first = Math.ceil(count / 2);
  return [
    { column, start, count: first },
    { column, start: start + first, count: count - first },
  ];
}
