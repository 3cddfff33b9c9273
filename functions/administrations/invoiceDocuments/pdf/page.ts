import PDFDocument from 'pdfkit';
import { type Paragraph, richText } from '../text/richText.ts';
import { type FontStyle, fontOf } from './fonts.ts';
import { type Line, printable, widthOf, wrapRuns, wrapText } from './textLines.ts';
import { visualText } from './visualOrder.ts';

/** A4 in points, and its margins. */
const WIDTH = 595.28;
const HEIGHT = 841.89;
export const LEFT = 50;
export const RIGHT = WIDTH - 50;
const TOP = 45;
const BOTTOM = HEIGHT - 62;
/** From one line to the next, in sizes of the text. */
const LINE_SPACING = 1.36;
/** Text is not made smaller than this to fit. */
const MIN_SIZE = 4;

const INK = '#1a1a1a';
export const GREY = '#5f5f5f';

type PdfInfo = { title: string; author: string; date: Date; language: string };

type PageHeading = { height: number; draw: () => void };

type TextOptions = { style?: FontStyle; size?: number; color?: string };

/**
 * Pages filled from top to bottom. What does not fit goes to the next page, line by line; nothing is drawn outside the
 * margins.
 */
export class Pages {
  readonly pdf: PDFKit.PDFDocument;
  y = TOP;
  /** Drawn at the top of each page but the first, and its height. */
  heading: PageHeading = { height: 0, draw: () => {} };

  constructor({ title, author, date, language }: PdfInfo) {
    this.pdf = new PDFDocument({
      size: 'A4',
      // Without margins the library breaks no pages; this class does.
      margin: 0,
      bufferPages: true,
      pdfVersion: '1.7',
      subset: 'PDF/A-3b',
      lang: language,
      displayTitle: true,
      font: fontOf('regular') as unknown as string,
      info: { Title: title, Author: author, Creator: 'Ledgerline', CreationDate: date, ModDate: date },
    } as PDFKit.PDFDocumentOptions);
    // By this name the library finds the open font, and does not open it again.
    for (const style of ['bold', 'italic'] as const) {
      // The types do not allow an open font yet.
      this.pdf.registerFont(fontOf(style).postscriptName, fontOf(style) as unknown as string);
    }
  }

  /** Begins a new page unless there is room for so many points. */
  ensure(height: number): void {
    if (this.y + height <= BOTTOM) return;
    this.pdf.addPage();
    this.y = TOP;
    this.heading.draw();
  }

  /** Whether so many points fit on one page that is begun. */
  fitsOnPage = (height: number): boolean => TOP + this.heading.height + height <= BOTTOM;

  /** The bottom of the drawn content. */
  readonly bottom = BOTTOM;

  at(text: string, x: number, y: number, { style = 'regular', size = 9, color = INK }: TextOptions = {}): void {
    if (text.trim() === '') return;
    this.pdf.font(fontOf(style).postscriptName).fontSize(size).fillColor(color).text(text, x, y, { lineBreak: false });
  }

  /** Draws text on one line, smaller until it fits; at the smallest size it is cut with dots. */
  fitted(text: string, x: number, y: number, width: number, align: 'left' | 'right', options: TextOptions = {}): void {
    const { style = 'regular', size = 9 } = options;
    const whole = printable(text);
    const fitting = Math.min(size, Math.max((size * width) / widthOf(whole, style, size), MIN_SIZE));
    const shown = visualText(cutToFit(whole, style, fitting, width));
    const left = align === 'left' ? x : x + width - widthOf(shown, style, fitting);
    this.at(shown, left, y + (size - fitting), { ...options, size: fitting });
  }

  line(line: Line, x: number, y: number, options: TextOptions = {}): void {
    for (const { text, style, x: offset } of line.pieces) this.at(text, x + offset, y, { ...options, style });
  }

  lines(lines: readonly Line[], x: number, options: TextOptions = {}): void {
    const height = (options.size ?? 9) * LINE_SPACING;
    for (const line of lines) {
      this.ensure(height);
      this.line(line, x, this.y, options);
      this.y += height;
    }
  }

  /** Draws lines below each other from a height, without a page break. @returns the height below them */
  block(lines: readonly Line[], x: number, y: number, options: TextOptions = {}): number {
    const height = (options.size ?? 9) * LINE_SPACING;
    for (const [index, line] of lines.entries()) this.line(line, x, y + index * height, options);
    return y + lines.length * height;
  }

  paragraph(text: string, x: number, width: number, options: TextOptions = {}): void {
    this.lines(wrapText(text, options.style ?? 'regular', width, options.size ?? 9), x, options);
  }

  rich(html: string, x: number, width: number, options: TextOptions = {}): void {
    for (const line of richLines(html, width, options.size ?? 9)) {
      this.ensure(line.height);
      this.richLine(line, x, this.y, options);
      this.y += line.height;
    }
  }

  richLine({ line, indent, marker }: RichLine, x: number, y: number, options: TextOptions = {}): void {
    if (marker !== '') this.at(marker, x + indent - 12, y, { ...options, style: 'regular' });
    this.line(line, x + indent, y, options);
  }

  rule(y: number, { from = LEFT, to = RIGHT, color = '#c8c8c8', width = 0.6 } = {}): void {
    this.pdf.moveTo(from, y).lineTo(to, y).lineWidth(width).strokeColor(color).stroke();
  }

  /** Calls a function for each page, once all pages exist. */
  footers(draw: (page: number, pages: number, y: number) => void): void {
    const { count } = this.pdf.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      this.pdf.switchToPage(page);
      draw(page + 1, count, BOTTOM + 18);
    }
  }

  async bytes(): Promise<Uint8Array> {
    const chunks: Buffer[] = [];
    const ended = new Promise<void>((resolve, reject) => {
      this.pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
      this.pdf.on('end', resolve);
      this.pdf.on('error', reject);
    });
    this.pdf.end();
    await ended;
    return Buffer.concat(chunks);
  }
}

function cutToFit(text: string, style: FontStyle, size: number, width: number): string {
  if (widthOf(text, style, size) <= width + 0.01) return text;
  const characters = [...text];
  while (characters.length > 0 && widthOf(`${characters.join('')}…`, style, size) > width) characters.pop();
  return `${characters.join('')}…`;
}

export type RichLine = { line: Line; indent: number; marker: string; height: number; color?: string };

const INDENT = 14;

/** Rich text in lines no wider than so many points. */
export const richLines = (html: string, width: number, size: number): RichLine[] =>
  richText(html).flatMap(({ indent, marker, runs }: Paragraph) =>
    wrapRuns(runs, width - indent * INDENT, size).map((line, index) => ({
      line,
      indent: indent * INDENT,
      marker: index === 0 ? marker : '',
      height: size * LINE_SPACING,
    })),
  );

export const lineHeight = (size: number): number => size * LINE_SPACING;
