import { describe, expect, test } from 'vitest';
import { failure, openEmpty } from '../../../testing/addin/emptyWorkbook.ts';

type Columns = Record<string, unknown[]>;

/** A table `Data` with these columns from A1 on. */
const withData = async (columns: Columns) => {
  const excel = openEmpty();
  const names = Object.keys(columns);
  const rows = Object.values(columns)[0]!.map((_, row) => names.map((name) => columns[name]![row]));
  await excel.Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    const range = sheet.getRangeByIndexes(0, 0, rows.length + 1, names.length);
    range.values = [names, ...rows];
    sheet.tables.add(range, true).name = 'Data';
    await context.sync();
  });
  return excel;
};

/** The numbers of the rows of data that a filter shows, from 1. */
const shownBy = async (columns: Columns, filter: (of: Excel.Filter) => void, now?: Date): Promise<number[]> => {
  const { Excel, workbook } = await withData(columns);
  if (now) workbook.now = () => now;
  await Excel.run(async (context) => {
    filter(context.workbook.tables.getItem('Data').columns.getItemAt(0).filter);
    await context.sync();
  });
  const count = Object.values(columns)[0]!.length;
  return Array.from({ length: count }, (_, index) => index + 1).filter((row) => !workbook.active.rows[row]?.filtered);
};

describe('A custom filter', () => {
  const names = { Name: ['apple', 'Apricot', 'banana', '', 'a*c', 5, 55] };
  // Expected from Microsoft's support pages, "Filter data in a range or table" and "Using wildcard characters".
  test.each<[string, string | undefined, Excel.FilterOperator | undefined, number[]]>([
    ['=a*', undefined, undefined, [1, 2, 5]],
    ['=?pple', undefined, undefined, [1]],
    ['=a~*c', undefined, undefined, [5]],
    ['<>a*', undefined, undefined, [3, 4, 6, 7]],
    ['=*5*', undefined, undefined, []],
    ['=5', undefined, undefined, [6]],
    ['>5', undefined, undefined, [7]],
    ['=', undefined, undefined, [4]],
    ['<>', undefined, undefined, [1, 2, 3, 5, 6, 7]],
    ['=apple', '=banana', 'Or' as Excel.FilterOperator, [1, 3]],
    ['=a*', '<>*t', 'And' as Excel.FilterOperator, [1, 5]],
    ['>=5', '<55', 'And' as Excel.FilterOperator, [6]],
  ])('%s %s %s shows the rows that Excel shows', async (first, second, operator, expected) => {
    expect(await shownBy(names, (filter) => filter.applyCustomFilter(first, second, operator))).toEqual(expected);
  });

  test('compares with a date as the API spells it', async () => {
    const dates = { Date: ['1/15/2026', '2/1/2026', '3/31/2026'] };
    expect(await shownBy(dates, (filter) => filter.applyCustomFilter('>=2/1/2026'))).toEqual([2, 3]);
  });
});

describe('A filter for the largest or smallest', () => {
  const numbers = { Amount: [10, 40, 'text', 30, 20, 40, '', 50] };
  test.each<[string, (filter: Excel.Filter) => void, number[]]>([
    ['two items from the top, with those that are equal', (filter) => filter.applyTopItemsFilter(2), [2, 6, 8]],
    ['two items from the bottom', (filter) => filter.applyBottomItemsFilter(2), [1, 5]],
    ['half of six numbers from the top', (filter) => filter.applyTopPercentFilter(50), [2, 6, 8]],
    ['a percent, which is one number at least', (filter) => filter.applyBottomPercentFilter(1), [1]],
  ])('shows %s', async (_, filter, expected) => {
    expect(await shownBy(numbers, filter)).toEqual(expected);
  });

  test.each([0, 501, 1.5, -1])('refuses %d items', async (count) => {
    expect((await failure(shownBy(numbers, (filter) => filter.applyTopItemsFilter(count)))).code).toBe(
      'InvalidArgument',
    );
  });
});

