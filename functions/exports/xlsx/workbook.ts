import { MOST_ROWS } from '../../../shared/spreadsheet.ts';
import { type ArchivePart, archive } from './archive.ts';
import { type Cell, cellXml, textXml } from './cell.ts';
import { contentTypesXml, packageRelationsXml, workbookRelationsXml, workbookXml } from './parts.ts';
import { styleNumber, stylesXml } from './styles.ts';

export type Column<Row> = {
  heading: string;
  /** In characters. */
  width: number;
  /** Whether cells without anything in them are text as well. */
  isText?: boolean;
  cell: (row: Row) => Cell;
};

/** A sheet as it is to be: a row of headings that stays in sight with the first columns, and its rows as they come in. */
export type Sheet<Row> = {
  name: string;
  columns: readonly Column<Row>[];
  /** Columns at the left that stay in sight while the others scroll. */
  frozen: number;
  rows: () => AsyncIterable<readonly Row[]>;
};

export type WorkbookOptions = {
  /** Told of each text that was too long for a cell, and ends in an ellipsis now. */
  onCut?: () => void;
  /** Rows on one sheet, its headings among them. */
  mostRows?: number;
};

/** Characters of XML after which a sheet goes on as another: at three bytes each it is less than a zip file holds. */
const MOST_SHEET_CHARACTERS = 2 ** 30;
/** Characters of XML that are compressed at a time. */
const PIECE = 65_536;

/** A sheet that was written: where its filter is. */
export type WrittenSheet = { name: string; filter: string };

/**
 * The bytes of an .xlsx workbook while it is made: of the rows only a few are held at a time. Rows that do not fit on
 * their sheet go on on a second one, `Contacts 2`.
 */
export function workbook(
  // biome-ignore lint/suspicious/noExplicitAny: each sheet has rows of its own
  sheets: readonly Sheet<any>[],
  { onCut = () => {}, mostRows = MOST_ROWS }: WorkbookOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const written: WrittenSheet[] = [];
  return archive(
    (async function* (): AsyncGenerator<ArchivePart> {
      yield { name: 'xl/styles.xml', text: [DECLARATION, stylesXml()] };
      for (const sheet of sheets) {
        const rows = coming(sheet.rows());
        try {
          for (let number = 1; number === 1 || (await rows.isComing()); number++) {
            const entry = { name: number === 1 ? sheet.name : `${sheet.name} ${number}`, filter: '' };
            written.push(entry);
            const text = sheetXml(sheet, rows, { onCut, mostRows, onFilter: (range) => (entry.filter = range) });
            yield { name: `xl/worksheets/sheet${written.length}.xml`, text };
          }
        } finally {
          await rows.close();
        }
      }
      yield { name: 'xl/workbook.xml', text: [DECLARATION, workbookXml(written)] };
      yield { name: 'xl/_rels/workbook.xml.rels', text: [DECLARATION, workbookRelationsXml(written.length)] };
      yield { name: '_rels/.rels', text: [DECLARATION, packageRelationsXml()] };
      yield { name: '[Content_Types].xml', text: [DECLARATION, contentTypesXml(written.length)] };
    })(),
  );
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Rows that come in pages, to be taken one by one; that there is a further sheet depends on whether there is a next one. */
type Coming<Row> = {
  /** Whether the next one can be taken at once. */
  isHere: () => boolean;
  /** Waits for the next one; false when there is none. */
  isComing: () => Promise<boolean>;
  take: () => Row;
  close: () => Promise<unknown>;
};

function coming<Row>(pages: AsyncIterable<readonly Row[]>): Coming<Row> {
  const iterator = pages[Symbol.asyncIterator]();
  let page: readonly Row[] = [];
  let taken = 0;
  const isHere = () => taken < page.length;
  return {
    isHere,
    async isComing() {
      while (!isHere()) {
        const next = await iterator.next();
        if (next.done) return false;
        page = next.value;
        taken = 0;
      }
      return true;
    },
    take: () => page[taken++]!,
    close: async () => iterator.return?.(),
  };
}

type SheetOptions = Required<WorkbookOptions> & { onFilter: (range: string) => void };

/** The XML of one sheet, row by row, until there are no more rows or they no longer fit. */
async function* sheetXml<Row>(
  { columns, frozen }: Sheet<Row>,
  rows: Coming<Row>,
  { onCut, mostRows, onFilter }: SheetOptions,
): AsyncGenerator<string> {
  const letters = columns.map((_, index) => columnLetters(index));
  yield `${DECLARATION}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`;
  yield `<sheetViews><sheetView workbookViewId="0"><pane xSplit="${frozen}" ySplit="1" topLeftCell="${columnLetters(frozen)}2" activePane="bottomRight" state="frozen"/></sheetView></sheetViews>`;
  yield `<sheetFormatPr defaultRowHeight="15"/><cols>${columns.map(columnXml).join('')}</cols><sheetData>`;
  yield `<row r="1">${columns.map(({ heading }, index) => textXml(`${letters[index]}1`, heading, 'heading')).join('')}</row>`;

  let last = 1;
  let characters = 0;
  let xml = '';
  while (last < mostRows && characters < MOST_SHEET_CHARACTERS && (rows.isHere() || (await rows.isComing()))) {
    const row = rows.take();
    last++;
    const cells = columns.map(({ cell }, index) => cellXml(`${letters[index]}${last}`, cell(row), onCut));
    xml += `<row r="${last}">${cells.join('')}</row>`;
    if (xml.length < PIECE) continue;
    characters += xml.length;
    yield xml;
    xml = '';
  }
  yield xml;

  const range = `A1:${letters.at(-1)}${last}`;
  onFilter(range);
  yield `</sheetData><autoFilter ref="${range}"/>`;
  // Numbers as text are labels here, no mistake: without this Excel marks each of them with a green corner.
  yield `<ignoredErrors><ignoredError sqref="${range}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
}

const columnXml = ({ width, isText = false }: Column<never>, index: number): string =>
  `<col min="${index + 1}" max="${index + 1}" width="${width}"${isText ? ` style="${styleNumber('text')}"` : ''} customWidth="1"/>`;

/** 0 is A, 26 is AA. */
function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last;
}
