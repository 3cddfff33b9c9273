import { columnLetters, MAX_SHEET_ROWS } from '../../../shared/spreadsheet.ts';
import { archive, smallPart } from './archive.ts';
import { type Cell, cellXml, textXml } from './cell.ts';
import { type Compressed, compressedFile } from './compressed.ts';
import { contentTypesXml, packageRelationsXml, workbookRelationsXml, workbookXml } from './parts.ts';
import { styleNumber, stylesXml } from './styles.ts';

export type Column<Row> = {
  heading: string;
  /** In characters. */
  width: number;
  /** Whether empty cells have the text format too. */
  isText?: boolean;
  cell: (row: Row) => Cell;
};

/** A sheet to write: headings and first columns that stay visible, and its rows. */
export type Sheet<Item, Row> = {
  name: string;
  columns: readonly Column<Row>[];
  /** Columns at the left that stay visible while the others scroll. */
  frozen: number;
  /** The rows of one item. */
  rows: (item: Item) => readonly Row[];
};

type WorkbookOptions = {
  /** Called for each text that was too long for a cell and was cut. */
  onCut?: () => void;
  /** Rows of a sheet, including its headings. */
  maxRows?: number;
};

/** Characters of XML after which a further sheet begins: at three bytes each this fits into a zip file. */
const MAX_SHEET_CHARACTERS = 2 ** 30;
/** Characters of XML in a compressed piece. */
const PIECE = 131_072;

/** A written sheet: the range of its filter, and its XML. */
type WrittenSheet = { name: string; filter: string; xml: Compressed };

/**
 * The bytes of an .xlsx workbook about items that come in batches. Each batch is read
 * once, and its rows go to all sheets, which are compressed in temporary files until the last batch is read. Rows that
 * do not fit on their sheet continue on a second one, `Contacts 2`.
 */
export async function* workbook<Item>(
  items: AsyncIterable<readonly Item[]>,
  // biome-ignore lint/suspicious/noExplicitAny: each sheet has rows of its own
  sheets: readonly Sheet<Item, any>[],
  { onCut = () => {}, maxRows = MAX_SHEET_ROWS }: WorkbookOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const writers = sheets.map((sheet) => sheetWriter(sheet, { onCut, maxRows }));
  try {
    for await (const some of items) {
      for (const writer of writers) await writer.write(some);
    }
    const written: WrittenSheet[] = [];
    for (const writer of writers) written.push(...(await writer.end()));
    yield* archive([
      smallPart('[Content_Types].xml', DECLARATION + contentTypesXml(written.length)),
      smallPart('_rels/.rels', DECLARATION + packageRelationsXml()),
      smallPart('xl/workbook.xml', DECLARATION + workbookXml(written)),
      smallPart('xl/_rels/workbook.xml.rels', DECLARATION + workbookRelationsXml(written.length)),
      smallPart('xl/styles.xml', DECLARATION + stylesXml()),
      ...written.map(({ xml }, index) => ({ ...xml, name: `xl/worksheets/sheet${index + 1}.xml` })),
    ]);
  } finally {
    await Promise.all(writers.map((writer) => writer.close()));
  }
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Writes the XML of a sheet row by row, and of further sheets when the rows no longer fit. */
function sheetWriter<Item, Row>(
  { name, columns, frozen, rows }: Sheet<Item, Row>,
  { onCut, maxRows }: Required<WorkbookOptions>,
) {
  const letters = columns.map((_, index) => columnLetters(index));
  const beginning = [
    `${DECLARATION}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`,
    `<sheetViews><sheetView workbookViewId="0"><pane xSplit="${frozen}" ySplit="1" topLeftCell="${columnLetters(frozen)}2" activePane="bottomRight" state="frozen"/></sheetView></sheetViews>`,
    `<sheetFormatPr defaultRowHeight="15"/><cols>${columns.map(columnXml).join('')}</cols><sheetData>`,
    `<row r="1">${columns.map(({ heading }, index) => textXml(`${letters[index]}1`, heading, 'heading')).join('')}</row>`,
  ].join('');
  const files = [compressedFile()];
  const ended: WrittenSheet[] = [];
  let last = 1;
  let characters = 0;
  let xml = beginning;

  const flush = async () => {
    characters += xml.length;
    await files.at(-1)!.write(xml);
    xml = '';
  };
  const endSheet = async () => {
    const filter = `A1:${letters.at(-1)}${last}`;
    xml += `</sheetData><autoFilter ref="${filter}"/>`;
    // Numbers stored as text are intended here: without this Excel marks each with a green corner.
    xml += `<ignoredErrors><ignoredError sqref="${filter}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
    await flush();
    const number = files.length;
    ended.push({ name: number === 1 ? name : `${name} ${number}`, filter, xml: await files.at(-1)!.end() });
  };
  const beginNext = () => {
    files.push(compressedFile());
    last = 1;
    characters = 0;
    xml = beginning;
  };

  return {
    async write(items: readonly Item[]): Promise<void> {
      for (const item of items) {
        for (const row of rows(item)) {
          if (last >= maxRows || characters >= MAX_SHEET_CHARACTERS) {
            await endSheet();
            beginNext();
          }
          last++;
          const number = String(last);
          let cells = '';
          for (let index = 0; index < columns.length; index++) {
            cells += cellXml(letters[index]! + number, columns[index]!.cell(row), onCut);
          }
          xml += `<row r="${number}">${cells}</row>`;
          if (xml.length >= PIECE) await flush();
        }
      }
    },
    /** @returns the written sheets */
    async end(): Promise<WrittenSheet[]> {
      await endSheet();
      return ended;
    },
    /** Removes the temporary files. */
    close: async (): Promise<void> => void (await Promise.all(files.map((file) => file.close()))),
  };
}

const columnXml = ({ width, isText = false }: Column<never>, index: number): string =>
  `<col min="${index + 1}" max="${index + 1}" width="${width}"${isText ? ` style="${styleNumber('text')}"` : ''} customWidth="1"/>`;