describe('A dynamic filter', () => {
  test('shows what is above or below the average', async () => {
    const numbers = { Amount: [1, 2, 6, 'x', 3] };
    expect(await shownBy(numbers, (filter) => filter.applyDynamicFilter('AboveAverage'))).toEqual([3]);
    expect(await shownBy(numbers, (filter) => filter.applyDynamicFilter('BelowAverage'))).toEqual([1, 2]);
  });

  // Wednesday 14 January 2026, in the afternoon.
  const now = new Date(2026, 0, 14, 15, 30);
  const dates = [
    ...['1/15/2025', '10/1/2025', '12/31/2025', '1/1/2026', '1/4/2026', '1/10/2026', '1/11/2026', '1/13/2026'],
    ...['1/14/2026 23:59', '1/15/2026', '1/17/2026', '1/18/2026', '2/1/2026', '4/30/2026', '1/1/2027', 'no date'],
  ];
  const of = (...found: string[]) => found.map((date) => dates.indexOf(date) + 1);
  test.each<[Parameters<Excel.Filter['applyDynamicFilter']>[0], number[]]>([
    ['Yesterday', of('1/13/2026')],
    ['Today', of('1/14/2026 23:59')],
    ['Tomorrow', of('1/15/2026')],
    ['LastWeek', of('1/4/2026', '1/10/2026')],
    ['ThisWeek', of('1/11/2026', '1/13/2026', '1/14/2026 23:59', '1/15/2026', '1/17/2026')],
    ['NextWeek', of('1/18/2026')],
    ['LastMonth', of('12/31/2025')],
    ['NextMonth', of('2/1/2026')],
    ['LastQuarter', of('10/1/2025', '12/31/2025')],
    ['NextQuarter', of('4/30/2026')],
    ['LastYear', of('1/15/2025', '10/1/2025', '12/31/2025')],
    ['NextYear', of('1/1/2027')],
    ['YearToDate', of('1/1/2026', '1/4/2026', '1/10/2026', '1/11/2026', '1/13/2026', '1/14/2026 23:59')],
    ['AllDatesInPeriodFebruray', of('2/1/2026')],
    ['AllDatesInPeriodQuarter4', of('10/1/2025', '12/31/2025')],
    ['AllDatesInPeriodApril', of('4/30/2026')],
  ])('%s shows its days only', async (criterion, expected) => {
    expect(await shownBy({ Date: dates }, (filter) => filter.applyDynamicFilter(criterion), now)).toEqual(expected);
  });

  test('of this month, quarter and year shows the first and last day', async () => {
    const days = { Date: ['12/31/2025', '1/1/2026', '1/31/2026', '3/31/2026', '4/1/2026', '12/31/2026', '1/1/2027'] };
    const shown = (criterion: 'ThisMonth' | 'ThisQuarter' | 'ThisYear') =>
      shownBy(days, (filter) => filter.applyDynamicFilter(criterion), now);
    expect(await shown('ThisMonth')).toEqual([2, 3]);
    expect(await shown('ThisQuarter')).toEqual([2, 3, 4]);
    expect(await shown('ThisYear')).toEqual([2, 3, 4, 5, 6]);
  });
});

test('A filter of values takes texts as cells show them, blanks, and dates up to a part of them', async () => {
  const cells = { Value: ['Bolt', 'nut', '', '4/2/2005', '4/30/2005', '5/1/2005', '4/2/2006 10:30', 3] };
  const by = (values: (string | Excel.FilterDatetime)[]) =>
    shownBy(cells, (filter) => filter.applyValuesFilter(values as string[]));
  const date = (specificity: Excel.FilterDatetime['specificity'], iso = '2005-04-02') => ({ date: iso, specificity });
  expect(await by(['BOLT', '', '3'])).toEqual([1, 3, 8]);
  expect(await by([date('Year')])).toEqual([4, 5, 6]);
  expect(await by([date('Month')])).toEqual([4, 5]);
  expect(await by([date('Day')])).toEqual([4]);
  expect(await by([date('Minute', '2006-04-02T10:30:00Z'), 'nut'])).toEqual([2, 7]);
});

