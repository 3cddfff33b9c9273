import { describe, expect, it } from 'vitest';
import { columnPoints, type TableSpec } from '../../excel/tables/table.ts';
import { messagesOf } from '../locales/messages.ts';
import { type Language, languages } from '../locales/words.ts';
import { type ListViewName, tablesOf } from '../pulledLists/list.ts';
import { lists } from '../pulledLists/lists.ts';
import { productTable } from './productTable.ts';
import { requestSheets } from './requestSheets.ts';
import { requestTable } from './requestTable.ts';

/** A bold letter of Calibri 11 takes 8 pixels on average, a cell 5 more than its text, and a point is 4/3 pixels. */
const pointsOf = (text: string): number => ((text.length * 8 + 5) * 3) / 4;

const administration = { id: '1', label: 'Bloemenhof' };

describe('A column of codes is wide enough for its words', () => {
  const longest: [ListViewName, table: string, column: string, Record<Language, string>][] = [
    [
      'trialBalance',
      'trialBalance',
      'LedgerType',
      {
        en: 'Income statement',
        nl: 'Winst en verlies',
        fr: 'Compte de résultats',
      },
    ],
    [
      'accountCard',
      'accountCard',
      'Journal',
      {
        en: 'Purchase journal',
        nl: 'Verkoopboek',
        fr: 'Journal des opérations diverses',
      },
    ],
    [
      'vatReturn',
      'vatListing',
      'Nature',
      {
        en: 'Supplies of services',
        nl: 'Driehoeksleveringen (ABC)',
        fr: 'Prestations de services',
      },
    ],
    [
      'relations',
      'relationCustomFields',
      'FieldType',
      {
        en: 'Decimal number',
        nl: 'Decimaal getal',
        fr: 'Liste de choix',
      },
    ],
  ];
  it.each(longest)('in a row of totals too, in every language: %s, %s, %s', (view, name, key, words) => {
    for (const language of languages) {
      const every = Object.fromEntries(Object.keys(lists[view].further).map((further) => [further, 'true']));
      const { table } = tablesOf(lists[view], every).find(({ table }) => table.name === name)!;
      const { width, heading } = table.columnsIn(messagesOf[language]).find((column) => column.key === key)!;
      expect(columnPoints(width, heading)).toBeGreaterThanOrEqual(pointsOf(words[language]));
    }
  });

  it('in every sheet to fill in, for each word that it offers and each status, in every language', () => {
    const tooNarrow = languages.flatMap((language) =>
      [
        productTable(messagesOf[language], administration, 'Relative'),
        ...Object.values(requestSheets).map((sheet) => requestTable(sheet, messagesOf[language], administration)),
      ].flatMap(({ columns, sheetName }: TableSpec<never>) => {
        return columns.flatMap(({ key, choices = [], width, heading }) =>
          (key === 'Status' ? Object.values(messagesOf[language].status) : choices)
            .filter((word) => columnPoints(width, heading) < pointsOf(word))
            .map((word) => `${sheetName}, ${heading}: ${word}`),
        );
      }),
    );
    expect(tooNarrow).toEqual([]);
  });
});
