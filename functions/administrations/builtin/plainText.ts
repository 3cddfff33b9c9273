import { Parser } from 'htmlparser2';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const BLOCKS = words(
  'address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody tfoot thead tr ul',
);
const HIDDEN = words('head iframe object script select style svg template textarea title');
/** Deeper lists are not indented further: what is nested a thousand deep was not meant to be read. */
const MOST_INDENTED = 8;

/**
 * Rich text as plain text: paragraphs, line breaks and list items each on a line, items behind a dash or their number, the
 * cells of a table row divided by bars, links and pictures by their words. Text without tags stays as it is, apart from
 * its entities; a `<` that opens no tag and a `&` that begins no whole entity are just characters.
 */
export function plainText(rich: string): string {
  const html = rich
    .replace(/&(?!(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);)/gi, '&amp;')
    .replace(/<(?!\/?[a-z][\w:.-]*(?:[\s/][^<>]*)?>|!--|!\[|!doctype|\?xml)/gi, '&lt;');
  return html.includes('<') ? asLines(html) : decoded(html.replace(/&(?:nbsp|#160|#xa0);/gi, ' '));
}

function decoded(html: string): string {
  const texts: string[] = [];
  const parser = new Parser({ ontext: (text) => texts.push(text) });
  parser.end(html);
  return texts.join('');
}

/** One pass without recursion, so nesting costs nothing: this text came from outside. */
function asLines(html: string): string {
  const lines: string[] = [];
  let prefix = '';
  let line = '';
  let afterSpace = true;
  let hidden = 0;
  let preformatted = 0;
  let cellsDeep = 0;
  let cellsInRow = 0;
  /** The lists we are in: the number of the next item, nothing where items have none. */
  const lists: (number | undefined)[] = [];

  const indent = (deep: number) => '  '.repeat(Math.min(Math.max(deep, 0), MOST_INDENTED));

  function write(text: string) {
    line += text;
    afterSpace = text.endsWith(' ');
  }
  function endLine() {
    lines.push(prefix + line);
    prefix = indent(lists.length);
    line = '';
    afterSpace = true;
  }
  /** A cell stays on the line of its row, whatever is in it. */
  const lineBreak = () => (cellsDeep > 0 ? space() : endLine());
  const blockEdge = () => (cellsDeep > 0 ? space() : line !== '' && endLine());
  function space() {
    if (!afterSpace) write(' ');
  }
  function flow(text: string) {
    const collapsed = text.replace(/[ \t\r\n\f]+/g, ' ');
    const seen = afterSpace && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed;
    if (seen !== '') write(seen);
  }
  function startItem() {
    const number = lists.at(-1);
    if (number !== undefined) lists[lists.length - 1] = number + 1;
    prefix = `${indent(lists.length - 1)}${number === undefined ? '-' : `${number}.`} `;
  }
  function startCell() {
    if (cellsDeep === 0 && cellsInRow > 0) {
      space();
      write('| ');
    }
    if (cellsDeep === 0) cellsInRow += 1;
    cellsDeep += 1;
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      if (HIDDEN.has(name)) hidden += 1;
      if (hidden > 0) return;
      if (BLOCKS.has(name)) blockEdge();
      if (name === 'br') lineBreak();
      else if (name === 'ul') lists.push(undefined);
      else if (name === 'ol') lists.push(Number.parseInt(attributes.start ?? '1', 10) || 1);
      else if (name === 'li' && cellsDeep === 0) startItem();
      else if (name === 'pre') preformatted += 1;
      else if (name === 'tr' && cellsDeep === 0) cellsInRow = 0;
      else if (name === 'td' || name === 'th') startCell();
      else if (name === 'img') flow(attributes.alt ?? '');
    },
    onclosetag(name) {
      if (HIDDEN.has(name)) hidden -= 1;
      else if (hidden > 0) return;
      if (name === 'td' || name === 'th') cellsDeep -= 1;
      if (name === 'pre') preformatted -= 1;
      if (BLOCKS.has(name)) blockEdge();
      if (name === 'ul' || name === 'ol') {
        lists.pop();
        prefix = indent(lists.length);
      }
    },
    ontext(text) {
      if (hidden > 0) return;
      if (preformatted === 0 || cellsDeep > 0) return flow(text);
      const [first, ...others] = text.split(/\r\n|\r|\n/);
      write(first!);
      for (const other of others) {
        endLine();
        write(other);
      }
    },
  });
  parser.end(html);
  blockEdge();

  const ready = lines.map((made) => made.replaceAll('\u00a0', ' ').trimEnd());
  const hasText = (text: string) => text !== '';
  return ready.slice(Math.max(ready.findIndex(hasText), 0), ready.findLastIndex(hasText) + 1).join('\n');
}