describe('Filters that the simulated workbook does not have', () => {
  test.each<[string, (filter: Excel.Filter) => void]>([
    ['cell colours', (filter) => filter.applyCellColorFilter('#FF0000')],
    ['font colours', (filter) => filter.applyFontColorFilter('#FF0000')],
    ['cell colours in criteria', (filter) => filter.apply({ filterOn: 'CellColor', color: '#FF0000' })],
    ['icons', (filter) => filter.apply({ filterOn: 'Icon', icon: { set: 'ThreeArrows', index: 0 } })],
    ['rich values', (filter) => filter.apply({ filterOn: 'Values', values: ['a'], subField: 'Name' })],
  ])('are refused as not there: %s', async (_, filter) => {
    expect((await failure(shownBy({ A: ['a', 'b'] }, filter))).code).toBe('ApiNotFound');
  });

  test.each<[string, object]>([
    ['no kind', { criterion1: '>1' }],
    ['an unknown kind', { filterOn: 'Everything' }],
    ['an unknown member', { filterOn: 'Custom', criterion1: '>1', criteria: '>2' }],
    ['a custom filter without criterion', { filterOn: 'Custom' }],
    ['an unknown operator', { filterOn: 'Custom', criterion1: '>1', criterion2: '<9', operator: 'Xor' }],
    ['values that are none', { filterOn: 'Values' }],
    ['a number among values', { filterOn: 'Values', values: [1] }],
    ['a date that is none', { filterOn: 'Values', values: [{ date: 'yesterday', specificity: 'Day' }] }],
    ['more of a date than there is', { filterOn: 'Values', values: [{ date: '2026-01', specificity: 'Day' }] }],
    ['an unknown period', { filterOn: 'Dynamic', dynamicCriteria: 'Unknown' }],
  ])('and criteria with %s are refused, and leave the filter before them', async (_, criteria) => {
    const { Excel, workbook } = await withData({ A: [1, 2, 3] });
    const attempt = Excel.run(async (context) => {
      const { filter } = context.workbook.tables.getItem('Data').columns.getItemAt(0);
      filter.applyCustomFilter('>2');
      filter.apply(criteria as Excel.FilterCriteria);
      await context.sync();
    });
    expect((await failure(attempt)).code).toBe('InvalidArgument');
    expect([...workbook.active.tables[0]!.filters.values()]).toEqual([{ filterOn: 'Custom', criterion1: '>2' }]);
  });

  test('are refused for a sheet as for a table', async () => {
    const { Excel, workbook } = openEmpty();
    const apply = (criteria: Excel.FilterCriteria, address = 'A1:A4') =>
      Excel.run(async (context) => {
        const sheet = context.workbook.worksheets.getActiveWorksheet();
        sheet.getRange('A1:A4').values = [['N'], [1], [2], [3]];
        sheet.autoFilter.apply(sheet.getRange(address), 0, criteria);
        await context.sync();
      });
    await apply({ filterOn: 'TopItems', criterion1: '1' });
    const hidden = () => workbook.active.rows.flatMap((row, index) => (row?.filtered ? [index + 1] : []));
    expect(hidden()).toEqual([2, 3]);
    expect((await failure(apply({ filterOn: 'FontColor', color: '#FF0000' }))).code).toBe('ApiNotFound');
    expect((await failure(apply({ filterOn: 'Custom' }))).code).toBe('InvalidArgument');
    expect(hidden()).toEqual([2, 3]);
    // There is one filter on a sheet: another range takes its place.
    await apply({ filterOn: 'BottomItems', criterion1: '1' }, 'A1:A3');
    expect(hidden()).toEqual([3]);
  });
});

