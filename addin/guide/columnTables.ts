import type { Column } from '../excel/tables/table.ts';
import { messagesOf, outsideTextsOf } from '../taskpane/locales/messages.ts';
import type { Language } from '../taskpane/locales/words.ts';
import { productInput, productTable } from '../taskpane/sheetColumns/productTable.ts';
import type { RequestColumn } from '../taskpane/sheetColumns/requestColumns.ts';
import { requestSheets } from '../taskpane/sheetColumns/requestSheets.ts';
import { requestTable } from '../taskpane/sheetColumns/requestTable.ts';

/*
 * What the guide says of the columns of sheets to fill in: it follows from their declarations, as the sheets do. A guide
 * has `<!-- columns: products -->` or `<!-- columns: documents -->` where the tables stand.
 */

type Sheet = {
  name: string;
  columns: readonly Column<never>[];
  inputs: Readonly<Record<string, RequestColumn>>;
};

/** Tables have an administration, which no column depends on. */
const none = { id: '', label: '' };

const sheetsOf = (language: Language): Readonly<Record<'products' | 'documents', Sheet[]>> => {
  const messages = messagesOf[language];
  const { sheetName, columns } = productTable(messages, none, 'Relative');
  return {
    products: [{ name: sheetName, columns, inputs: productInput.columns }],
    documents: Object.values(requestSheets).map((sheet) => {
      const table = requestTable(sheet, messages, none);
      return { name: table.sheetName, columns: table.columns, inputs: sheet.columns };
    }),
  };
};

/** A guide in Markdown with the tables of columns in the place of their marks. */
export function withColumnTables(guide: string, language: Language): string {
  const sheets = sheetsOf(language);
  return guide.replace(/^<!-- columns: (products|documents) -->$/gm, (_, kind: keyof typeof sheets) =>
    sheets[kind].map((sheet) => tableOf(sheet, language)).join('\n\n'),
  );
}

/** The columns of a sheet, folded until somebody opens them. */
function tableOf({ name, columns, inputs }: Sheet, language: Language): string {
  const texts = outsideTextsOf[language].guide;
  const row = (...cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    `<details>\n<summary>${texts.columnsOf(name)}</summary>\n`,
    row(texts.column, texts.takes, texts.note),
    row('---', '---', '---'),
    ...columns.map((column) =>
      // A mark stays with its heading.
      row(
        column.heading.replace(/ \*$/, '\u00a0*'),
        takenBy(column, inputs[column.key], language),
        column.prompt?.message ?? '',
      ),
    ),
    '\n</details>',
  ].join('\n');
}

/** What a cell of a column takes, in words. */
function takenBy({ isFilledByPane, choices }: Column<never>, input: RequestColumn | undefined, language: Language) {
  const texts = outsideTextsOf[language].guide;
  if (isFilledByPane) return texts.filledByPane;
  if (choices !== undefined) return texts.oneOf(choices.join(', '));
  const { kind, list, sign } = input ?? { kind: 'text' };
  return [
    texts.kinds[kind as keyof typeof texts.kinds],
    ...(sign === undefined ? [] : [texts[sign]]),
    ...(list === undefined ? [] : [texts.offered(messagesOf[language].documentSheets.lists[list])]),
  ].join(', ');
}
