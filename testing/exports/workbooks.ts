import { buffer } from 'node:stream/consumers';
import readWorkbook from 'read-excel-file/node';
import { type RelationsWorkbookOptions, relationsWorkbook } from '../../functions/exports/run/relationsWorkbook.ts';
import { type Relation, relation as relationSchema } from '../../shared/resources/relation.ts';

export const relation = (fields: object): Relation => relationSchema.parse({ RelationGUID: '1', ...fields });

export async function* pagesOf(relations: Iterable<Relation>, size = 100): AsyncGenerator<Relation[]> {
  let page: Relation[] = [];
  for (const one of relations) {
    if (page.push(one) < size) continue;
    yield page;
    page = [];
  }
  yield page;
}

export const workbookOf = (relations: Iterable<Relation>, options: RelationsWorkbookOptions = {}): Promise<Buffer> =>
  buffer(relationsWorkbook(pagesOf(relations), options));

/** The rows of each sheet by their headings, as another library reads the workbook. */
export async function sheetsOf(file: Buffer): Promise<Record<string, Record<string, unknown>[]>> {
  const sheets = await readWorkbook(file, { trim: false });
  return Object.fromEntries(
    sheets.map(({ sheet, data: [headings = [], ...rows] }) => [
      sheet,
      rows.map((cells) =>
        Object.fromEntries(headings.map((heading, column) => [String(heading), rounded(cells[column])])),
      ),
    ]),
  );
}

/** A serial number stores most moments with a small error. */
const rounded = (cell: unknown): unknown =>
  cell instanceof Date ? new Date(Math.round(cell.getTime() / 1000) * 1000) : cell;

/** Texts that programs may read as something else. */
export const ambiguousTexts = [
  '0100',
  '1-2',
  '1e5',
  '+31 6 12345678',
  "=cmd|' /C calc'!A0",
  '=1+1',
  '@SUM(A1)',
  "'t Hoekje",
  ' spaces around ',
  'two\nlines',
  'carriage\r\nreturn',
  'a\ttab',
  '<b>&amp;</b> ]]>',
  '_x0041_',
  '_x005F_x0041_',
  'bell \u0007',
  'Zoë 👩‍👩‍👧 ﷽',
  'TRUE',
  '#N/A',
];
