import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { create, type Font } from 'fontkit';
import { memoized } from '../../../../shared/memoized.ts';

/** Open Sans (SIL Open Font License): Latin with all of Western and Central Europe, Greek and Cyrillic. */
export const fontFiles = {
  regular: '400Regular/OpenSans_400Regular.ttf',
  bold: '700Bold/OpenSans_700Bold.ttf',
  italic: '400Regular_Italic/OpenSans_400Regular_Italic.ttf',
} as const;

export type FontStyle = keyof typeof fontFiles;

/**
 * A font, opened once: reading its tables takes longer than writing a page. A deployment has the files in a folder
 * beside its code; otherwise they are in their npm package.
 */
export const fontOf = memoized((style: FontStyle): Font => {
  const file = fontFiles[style];
  const shipped = path.join(import.meta.dirname, 'fonts', path.basename(file));
  const found = existsSync(shipped)
    ? shipped
    : createRequire(import.meta.url).resolve(`@expo-google-fonts/open-sans/${file}`);
  const font = create(readFileSync(found)) as Font;
  // The font stores for each glyph the first character it was looked up for, and the PDF contains that for readers.
  // As a part of a composed glyph it has no character, so all glyphs are looked up now.
  for (const codePoint of font.characterSet) font.glyphForCodePoint(codePoint);
  // Texts are drawn in the order in which they are seen. The font would turn each word of Hebrew round by itself, with
  // the figures in it.
  const layout = font.layout.bind(font);
  font.layout = (text, features) => layout(text, features, undefined, undefined, 'ltr');
  return font;
});
