/*
 * Characters by their names and numbers in HTML, such as `&eacute;`, as the browser knows them. The build puts this in
 * place of `entities/decode` in what the tokenizer of htmlparser2 needs: its table of names is as large as all views.
 */

/** How strictly a reference is read: in text, in XML, in an attribute. */
export const DecodingMode = { Legacy: 0, Strict: 1, Attribute: 2 } as const;

/** The tokenizer hands one of these to the decoder. The browser has its own, and the pane reads no XML. */
export const htmlDecodeTree = undefined;
export const xmlDecodeTree = undefined;

const reference = /(?:#x[\da-f]+|#\d+|[a-z][a-z\d]*);?/iy;

/** Of a document that is shown nowhere. It gets nothing but a reference. */
let element: HTMLElement | undefined;

export class EntityDecoder {
  #inAttribute = false;
  readonly #emit: (codePoint: number, consumed: number) => void;

  constructor(_tree: undefined, emit: (codePoint: number, consumed: number) => void) {
    this.#emit = emit;
  }

  startEntity(mode: number): void {
    this.#inAttribute = mode === DecodingMode.Attribute;
  }

  /**
   * Reads a reference whose `&` is before `offset`. The text must be whole.
   * @returns its characters, with the `&`; 0 when it is none
   */
  write(text: string, offset: number): number {
    reference.lastIndex = offset;
    const [written] = reference.exec(text) ?? [];
    if (written === undefined) return 0;
    element ??= document.implementation.createHTMLDocument('').body;
    element.innerHTML = `&${written}`;
    const read = element.textContent;
    if (read === `&${written}`) return 0;
    const [first = '', ...others] = read;
    // Of `&copyx;` the browser reads `&copy`, as HTML does in text. Some names stand for two characters.
    const isPart = others.length > 0 && written.endsWith(others.join(''));
    const end = offset + written.length - (isPart ? others.join('').length : 0);
    const continues = /[a-z\d=]/i.test(text.charAt(end)) && text.charAt(end - 1) !== ';';
    if (this.#inAttribute && continues) return 0;
    const consumed = end - offset + 1;
    for (const character of isPart ? [first] : read) this.#emit(character.codePointAt(0)!, consumed);
    return consumed;
  }

  /** A reference is never read in parts. */
  end(): void {}
}
