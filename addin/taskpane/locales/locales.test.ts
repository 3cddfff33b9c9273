import { describe, expect, it } from 'vitest';
import { sheetNameOf } from '../../excel/names.ts';
import { chooseLanguage } from './language.ts';
import { languages, messagesOf } from './messages.ts';

const leaves = (value: unknown, path = ''): [string, unknown][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => leaves(inner, `${path}.${name}`))
    : [[path, value]];

describe.each(languages)('the texts in %s', (language) => {
  const messages = messagesOf[language];

  it('are all there', () => {
    const empty = leaves(messages).filter(([, text]) => typeof text === 'string' && text.trim() === '');
    expect(empty).toEqual([]);
  });

  it.each(Object.entries(messages.headings))(
    'give every column of the %s table a heading of its own',
    (_, headings) => {
      const names = Object.values(headings).map((name) => name.toLowerCase());
      expect(new Set(names).size).toBe(names.length);
    },
  );

  it('name sheets as Excel allows', () => {
    const { accounts, invoices, exports, products } = messages;
    for (const name of [accounts.sheet, invoices.sheet, invoices.linesSheet, exports.sheet, products.sheet]) {
      expect(sheetNameOf(name)).toBe(name);
    }
  });

  it('fit a list of words in a cell, whose words a comma parts', () => {
    const { products, yes, no } = messages;
    expect([products.relative, products.absolute, yes, no].filter((word) => word.includes(','))).toEqual([]);
  });
});

describe('the language of the pane', () => {
  it.each([
    [['nl-BE'], 'nl'],
    [['NL'], 'nl'],
    [['fr-BE', 'nl'], 'nl'],
    [['de', 'fr'], 'en'],
    [[null, undefined, 'en-US', 'nl'], 'en'],
    [[], 'en'],
  ])('for %j is %s', (tags, language) => {
    expect(chooseLanguage(tags)).toBe(language);
  });
});
