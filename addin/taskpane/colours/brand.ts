/**
 * Shades of the one accent, from dark to light: the green of the ribbon's icons (70 and 90). Each has the luminance of the
 * shade of Fluent's own blue with that number, so that contrasts stay those that Fluent promises. The workbook page and
 * the guide take theirs from here, which brand.test.ts holds.
 */
export const brand = {
  10: '#031a14',
  20: '#04261e',
  30: '#053227',
  40: '#074132',
  50: '#084e3d',
  60: '#0a5d48',
  70: '#0b6a52',
  80: '#0d795d',
  90: '#148a6b',
  100: '#1aae89',
  110: '#20bc94',
  120: '#28c9a0',
  130: '#4ed7b5',
  140: '#8de2cd',
  150: '#b9ecdf',
  160: '#e3f7f2',
} as const;
