import { escapeLooseSigns, readMarkup, wordSet } from './markup.ts';

const BLOCKS = wordSet(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul',
);
/** Elements whose content is not text. In the first of them the tokenizer treats tags as text until the end tag. */
const HIDDEN_TEXT = wordSet('iframe script style textarea title');
const HIDDEN = wordSet('head object select svg template');
/** Deeper lists are not indented further, to limit the output for extreme nesting. */
const MAX_INDENT = 8;

/**
 * Rich text as plain text: paragraphs, line breaks and list items each on a line, items behind a dash or their number,
 * the cells of a table row divided by bars, links and pictures by their texts. Text without tags is unchanged, apart
 * from its entities; a `<` that opens no tag and a `&` that begins no complete entity are ordinary characters.
 */
export function plainText(rich: string): string {
  const html = escapeLooseSigns(rich);
  return html.includes('<') ? asLines(html) : decoded(html.replace(/&(?:nbsp|#160|#xa0);/gi, ' '));
}

function decoded(html: string): string {
  const texts: string[] = [];
  readMarkup(html, { text: (text) => texts.push(text) });
  return texts.join('');
}

function asLines(html: string): string {
  const lines: string[] = [];
  let prefix = '';
  let line = '';
  let afterSpace = true;
  let hidden = 0;
  let preformatted = false;
  let tables = 0;
  let inCell = false;
  let cellsInRow = 0;
  /** The open lists: the number of the next item, or undefined for bullets. */
  const lists: (number | undefined)[] = [];

  const indent = (deep: number) => '  '.repeat(Math.min(deep, MAX_INDENT));

  function write(text: string) {
    if (text === '') return;
    line += text;
    afterSpace = text.endsWith(' ');
  }
  function endLine() {
    lines.push(prefix + line);
    prefix = indent(lists.length);
    line = '';
    afterSpace = true;
  }
  const space = () => write(afterSpace ? '' : ' ');
  /** A cell stays on the line of its row, with any content; also a table in a cell. */
  const lineBreak = () => (inCell ? space() : endLine());
  function blockEdge() {
    if (inCell) space();
    else if (line !== '') endLine();
  }
  function flow(text: string) {
    const collapsed = text.replace(/[ \t\r\n\f]+/g, ' ');
    write(afterSpace && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed);
  }
  function startItem() {
    const number = lists.at(-1);
    if (number !== undefined) lists[lists.length - 1] = number + 1;
    prefix = `${indent(Math.max(lists.length - 1, 0))}${number === undefined ? '-' : `${number}.`} `;
  }
  function startCell() {
    if (tables > 1) return space();
    inCell = false;
    if (cellsInRow > 0) {
      space();
      write('| ');
    }
    cellsInRow += 1;
    inCell = true;
  }
  /** Cells, rows and tables end where the next begins, even without an end tag. */
  function endRow() {
    if (tables > 1) return;
    inCell = false;
    cellsInRow = 0;
  }

  function open(name: string, attributes: Readonly<Record<string, string>>, selfClosing: boolean) {
    if (name === 'body') hidden = 0;
    if (HIDDEN_TEXT.has(name) || (HIDDEN.has(name) && !selfClosing)) hidden += 1;
    if (hidden > 0) return;
    if (name === 'tr') endRow();
    if (BLOCKS.has(name)) blockEdge();
    if (name === 'br') lineBreak();
    else if (name === 'ul') lists.push(undefined);
    else if (name === 'ol') lists.push(Number.parseInt(attributes.start ?? '1', 10) || 1);
    else if (name === 'li' && !inCell) startItem();
    else if (name === 'pre') preformatted = true;
    else if (name === 'table') tables += 1;
    else if (name === 'td' || name === 'th') startCell();
    else if (name === 'img') flow(attributes.alt ?? '');
  }

  function close(name: string) {
    if (hidden > 0) {
      if (HIDDEN_TEXT.has(name) || HIDDEN.has(name)) hidden -= 1;
      return;
    }
    if (name === 'tr' || name === 'table') endRow();
    if (name === 'table') tables = Math.max(tables - 1, 0);
    if (name === 'pre') preformatted = false;
    if (BLOCKS.has(name)) blockEdge();
    if (name === 'ul' || name === 'ol') {
      lists.pop();
      prefix = indent(lists.length);
    }
  }

  function text(piece: string) {
    if (hidden > 0) return;
    if (!preformatted || inCell) return flow(piece);
    const [first, ...others] = piece.split(/\r\n|\r|\n/);
    write(first!);
    for (const other of others) {
      endLine();
      write(other);
    }
  }

  readMarkup(html, { open, close, text });
  inCell = false;
  blockEdge();

  const ready = lines.map((made) => made.replaceAll('\u00a0', ' ').trimEnd());
  const hasText = (made: string) => made !== '';
  return ready.slice(Math.max(ready.findIndex(hasText), 0), ready.findLastIndex(hasText) + 1).join('\n');
}
