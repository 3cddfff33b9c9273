import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textIn, xmlTree } from '../../../../testing/auditfiles/xmlTree.ts';
import { recordWriter } from './record.ts';

/** Whether XML 1.0 has a character, as its recommendation lists them. */
const isInXml = (point: number): boolean =>
  [0x9, 0xa, 0xd].includes(point) ||
  (point >= 0x20 && point <= 0xd7ff) ||
  (point >= 0xe000 && point <= 0xfffd) ||
  point >= 0x10000;

test('any text is read again from a record, but for characters that XML does not have, and what is too long', () => {
  const character = fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0x10000, max: 0x10ffff }));
  const points = fc.array(fc.oneof(character, fc.constantFrom(...[...'<>&"\' \t\n'].map((one) => one.charCodeAt(0)))));
  fc.assert(
    fc.property(points, fc.integer({ min: 0, max: 12 }), (any, longest) => {
      const cut: string[] = [];
      const value = any.map((point) => String.fromCodePoint(point)).join('');
      const xml = recordWriter((element) => cut.push(element))({ one: { name: longest } }, { one: { name: value } });
      // Two halves beside each other are one character.
      const characters = [...value];
      const kept = longest === 0 ? characters : characters.slice(0, longest);
      const expected = kept.map((one) => (isInXml(one.codePointAt(0)!) ? one : '\ufffd')).join('');
      // XML reads every line end as \n.
      expect(textIn(xmlTree(xml), 'name') ?? '').toBe(expected.replace(/\r\n?/g, '\n'));
      expect(cut).toEqual(kept.length < characters.length ? ['name'] : []);
    }),
  );
});

test('a record has the elements of its layout, in their order, and leaves out those without a text', () => {
  const layout = { line: { nr: 3, amount: { value: 5, side: 1 }, vat: { id: 5 }, note: 0 } };
  const values = { note: 'n', other: 'x', vat: [{ id: 'a' }, { id: 'b' }], amount: { side: 'D', value: '1' }, nr: '' };
  const xml = recordWriter(() => undefined)(layout, { line: values });
  const { children } = xmlTree(xml);
  expect(children.map(({ name }) => name)).toEqual(['amount', 'vat', 'vat', 'note']);
  expect(children[0]!.children.map(({ name, text }) => [name, text])).toEqual([
    ['value', '1'],
    ['side', 'D'],
  ]);
});
