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
  let cells = 0;
  const lists: (number | undefined)[] = [];

  const endsInSpace = () => current.runs.length === 0 || current.runs.at(-1)!.text.endsWith(' ');
  function end() {
    const isEmpty = !current.runs.some(({ text }) => text.trim() !== '');
    // The first paragraph in an item has the item's marker.
    if (isEmpty && current.marker !== '') return;
    if (!isEmpty) paragraphs.push(current);
    current = { indent: Math.min(lists.length, MAX_INDENT), marker: '', runs: [] };
  }
  function write(text: string) {
    const collapsed = text.replace(/[ \t\r\n\f]+/g, ' ');
    const added = endsInSpace() ? collapsed.trimStart() : collapsed;
    if (added === '') return;
    const last = current.runs.at(-1);
    if (last !== undefined && last.bold === bold > 0 && last.italic === italic > 0) last.text += added;
    else current.runs.push({ text: added, bold: bold > 0, italic: italic > 0 });
  }

  const markup = escapeLooseSigns(html);
  readMarkup(markup.includes('<') ? markup : markup.replace(/\r\n?|\n/g, '<br>'), {
    open(name, attributes, selfClosing) {
      if (HIDDEN.has(name) && !selfClosing) hidden += 1;
      if (hidden > 0) return;
      if (BLOCKS.has(name) || name === 'br') end();
      if (BOLD.has(name)) bold += 1;
      if (ITALIC.has(name)) italic += 1;
      if (name === 'ul') lists.push(undefined);
      if (name === 'ol') lists.push(Number.parseInt(attributes.start ?? '1', 10) || 1);
      if (name === 'tr') cells = 0;
      if ((name === 'td' || name === 'th') && cells++ > 0) write(' | ');
      if (name === 'li') {
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
      if (BLOCKS.has(name)) end();
      if (name === 'li' || name === 'ul' || name === 'ol') current.marker = '';
      if (BOLD.has(name)) bold = Math.max(bold - 1, 0);
      if (ITALIC.has(name)) italic = Math.max(italic - 1, 0);
      if (HEADINGS.has(name)) bold = 0;
      if (name === 'ul' || name === 'ol') {
        lists.pop();
        current.indent = Math.min(lists.length, MAX_INDENT);
      }
    },
    text(text) {
      if (hidden === 0) write(text);
    },
  });
  end();
  return paragraphs;
}
