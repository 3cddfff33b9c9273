import { expect, test } from 'vitest';
import { color } from './color.ts';

test.each([
  ['SkyBlue', '#87CEEB'],
  ['indigo', '#4B0082'],
  [' white ', '#FFFFFF'],
  ['#c0ffee', '#C0FFEE'],
])('%j is the colour %s', (written, number) => {
  expect(color(written)).toBe(number);
});

test.each(['', 'sky', 'sky blue', '#fff', 'rgb(0,0,0)', 7])('%j is no colour', (written) => {
  expect(() => color(written)).toThrow('invalid');
});
