import { Tokenizer } from 'htmlparser2';

/** Rich text in which a `<` that opens no tag and a `&` that begins no complete entity are ordinary characters. */
export const escapeLooseSigns = (html: string): string =>
  html
    .replace(/&(?!(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);)/gi, '&amp;')
    .replace(/<(?!\/?[a-z][\w:.-]*(?:[\s/][^<>]*)?>|!--|!\[|!doctype|\?xml)/gi, '&lt;');

/** Names of elements, from a text with a space between them. */
export const wordSet = (names: string): ReadonlySet<string> => new Set(names.split(' '));

type Reader = {
  /** A start tag; of HTML the names are in lower case, of XML as written. */
  open?: (name: string, attributes: Readonly<Record<string, string>>, selfClosing: boolean) => void;
  close?: (name: string) => void;
  /** Text with decoded entities, possibly in several pieces. */
  text?: (text: string) => void;
};

/**
 * Reads untrusted HTML or XML tag by tag. It uses only the tokenizer, without the parser's stack of open
 * elements, which takes minutes for a hundred thousand nested tags and is not needed here.
 */
export function readMarkup(source: string, { open, close, text }: Reader, { xml = false } = {}): void {
  let name = '';
  let attributes: Record<string, string> = {};
  let attribute = '';
  let value = '';
  const nameAt = (start: number, end: number) =>
    xml ? source.slice(start, end) : source.slice(start, end).toLowerCase();

  const tokenizer = new Tokenizer(
    { xmlMode: xml, decodeEntities: true },
    {
      onopentagname: (start, end) => {
        name = nameAt(start, end);
        attributes = Object.create(null);
      },
      onattribname: (start, end) => {
        attribute = nameAt(start, end);
        value = '';
      },
      onattribdata: (start, end) => {
        value += source.slice(start, end);
      },
      onattribentity: (codepoint) => {
        value += String.fromCodePoint(codepoint);
      },
      onattribend: () => {
        attributes[attribute] ??= value;
      },
      onopentagend: () => open?.(name, attributes, false),
      onselfclosingtag: () => open?.(name, attributes, true),
      onclosetag: (start, end) => close?.(nameAt(start, end)),
      ontext: (start, end) => text?.(source.slice(start, end)),
      ontextentity: (codepoint) => text?.(String.fromCodePoint(codepoint)),
      oncdata: (start, end, offset) => xml && text?.(source.slice(start, end - offset)),
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
    },
  );
  tokenizer.write(source);
  tokenizer.end();
}
