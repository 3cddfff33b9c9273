import { expect, test } from 'vitest';
import { eanOf } from './ean.ts';

test.each(['4006381333931', '8710400311140', '5901234123457'])(
  'the EAN %s is made from its first twelve digits',
  (ean) => expect(eanOf(ean.slice(0, 12))).toBe(ean),
);
