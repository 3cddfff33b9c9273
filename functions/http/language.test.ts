import { expect, test } from 'vitest';
import { languageOf } from './language.ts';

const chosen = (header: string | null) => languageOf({ headers: { get: () => header } as never });

test.each([
  ['nl', 'nl'],
  ['fr-BE,fr;q=0.9,nl;q=0.8', 'fr'],
  ['de-DE, nl;q=0.5 , en;q=0.7', 'en'],
  ['de, NL-be;q=0.1', 'nl'],
  ['nl;q=0, fr;q=0.1', 'fr'],
  ['nl;q=x', 'en'],
  ['*', 'en'],
  ['', 'en'],
  [null, 'en'],
])('a caller that accepts %s gets %s', (header, language) => {
  expect(chosen(header)).toBe(language);
});
