import { escapeLooseSigns, readMarkup, wordSet } from '../../../../shared/markup.ts';

export type Run = { text: string; bold: boolean; italic: boolean };
/** A paragraph, a line of one, or an item of a list. */
export type Paragraph = { indent: number; marker: string; runs: Run[] };

const BLOCKS = wordSet(
  'address article aside blockquote center dd div dl dt figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul',
);
const HEADINGS = wordSet('h1 h2 h3 h4 h5 h6');
const BOLD = wordSet('b strong th h1 h2 h3 h4 h5 h6');
const ITALIC = wordSet('i em cite');
/** Elements whose content is not text. */
const HIDDEN = wordSet('head iframe object script select style svg template textarea title');
const MAX_INDENT = 4;

/**
 * Rich text as paragraphs of styled runs: bold, italic, lists, line breaks; the cells of a table are on one line.
 * Of all other HTML only the text remains. Nothing is loaded or executed.
 */
export function richText(html: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let current: Paragraph = { indent: 0, marker: '', runs: [] };
  let bold = 0;
  let italic = 0;
  let hidden = 0;
  let preformatted = false;
  let tables = 0;
  let cells = 0;
  let inCell = false;
  let hasCellText = false;
  /** A line break in a cell, which is made when more text of the cell follows. */
  let breaksCell = false;
  const lists: (number | undefined)[] = [];

  const endsInSpace = () => current.runs.length === 0 || current.runs.at(-1)!.text.endsWith(' ');
  const isEmpty = () => !current.runs.some(({ text }) => text.trim() !== '');
  function end() {
    // The first paragraph in an item has the item's marker.
    if (isEmpty() && current.marker !== '') return;
    if (!isEmpty()) paragraphs.push(current);
    current = { indent: Math.min(lists.length, MAX_INDENT), marker: '', runs: [] };
  }
  function write(text: string) {
    if (inCell && text.trim() !== '') {
      breakCell();
      hasCellText = true;
    }
    const collapsed = text.replace(/[ \t\r\n\f]+/g, ' ');
    const added = endsInSpace() ? collapsed.trimStart() : collapsed;
    if (added === '') return;
    const last = current.runs.at(-1);
    if (last !== undefined && last.bold === bold > 0 && last.italic === italic > 0) last.text += added;
    else current.runs.push({ text: added, bold: bold > 0, italic: italic > 0 });
  }
  function edge() {
    if (inCell) breaksCell = hasCellText;
    else end();
  }
  function breakCell() {
    if (breaksCell) end();
    breaksCell = false;
  }
  function endCell() {
    inCell = false;
    hasCellText = false;
    breaksCell = false;
  }
  function startCell() {
    if (inCell && tables > 1) return write(' ');
    endCell();
    if (cells++ > 0) write(' | ');
    inCell = tables > 0;
  }
  function endRow() {
    if (tables > 1) return;
    endCell();
    cells = 0;
  }

  const markup = escapeLooseSigns(html);
  readMarkup(markup.includes('<') ? markup : markup.replace(/\r\n?|\n/g, '<br>'), {
    open(name, attributes, selfClosing) {
      if (HIDDEN.has(name) && !selfClosing) hidden += 1;
      if (hidden > 0) return;
      if (name === 'pre') preformatted = true;
      if (name === 'tr') endRow();
      if (BLOCKS.has(name) || name === 'br') edge();
      if (BOLD.has(name)) bold += 1;
      if (ITALIC.has(name)) italic += 1;
      if (name === 'ul') lists.push(undefined);
      if (name === 'ol') lists.push(Number.parseInt(attributes.start ?? '1', 10) || 1);
      if (name === 'table') tables += 1;
      if (name === 'td' || name === 'th') startCell();
      if (name === 'li') breakCell();
      // A list in a further cell of a row follows what is before it.
      if (name === 'li' && isEmpty()) {
        const number = lists.at(-1);
        if (number !== undefined) lists[lists.length - 1] = number + 1;
        current = {
          indent: Math.min(Math.max(lists.length, 1), MAX_INDENT),
          marker: number === undefined ? '•' : `${number}.`,
          runs: [],
        };
      }
    },
    close(name) {
      if (hidden > 0) {
        if (HIDDEN.has(name)) hidden -= 1;
        return;
      }
      if (name === 'pre') preformatted = false;
      if (name === 'tr' || name === 'table') endRow();
      if (name === 'table') tables = Math.max(tables - 1, 0);
      if (BLOCKS.has(name)) edge();
      if ((name === 'li' || name === 'ul' || name === 'ol') && isEmpty()) current.marker = '';
      if (BOLD.has(name)) bold = Math.max(bold - 1, 0);
      if (ITALIC.has(name)) italic = Math.max(italic - 1, 0);
      if (HEADINGS.has(name)) bold = 0;
      if (name === 'ul' || name === 'ol') {
        lists.pop();
        if (isEmpty()) current.indent = Math.min(lists.length, MAX_INDENT);
      }
    },
    text(text) {
      if (hidden > 0) return;
      const [first, ...others] = preformatted ? text.split(/\r\n?|\n/) : [text];
      write(first!);
      for (const other of others) {
        edge();
        write(other);
      }
    },
  });
  end();
  return paragraphs;
}
