import { describe, expect, it } from 'vitest';
import type { MadeDocument } from '../../../shared/resources/madeDocument.ts';
import { messagesOf } from '../locales/messages.ts';
import type { SentRow } from '../push/sheetPush.ts';
import { requestKind } from './requestKind.ts';

const { rowMessage } = messagesOf.en;

/** The message of a document that was sent with the totals of its sheet, and made with those of the service. */
const messageOf = (expected: SentRow['expected'], made: Partial<MadeDocument>): string => {
  const sent: SentRow = { row: 2, key: 'A', endpoint: 'addsalesinvoice', request: {}, ...(expected && { expected }) };
  const document = { number: '7', ...made } as MadeDocument;
  return requestKind.applied(sent, { errorCode: '', errorMessage: '', errors: [], document }, messagesOf.en).message;
};

describe('A document that was made', () => {
  it.each([
    [
      'the same totals',
      { totalExclTax: '100.00', totalInclTax: '121.00' },
      { totalExclTax: '100', totalInclTax: '121.0' },
    ],
    ['totals that its sheet could not compute', {}, { totalExclTax: '100', totalInclTax: '121' }],
    ['no totals in the response', { totalExclTax: '100.00' }, {}],
  ])('with %s says that it was made', (_, expected, made) => {
    expect(messageOf(expected, made)).toBe(rowMessage.made);
  });

  it.each([
    [
      'without tax',
      { totalExclTax: '100.00', totalInclTax: '121.00' },
      { totalExclTax: '100.01', totalInclTax: '121.00' },
      '100.00',
    ],
    [
      'with tax',
      { totalExclTax: '100.00', totalInclTax: '121.00' },
      { totalExclTax: '100.00', totalInclTax: '121.01' },
      '121.00',
    ],
  ])('with another total %s says what its sheet computed', (_, expected, made, computed) => {
    expect(messageOf(expected, made)).toBe(rowMessage.madeOtherwise(computed));
  });

  it('writes that total as its language does', () => {
    const texts = Object.values(messagesOf).map((messages) => messages.rowMessage.madeOtherwise('1210.50'));
    expect(texts.map((text) => /(?:sheet|feuille|blad), ([\d.,\s]+\d)/.exec(text)![1]!.replace(/\s/g, ' '))).toEqual([
      '1,210.50',
      '1 210,50',
      '1.210,50',
    ]);
  });
});
