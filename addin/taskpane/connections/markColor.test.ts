import { describe, expect, it } from 'vitest';
import { markColor, markColors, shortCode } from './markColor.ts';

/** The contrast of a colour to white, as WCAG 2 defines it. */
function contrastToWhite(color: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

describe('The mark of an administration', () => {
  it.each(markColors)('has white text that can be read on %s', (color) => {
    expect(contrastToWhite(color)).toBeGreaterThanOrEqual(4.5);
  });

  it('has the same colour every time, and uses all colours', () => {
    const ids = Array.from({ length: 400 }, (_, index) => `administration ${index}`);
    const colors = ids.map((id) => markColor({ id }));
    expect(ids.map((id) => markColor({ id }))).toEqual(colors);
    expect(new Set(colors).size).toBe(markColors.length);
    expect(new Set(markColors).size).toBe(markColors.length);
  });

  it('has another colour than the current administration, whatever their ids', () => {
    const ids = Array.from({ length: 60 }, (_, index) => `administration ${index}`);
    for (const id of ids) {
      for (const current of ids) {
        const isSame = markColor({ id }, { id: current }) === markColor({ id: current }, { id: current });
        expect([id, current, isSame]).toEqual([id, current, id === current]);
      }
    }
  });

  it('has a code of letters and digits', () => {
    expect(shortCode({ id: '-a_b-3f9' })).toBe('AB3F');
  });
});
