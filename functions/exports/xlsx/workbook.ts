import { setImmediate as otherWork } from 'node:timers/promises';
import { pauses } from '../../../shared/inSteps.ts';
import { columnLetters, MAX_SHEET_ROWS } from '../../../shared/spreadsheet.ts';
import { type Language, languages, type Words } from '../../../shared/wire/language.ts';
import { archive, smallPart, withoutContent } from './archive.ts';
import { type Cell, cellXml, sharedTextXml } from './cell.ts';
import { type Compressed, compressedFile } from './compressed.ts';
import { contentTypesXml, packageRelationsXml, sharedTextsXml, workbookRelationsXml, workbookXml } from './parts.ts';
import { styleNumber, stylesXml } from './styles.ts';

export type Column<Row> = {
  heading: Words;
  /** In characters. */
  width: number;
  /** Whether empty cells have the text format too. */
  isText?: boolean;
  cell: (row: Row) => Cell;
};

/** A sheet to write: headings and first columns that stay visible, and its rows. */
export type Sheet<Item, Row> = {
  name: Words;
  columns: readonly Column<Row>[];
  /** Columns at the left that stay visible while the others scroll. */
  frozen: number;
  /** The rows of one item. */
  rows: (item: Item) => readonly Row[];
};

export type WorkbookOptions = {
  /** Called for each text that was too long for a cell and was cut. */
  onCut?: () => void;
  /** Rows of a sheet, including its headings; left out: the maximum of Excel. */
  maxRows?: number;
  /**
   * Called when all is read, for each language: with this end in place of its own, as long as the English one, the
   * workbook is in that language.
   */
  onEnd?: (language: Language, end: Uint8Array) => void;
};

/** Characters of XML after which a further sheet begins: at three bytes each this fits into a zip file. */
const MAX_SHEET_CHARACTERS = 2 ** 30;
/** Characters of XML in a compressed piece. */
const PIECE = 131_072;

/** A written sheet: the range of its filter, and its XML. */
/** @property number of the sheet with the same rows: 2 for the second one */
type WrittenSheet = { name: Words; number: number; filter: string; xml: Compressed };

/**
 * The bytes of an .xlsx workbook about items that come in batches. Each batch is read
 * once, and its rows go to all sheets, which are compressed in temporary files until the last batch is read. Rows that
 * do not fit on their sheet continue on a second one, `Contacts 2`.
 */
export async function* workbook<Item>(
  items: AsyncIterable<readonly Item[]>,
  // biome-ignore lint/suspicious/noExplicitAny: each sheet has rows of its own
  sheets: readonly Sheet<Item, any>[],
  { onCut = () => {}, maxRows = MAX_SHEET_ROWS, onEnd }: WorkbookOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const headings = sheets.flatMap(({ columns }) => columns.map(({ heading }) => heading));
  let numbered = 0;
  const writers = sheets.map((sheet) => {
    const writer = sheetWriter(sheet, { onCut, maxRows, firstHeading: numbered });
    numbered += sheet.columns.length;
    return writer;
  });
  try {
    for await (const some of items) {
      for (const writer of writers) await writer.write(some);
    }
    const written: WrittenSheet[] = [];
    for (const writer of writers) written.push(...(await writer.end()));
    const inEveryLanguage = [
      smallPart('[Content_Types].xml', DECLARATION + contentTypesXml(written.length)),
      smallPart('_rels/.rels', DECLARATION + packageRelationsXml()),
      smallPart('xl/_rels/workbook.xml.rels', DECLARATION + workbookRelationsXml(written.length)),
      smallPart('xl/styles.xml', DECLARATION + stylesXml()),
      ...written.map(({ xml }, index) => ({ ...xml, name: `xl/worksheets/sheet${index + 1}.xml` })),
    ];
    const inLanguage = (language: Language) => [
      smallPart('xl/sharedStrings.xml', DECLARATION + sharedTextsXml(headings.map((heading) => heading[language]))),
      smallPart('xl/workbook.xml', DECLARATION + workbookXml(written.map((one) => sheetIn(one, language)))),
    ];
    yield* archive([...inEveryLanguage, ...inLanguage('en')]);
    if (onEnd === undefined) return;
    for (const language of languages) {
      const parts = [...inEveryLanguage.map(withoutContent), ...inLanguage(language)];
      onEnd(language, Buffer.concat(await Array.fromAsync(archive(parts, inEveryLanguage.length))));
    }
  } finally {
    await Promise.all(writers.map((writer) => writer.close()));
  }
}

const sheetIn = ({ name, number, filter }: WrittenSheet, language: Language): { name: string; filter: string } => ({
  name: number === 1 ? name[language] : `${name[language]} ${number}`,
  filter,
});

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Writes the XML of a sheet row by row, and of further sheets when the rows no longer fit. */
function sheetWriter<Item, Row>(
  { name, columns, frozen, rows }: Sheet<Item, Row>,
  {
    onCut,
    maxRows,
    firstHeading,
  }: Required<Pick<WorkbookOptions, 'onCut' | 'maxRows'>> & {
    /** The number of its first heading among the shared texts. */
    firstHeading: number;
  },
) {
  const letters = columns.map((_, index) => columnLetters(index));
  const beginning = [
    `${DECLARATION}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`,
    `<sheetViews><sheetView workbookViewId="0"><pane xSplit="${frozen}" ySplit="1" topLeftCell="${columnLetters(frozen)}2" activePane="bottomRight" state="frozen"/></sheetView></sheetViews>`,
    `<sheetFormatPr defaultRowHeight="15"/><cols>${columns.map(columnXml).join('')}</cols><sheetData>`,
    `<row r="1">${letters.map((letter, index) => sharedTextXml(`${letter}1`, firstHeading + index, 'heading')).join('')}</row>`,
  ].join('');
  const files = [compressedFile()];
  const ended: WrittenSheet[] = [];
  let last = 1;
  let characters = 0;
  let xml = beginning;
  const pause = pauses(otherWork);

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
    ended.push({ name, number, filter, xml: await files.at(-1)!.end() });
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
        const paused = pause();
        if (paused !== undefined) await paused;
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
