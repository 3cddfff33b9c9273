import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rewriteTokens, tokensOf } from './formulaTokens.ts';

const read = (formula: string) => [...tokensOf(formula)].map(({ kind, text }) => `${kind} ${text}`);

describe('The tokens of a formula', () => {
  test.each([
    ['=SUM( A1 : $B$3 )', ['call SUM(', 'cells A1 : $B$3']],
    ['=$A:B+2:$5', ['cells $A:B', 'cells 2:$5']],
    ["='It''s'!A1+Sheet2!B2:C3", ["cells 'It''s'!A1", 'cells Sheet2!B2:C3']],
    ['=SUM(Sheet1!A1:Sheet1!A3)', ['call SUM(', 'cells Sheet1!A1:Sheet1!A3']],
    ['=SUM(A1:Sheet2!A3)', ['call SUM(', 'cells A1', 'cells Sheet2!A3']],
    ["=SUM(Jan:Mar!A1)+'Jan 1:Mar 1'!A1", ['call SUM(', 'cells Jan:Mar!A1', "cells 'Jan 1:Mar 1'!A1"]],
    ['=A1:INDEX(B:B,3)', ['cells A1', 'call INDEX(', 'cells B:B', 'list ,', 'number 3']],
    ['=SUM(A1:C1 B1:B3)', ['call SUM(', 'cells A1:C1', 'cells B1:B3']],
    ['=1E5+.5+2.5E-3', ['number 1E5', 'number .5', 'number 2.5E-3']],
    ['=LOG10(C2)+LOG10 (C2)+LOG10', ['call LOG10(', 'cells C2', 'call LOG10 (', 'cells C2', 'cells LOG10']],
    ['="A1 ""B2"""&A1', ['text "A1 ""B2"""', 'cells A1']],
    ['={1,"A1}";A2}', ['array {1,"A1}";A2}']],
    ['=A1#+@B2', ['cells A1', 'cells B2']],
    ['=#REF!A1:B2+Sheet1!#REF!+#N/A', ['error #REF!A1:B2', 'error Sheet1!#REF!', 'error #N/A']],
    ['=#REF!A1:INDEX(A1,1)', ['error #REF!A1', 'call INDEX(', 'cells A1', 'list ,', 'number 1']],
    ['=Table1[[#This Row],[A1]]+[@A1]', ['structured Table1[[#This Row],[A1]]', 'structured [@A1]']],
    ["=Table1[it''s '[A1']]", ["structured Table1[it''s '[A1']]"]],
    [
      "=[1]Sheet1!A1+'[Prices 1.xlsx]Sheet1'!B2+[Prices.xlsx]Sheet1!Rate",
      ['cells [1]Sheet1!A1', "cells '[Prices 1.xlsx]Sheet1'!B2", 'name [Prices.xlsx]Sheet1!Rate'],
    ],
    ['=Sheet1!Rate*vat.high+XFE1+A0', ['name Sheet1!Rate', 'name vat.high', 'name XFE1', 'name A0']],
    ['=IF(TRUE,A1A,A1.b)', ['call IF(', 'name TRUE', 'list ,', 'name A1A', 'list ,', 'name A1.b']],
  ])('of %s', (formula, tokens) => {
    expect(read(formula)).toEqual(tokens);
  });

  test('stand where they say, in any text', () => {
    const piece = fc.constantFrom(
      ...[
        'A1',
        ':',
        ' ',
        '$',
        "'",
        "''",
        '"',
        '[',
        ']',
        '!',
        'Sheet1',
        '#',
        '#REF!',
        '(',
        ')',
        '{',
        '}',
        ',',
        '1',
        '@',
      ],
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.array(piece).map((all) => all.join('')),
        ),
        (text) => {
          let end = 0;
          for (const token of tokensOf(text)) {
            expect(token.index).toBeGreaterThanOrEqual(end);
            expect(text.slice(token.index, token.index + token.text.length)).toBe(token.text);
            end = token.index + token.text.length;
          }
          expect(rewriteTokens(text, () => undefined)).toBe(text);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('are found at once in a long formula that is no formula', () => {
    for (const text of ['[', '{"', "'", 'A1:', 'Sheet', '#REF!', '1', 'A.', '""', "[''", '\\'].map((one) =>
      one.repeat(4000),
    ))
      expect(() => [...tokensOf(`=${text}`)]).not.toThrow();
  });
});
