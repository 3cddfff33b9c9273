import { expect, test } from 'vitest';
import { turnReferences } from './fixedReferences.ts';
import type { Spelling } from './formulaTokens.ts';
import { english } from './formulaTokens.ts';

const dutch: Spelling = { decimal: ',', list: ';' };

/** A formula in which `|` is the caret, or two are the ends of what is selected, as it is after F4. */
function afterF4(written: string, spelling = english): string {
  const [before = '', selected = '', after] = written.split('|');
  const [text, start] = [written.replaceAll('|', ''), before.length];
  const turned = turnReferences(text, start, after === undefined ? start : start + selected.length, spelling);
  if (turned === undefined) return 'nothing';
  const { text: now, start: from, end } = turned;
  return from === end
    ? `${now.slice(0, from)}|${now.slice(from)}`
    : `${now.slice(0, from)}|${now.slice(from, end)}|${now.slice(end)}`;
}

// Microsoft's "Switch between relative, absolute, and mixed references".
test('F4 turns a reference from relative to absolute, to its row, to its column, and back', () => {
  const seen = ['=A1|'];
  for (let times = 0; times < 4; times += 1) seen.push(afterF4(seen.at(-1)!));
  expect(seen).toEqual(['=A1|', '=$A$1|', '=A$1|', '=$A1|', '=A1|']);
});

test.each([
  ['the reference that the caret is in', '=B1+A1|2*C3', '=B1+$A$12|*C3'],
  ['the one that the caret is before', '=B1+|A12', '=B1+$A$12|'],
  ['in capitals or not, as it is typed', '=aa1|0', '=$aa$10|'],
  ['the first cell of an area', '=SUM(C2|:C2)', '=SUM($C$2|:C2)'],
  ['the last cell of an area', '=SUM(C2:C2|)', '=SUM(C2:$C$2|)'],
  ['all that is selected', '=SUM(|C2:D9|,C1)', '=SUM(|$C$2:$D$9|,C1)'],
  ['all that is selected in part', '=A|1+B|2+C3', '=|$A$1+$B$2|+C3'],
  ['selected references alike, by the first one', '=|A$1+B2|', '=|$A1+$B2|'],
  ['one of another sheet, not the sheet', "='Q1 A1'!A1|", "='Q1 A1'!$A$1|"],
  ['whole columns', '=SUM(A:B|)', '=SUM($A:$B|)'],
  ['whole columns back', '=SUM($A:$B|)', '=SUM(A:B|)'],
  ['whole rows', '=SUM(2:3|)', '=SUM($2:$3|)'],
  ['what a formula is not finished with', '=IF(SUM(A1:B2|', '=IF(SUM(A1:$B$2|'],
  ['no name, number or text', '="A1|"&Rate1A', 'nothing'],
  ['a reference of a formula that begins without =', '+A1|', '+$A$1|'],
  ['nothing where no reference is', '=A1+1|+B1', 'nothing'],
  ['no text that is no formula', 'A1|', 'nothing'],
])('F4 turns %s', (_, written, expected) => {
  expect(afterF4(written)).toBe(expected);
});

test('F4 turns references in a formula of another language', () => {
  expect(afterF4('=SOM(A1;B|1;1,5)', dutch)).toBe('=SOM(A1;$B$1|;1,5)');
});
