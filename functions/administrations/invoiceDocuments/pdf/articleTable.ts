import { type ArticleLine, articleLines, type InvoiceDocument, isCredit, type TextLine } from '../invoiceDocument.ts';
import { amountText, numberText, percentageText, priceText, type Words } from '../wording.ts';
import { GREY, LEFT, lineHeight, type Pages, RIGHT, type RichLine, richLines } from './page.ts';
import { printable } from './textLines.ts';

const SIZE = 8.5;
const GAP = 6;
const HEADING_HEIGHT = lineHeight(SIZE) + 7;
const DEFAULT_CATEGORY = 'Default';

type RowOptions = { figures?: (y: number) => void; kept?: number };

type Column = { title: string; width: number; text: (line: ArticleLine) => string };

/** The lines of a document with their heading, which is repeated on every page. */
export function drawArticleTable(pages: Pages, document: InvoiceDocument, words: Words): void {
  const { language } = document;
  const sign = isCredit(document) ? -1n : 1n;
  const hasDiscount = articleLines(document).some(({ discountPercentage }) => discountPercentage !== 0n);
  const columns: Column[] = [
    { title: words.quantity, width: 58, text: ({ quantity }) => numberText(sign * quantity, language) },
    { title: words.price, width: 66, text: ({ unitPrice }) => priceText(unitPrice, language) },
    ...(hasDiscount
      ? [
          {
            title: words.discount,
            width: 44,
            text: ({ discountPercentage }: ArticleLine) =>
              discountPercentage === 0n ? '' : percentageText(discountPercentage, language),
          },
        ]
      : []),
    { title: words.vat, width: 34, text: ({ rate }) => percentageText(rate, language) },
    { title: words.amount, width: 72, text: ({ net }) => amountText(sign * net, language) },
  ];
  const left = RIGHT - columns.reduce((sum, { width }) => sum + width, 0);
  const descriptionWidth = left - LEFT - GAP;

  const drawHeading = () => {
    const heading = { style: 'bold', size: SIZE, color: document.template.color } as const;
    pages.fitted(words.description, LEFT, pages.y, descriptionWidth, 'left', heading);
    eachColumn((column, x) => pages.fitted(column.title, x + GAP, pages.y, column.width - GAP, 'right', heading));
    pages.rule(pages.y + HEADING_HEIGHT - 5, { color: document.template.color, width: 1 });
    pages.y += HEADING_HEIGHT;
  };
  const eachColumn = (draw: (column: Column, x: number) => void) => {
    let x = left;
    for (const column of columns) {
      draw(column, x);
      x += column.width;
    }
  };
  /**
   * Draws the text of a row, on one page unless it is taller than a page; figures are beside its first line.
   * @param kept lines at its end that stay together even then
   */
  const drawRow = (rows: readonly RichLine[], { figures, kept = 1 }: RowOptions = {}) => {
    const height = heightOf(rows);
    if (pages.fitsOnPage(height)) pages.ensure(height);
    const lastPart = Math.max(rows.length - kept, 0);
    for (const [index, row] of rows.entries()) {
      pages.ensure(index === lastPart ? heightOf(rows.slice(lastPart)) : row.height);
      if (index === 0) figures?.(pages.y);
      pages.richLine(row, LEFT, pages.y, { size: SIZE, ...(row.color === undefined ? {} : { color: row.color }) });
      pages.y += row.height;
    }
    pages.y += 4;
  };
  const drawText = ({ category, description }: TextLine) => {
    const rows = richLines(description, RIGHT - LEFT, SIZE);
    if (category !== '' && category !== DEFAULT_CATEGORY) {
      rows.unshift(...richLines(`<b>${escaped(category)}</b>`, RIGHT - LEFT, SIZE));
    }
    drawRow(rows);
  };
  const drawArticle = (line: ArticleLine) => {
    const rows = richLines(line.description, descriptionWidth, SIZE);
    const described = rows.length;
    if (rows.length === 0) rows.push(...richLines(escaped(line.productNumber), descriptionWidth, SIZE));
    else if (line.productNumber !== '') {
      const number = richLines(escaped(line.productNumber), descriptionWidth, SIZE);
      rows.push(...number.map((row) => ({ ...row, color: GREY })));
    }
    if (rows.length === 0) rows.push(...richLines('-', descriptionWidth, SIZE));
    const figures = (y: number) => {
      eachColumn((column, x) => {
        const size = { size: SIZE };
        pages.fitted(column.text(line), x + GAP, y, column.width - GAP, 'right', size);
      });
      if (line.unit === '') return;
      // The unit is below the quantity, if the description has a second line.
      if (rows.length > 1 && y + 2 * rows[0]!.height < pages.bottom) {
        const small = { size: SIZE - 1, color: GREY };
        pages.fitted(printable(line.unit), left + GAP, y + rows[0]!.height, columns[0]!.width - GAP, 'right', small);
      }
    };
    // The number stays with the end of its description.
    drawRow(rows, { figures, kept: rows.length - described + 1 });
  };

  pages.ensure(4 * lineHeight(SIZE));
  drawHeading();
  const { heading } = pages;
  pages.heading = {
    height: heading.height + HEADING_HEIGHT,
    draw: () => {
      heading.draw();
      drawHeading();
    },
  };
  for (const line of document.lines) {
    if (line.kind === 'text') drawText(line);
    else drawArticle(line);
  }
  pages.heading = heading;
  pages.rule(pages.y);
  pages.y += 8;
}

const heightOf = (rows: readonly RichLine[]): number => rows.reduce((sum, { height }) => sum + height, 0);

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
