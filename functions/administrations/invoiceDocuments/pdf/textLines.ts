import type { Font } from 'fontkit';
import { memoized } from '../../../../shared/memoized.ts';
import type { Run } from '../text/richText.ts';
import { type FontStyle, fontOf } from './fonts.ts';
import { clustersOf, isMixed, visualOrder } from './visualOrder.ts';

/** A part of a line, as it is seen from left to right: its position in points from the left of the line. */
type Piece = { text: string; style: FontStyle; x: number };
export type Line = { pieces: Piece[]; width: number };

type Measured = { font: Font; advances: Map<number, number> };
const measured = memoized((style: FontStyle): Measured => ({ font: fontOf(style), advances: new Map() }));

/** The width of a character at one point. */
function advance({ font, advances }: Measured, codePoint: number): number {
  let wide = advances.get(codePoint);
  if (wide === undefined) {
    wide = font.glyphForCodePoint(codePoint).advanceWidth / font.unitsPerEm;
    advances.set(codePoint, wide);
  }
  return wide;
}

/** Width in points. */
export function widthOf(text: string, style: FontStyle, size: number): number {
  const font = measured(style);
  let width = 0;
  for (const character of text) width += advance(font, character.codePointAt(0)!);
  return width * size;
}

/** What stands for a character that the fonts lack: narrow spaces and other hyphens have glyphs of their kind. */
function substitute(character: string): string {
  // The space in figures and before signs in French, which breaks no line.
  if (character === '\u202f') return '\u00a0';
  if (/\p{Zs}/u.test(character)) return ' ';
  return /\p{Pd}/u.test(character) ? '-' : '?';
}

/**
 * Text that the fonts can show: composed, without invisible characters (controls, direction marks, styles of emoji),
 * and a question mark for each missing character that has no substitute. PDF/A allows no missing glyph.
 */
export function printable(text: string): string {
  // Most texts have only these characters.
  if (/^[ -~]*$/.test(text)) return text;
  const { font } = measured('regular');
  let shown = '';
  for (const character of text.normalize('NFC').toWellFormed()) {
    if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Variation_Selector}]/u.test(character)) {
      if (/\s/.test(character)) shown += ' ';
    } else shown += font.hasGlyphForCodePoint(character.codePointAt(0)!) ? character : substitute(character);
  }
  return shown;
}

/** Styled text in lines no wider than so many points: broken at spaces, and inside words that are wider than a line. */
export function wrapRuns(runs: readonly Run[], width: number, size: number): Line[] {
  const lines: Line[] = [];
  let line: Line = { pieces: [], width: 0 };
  const end = () => {
    lines.push(asSeen(line, size));
    line = { pieces: [], width: 0 };
  };
  const put = (text: string, style: FontStyle, wide: number) => {
    const last = line.pieces.at(-1);
    if (last?.style === style) last.text += text;
    else line.pieces.push({ text, style, x: line.width });
    line.width += wide;
  };
  for (const { text, bold, italic } of runs) {
    const style: FontStyle = bold ? 'bold' : italic ? 'italic' : 'regular';
    for (const [token] of printable(text).matchAll(/ +|[^ ]+/g)) {
      const wide = widthOf(token, style, size);
      if (token.startsWith(' ')) {
        // No line begins with a space; one that would not fit ends it.
        if (line.width > 0 && line.width + wide <= width) put(token, style, wide);
        continue;
      }
      if (line.width > 0 && line.width + wide > width) end();
      if (wide <= width) {
        put(token, style, wide);
        continue;
      }
      for (const character of token) {
        const one = widthOf(character, style, size);
        if (line.width > 0 && line.width + one > width) end();
        put(character, style, one);
      }
    }
  }
  if (line.pieces.length > 0 || lines.length === 0) end();
  return lines;
}

/** A line with its pieces in the order in which they are seen. */
function asSeen(line: Line, size: number): Line {
  if (!line.pieces.some(({ text }) => isMixed(text))) return line;
  const clusters = line.pieces.flatMap(({ text, style }) => clustersOf(text).map((one) => ({ text: one, style })));
  const pieces: Piece[] = [];
  let x = 0;
  for (const { text, style } of visualOrder(clusters)) {
    const last = pieces.at(-1);
    if (last?.style === style) last.text += text;
    else pieces.push({ text, style, x });
    x += widthOf(text, style, size);
  }
  return { pieces, width: line.width };
}

/** Plain text in lines; its own line breaks stay. */
export const wrapText = (text: string, style: FontStyle, width: number, size: number): Line[] =>
  text
    .split(/\r\n?|\n/)
    .flatMap((one) => wrapRuns([{ text: one, bold: style === 'bold', italic: style === 'italic' }], width, size));