describe('A sort', () => {
  const sorted = async (values: unknown[][], sort: (range: Excel.Range) => void) => {
    const { Excel } = openEmpty();
    return await Excel.run(async (context) => {
      const sheet = context.workbook.worksheets.getActiveWorksheet();
      const range = sheet.getRangeByIndexes(0, 0, values.length, values[0]!.length);
      range.values = values;
      sort(range);
      range.load('values,formulas');
      await context.sync();
      return range.formulas;
    });
  };

  test('from left to right moves columns, with formulas that follow them', async () => {
    const values = [
      ['c', 'a', 'b'],
      [3, 1, 2],
      ['=A2*2', '=B2*2', '=C2*2'],
    ];
    const columns = 'Columns' as Excel.SortOrientation;
    expect(await sorted(values, ({ sort }) => sort.apply([{ key: 0 }], false, false, columns))).toEqual([
      ['a', 'b', 'c'],
      [1, 2, 3],
      ['=A2*2', '=B2*2', '=C2*2'],
    ]);
    const withHeaders = [['Total', ...values[1]!]];
    expect(
      await sorted(withHeaders, ({ sort }) => sort.apply([{ key: 0, ascending: false }], false, true, columns)),
    ).toEqual([['Total', 3, 2, 1]]);
  });

  test('from left to right is refused for a table, and by a row that is not there', async () => {
    const { Excel } = await withData({ B: [1], A: [2] });
    const attempt = (address: string, key: number) =>
      Excel.run(async (context) => {
        const { sort } = context.workbook.worksheets.getActiveWorksheet().getRange(address);
        sort.apply([{ key }], false, false, 'Columns' as Excel.SortOrientation);
        await context.sync();
      });
    expect((await failure(attempt('A1:B2', 0))).code).toBe('InvalidOperation');
    expect((await failure(attempt('D1:E2', 2))).code).toBe('InvalidArgument');
  });

  test('that matches case puts small letters first, and one that does not keeps their order', async () => {
    const values = [['B'], ['b'], ['A'], ['a']];
    expect(await sorted(values, ({ sort }) => sort.apply([{ key: 0 }], true))).toEqual([['a'], ['A'], ['b'], ['B']]);
    expect(await sorted(values, ({ sort }) => sort.apply([{ key: 0 }]))).toEqual([['A'], ['a'], ['B'], ['b']]);
  });

  test('of a table is remembered with its case, and repeated so', async () => {
    const { Excel } = await withData({ A: ['b', 'B', 'a'] });
    await Excel.run(async (context) => {
      const table = context.workbook.tables.getItem('Data');
      table.sort.apply([{ key: 0 }], true);
      table.rows.add(undefined, [['A']]);
      table.sort.reapply();
      table.sort.load('matchCase,fields');
      const body = table.getDataBodyRange().load('values');
      await context.sync();
      expect(table.sort.matchCase).toBe(true);
      expect(table.sort.fields).toMatchObject([{ key: 0, ascending: true, sortOn: 'Value' }]);
      expect(body.values).toEqual([['a'], ['A'], ['b'], ['B']]);
    });
  });

  test('takes text as numbers where its field says so', async () => {
    const values = [["'10"], [9], ["'1"]];
    const texts = (rows: unknown[][]) => rows.map(([value]) => String(value));
    expect(texts(await sorted(values, ({ sort }) => sort.apply([{ key: 0 }])))).toEqual(['9', '1', '10']);
    const field = { key: 0, dataOption: 'TextAsNumber' as const };
    expect(texts(await sorted(values, ({ sort }) => sort.apply([field])))).toEqual(['1', '9', '10']);
  });

  test.each<[string, object, string]>([
    ['cell colours', { key: 0, sortOn: 'CellColor', color: '#FF0000' }, 'ApiNotFound'],
    ['font colours', { key: 0, sortOn: 'FontColor', color: '#FF0000' }, 'ApiNotFound'],
    ['icons', { key: 0, sortOn: 'Icon', icon: { set: 'ThreeArrows', index: 0 } }, 'ApiNotFound'],
    ['rich values', { key: 0, subField: 'Name' }, 'ApiNotFound'],
    ['something else', { key: 0, sortOn: 'Weather' }, 'InvalidArgument'],
    ['a column that is not there', { key: 2 }, 'InvalidArgument'],
    ['half a column', { key: 0.5 }, 'InvalidArgument'],
  ])('by %s is refused', async (_, field, code) => {
    const attempt = sorted([['b'], ['a']], ({ sort }) => sort.apply([field as Excel.SortField]));
    expect((await failure(attempt)).code).toBe(code);
  });

  test('by strokes, by nothing and by more than 64 conditions is refused', async () => {
    const by = async (fields: Excel.SortField[], method?: Excel.SortMethod) => {
      const attempt = sorted([['b'], ['a']], ({ sort }) => sort.apply(fields, false, false, undefined, method));
      return (await failure(attempt)).code;
    };
    expect(await by([{ key: 0 }], 'StrokeCount' as Excel.SortMethod)).toBe('ApiNotFound');
    expect(await by([])).toBe('InvalidArgument');
    expect(await by([null as unknown as Excel.SortField])).toBe('InvalidArgument');
    expect(await by(Array.from({ length: 65 }, () => ({ key: 0 })))).toBe('InvalidArgument');
  });
});
