import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { openExcel } from '../node.ts';
import { writeFile } from '../savedFile/writeFile.ts';
import { deleteCells, insertCells } from '../workbook/changes/shift.ts';
import { Workbook } from '../workbook/workbook.ts';
import { chartData } from './chartSeries.ts';
import { plotOf } from './plot.ts';

/** A workbook with the debts of two customers, and a chart of them. */
async function withChart() {
  const workbook = new Workbook();
  const { Excel } = openExcel(workbook);
  await Excel.run(async (context) => {
    const sheet = context.workbook.worksheets.getActiveWorksheet();
    sheet.getRange('B3:D5').values = [
      ['Customer', 'Not due', 'Late'],
      ['Jansen & Zn', 100, 20.5],
      ['De Vries', 30, -5],
    ];
    const chart = sheet.charts.add('BarStacked', sheet.getRange('B3:D5'), 'Columns');
    chart.name = 'Owed';
    chart.title.text = 'Owed by <customer>';
    chart.setPosition('A7', 'D20');
    chart.axes.categoryAxis.reversePlotOrder = true;
    chart.axes.valueAxis.tickLabelPosition = 'High';
    await context.sync();
  });
  return { workbook, Excel, chart: () => workbook.sheets[0]!.charts[0]! };
}

describe('a chart', () => {
  test('shows its cells: the headings above are its series, the texts beside its categories', async () => {
    const { workbook, chart } = await withChart();
    expect(chartData(workbook, chart())).toEqual({
      categories: ['Jansen & Zn', 'De Vries'],
      series: [
        { name: 'Not due', values: [100, 30] },
        { name: 'Late', values: [20.5, -5] },
      ],
      numberFormat: 'General',
    });
    // Columns of 48 points, rows of 15.
    expect(chart()).toMatchObject({ left: 0, top: 90, width: 192, height: 210 });
  });

  test('can be found, read, changed and deleted by the client', async () => {
    const { workbook, Excel } = await withChart();
    await Excel.run(async (context) => {
      const { charts } = context.workbook.worksheets.getActiveWorksheet();
      charts.load({ name: true, title: { text: true }, series: { name: true } });
      const none = charts.getItemOrNullObject('Nothing').load('name');
      await context.sync();
      expect(none.isNullObject).toBe(true);
      const [chart] = charts.items;
      expect([chart!.name, chart!.title.text, chart!.series.items.map(({ name }) => name)]).toEqual([
        'Owed',
        'Owed by <customer>',
        ['Not due', 'Late'],
      ]);
      charts.getItem('owed').setData(context.workbook.worksheets.getActiveWorksheet().getRange('B3:C4'), 'Rows');
      await context.sync();
      expect(chartData(workbook, workbook.sheets[0]!.charts[0]!)).toMatchObject({
        categories: ['Not due'],
        series: [{ name: 'Jansen & Zn', values: [100] }],
      });
      charts.getItem('Owed').delete();
      const count = charts.getCount();
      await context.sync();
      expect(count.value).toBe(0);
    });
  });

  test('is refused when its type is unsupported, or its name that of another', async () => {
    const { Excel } = await withChart();
    const add = (type: 'Radar' | 'BarClustered', name: string) =>
      Excel.run(async (context) => {
        const sheet = context.workbook.worksheets.getActiveWorksheet();
        sheet.charts.add(type, sheet.getRange('B3:D5')).name = name;
        await context.sync();
      }).then(
        () => 'added',
        ({ code }: { code: string }) => code,
      );
    expect(await add('Radar', 'Radar')).toBe('ApiNotFound');
    expect(await add('BarClustered', 'OWED')).toBe('InvalidArgument');
  });

  test('follows its cells when rows are inserted before them, and is empty after they are deleted', async () => {
    const { workbook, chart } = await withChart();
    const sheet = workbook.active;
    insertCells(sheet, { row: 0, column: 0, rows: 4, columns: 16_384 }, 'Down');
    expect(chart().source!.area).toEqual({ row: 6, column: 1, rows: 3, columns: 3 });
    deleteCells(sheet, { row: 0, column: 0, rows: 12, columns: 16_384 }, 'Up');
    expect(chartData(workbook, chart()).series).toEqual([]);
  });

  test('on a copied sheet shows the cells of the copy', async () => {
    const { workbook, Excel } = await withChart();
    await Excel.run(async (context) => {
      const copy = context.workbook.worksheets.getActiveWorksheet().copy('End');
      copy.getRange('C4').values = [[7]];
      await context.sync();
    });
    const [first, second] = workbook.sheets.map(({ charts }) => chartData(workbook, charts[0]!).series[0]!.values);
    expect([first, second]).toEqual([
      [100, 30],
      [7, 30],
    ]);
  });
});

describe('the bars of a chart', () => {
  const data = { categories: ['a', 'b'], numberFormat: 'General' };

  test('are end to end when they are stacked, with negative ones on the other side of zero', () => {
    const series = [
      { name: 'x', values: [60, 10] },
      { name: 'y', values: [40, -20] },
    ];
    const { bars, ticks, zero } = plotOf({ ...data, series }, true);
    expect(ticks.map(({ value }) => value)).toEqual([-20, 0, 20, 40, 60, 80, 100]);
    expect(zero).toBeCloseTo(1 / 6);
    const first = bars.filter(({ category }) => category === 0);
    expect([first[0]!.from, first[0]!.to, first[1]!.from, first[1]!.to]).toEqual([
      expect.closeTo(1 / 6),
      expect.closeTo(4 / 6),
      expect.closeTo(4 / 6),
      expect.closeTo(1),
    ]);
    expect(bars.find(({ category, series: index }) => category === 1 && index === 1)).toMatchObject({ from: 0 });
  });

  test('begin at zero, beside each other, when they are clustered', () => {
    const series = [
      { name: 'x', values: [50, 0] },
      { name: 'y', values: [25, 0] },
    ];
    const { bars } = plotOf({ ...data, series }, false);
    expect(bars.map(({ from }) => from)).toEqual([0, 0]);
    expect(bars[0]!.start + bars[0]!.size).toBeCloseTo(bars[1]!.start);
  });

  test('do not exist for an empty chart', () => {
    expect(plotOf({ categories: [], series: [], numberFormat: 'General' }, true).bars).toEqual([]);
  });
});

describe('a downloaded workbook', () => {
  test('has the chart as a part that its sheet refers to', async () => {
    const { workbook, Excel } = await withChart();
    await Excel.run(async (context) => {
      const { series } = context.workbook.worksheets.getActiveWorksheet().charts.getItem('Owed');
      series.getItemAt(0).format.fill.setSolidColor('red');
      series.getItemAt(0).format.fill.clear();
      series.getItemAt(1).format.fill.setSolidColor('#a94410');
      await context.sync();
    });
    expect(workbook.sheets[0]!.charts[0]!.seriesColors).toEqual([undefined, '#A94410']);
    const file = await writeFile(workbook, '8e9b2af3-7cb4-48ed-836e-ae08f8e731ea');
    const parts = Object.fromEntries(
      Object.entries(unzipSync(file)).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]),
    );
    const part = parts['xl/charts/chart1.xml']!;
    expect(XMLValidator.validate(part)).toBe(true);
    expect(parts['[Content_Types].xml']).toContain('PartName="/xl/charts/chart1.xml"');
    expect(parts['xl/worksheets/sheet1.xml']).toMatch(/<drawing r:id="/);
    expect(parts['xl/drawings/_rels/drawing1.xml.rels']).toContain('Target="../charts/chart1.xml"');
    const parser = new XMLParser({ ignoreAttributes: false, removeNSPrefix: true, isArray: (name) => name === 'ser' });
    const { barChart, catAx } = parser.parse(part).chartSpace.chart.plotArea;
    expect(catAx.scaling.orientation['@_val']).toBe('maxMin');
    expect(barChart.grouping['@_val']).toBe('stacked');
    expect(barChart.ser.map((series: { val: { numRef: { f: string } } }) => series.val.numRef.f)).toEqual([
      'Sheet1!$C$4:$C$5',
      'Sheet1!$D$4:$D$5',
    ]);
    expect(part).toContain('<a:t>Owed by &lt;customer&gt;</a:t>');
    expect(barChart.ser[1].spPr.solidFill.srgbClr['@_val']).toBe('A94410');
    // From A7 to the end of D20, whatever height another program gives to rows.
    const { twoCellAnchor } = parser.parse(parts['xl/drawings/drawing1.xml']!).wsDr;
    expect([twoCellAnchor.from, twoCellAnchor.to]).toEqual([
      { col: 0, colOff: 0, row: 6, rowOff: 0 },
      { col: 4, colOff: 0, row: 20, rowOff: 0 },
    ]);
  });
});
