import type { Feature } from 'write-excel-file/universal';
import { extent } from '../interpreter/rangeSizes.ts';
import { type Area, fixedAddress } from '../workbook/cells/address.ts';
import { numberFormatAt, type Sheet } from '../workbook/sheet.ts';
import type { Workbook } from '../workbook/workbook.ts';
import type { Chart, ChartAxis } from './chart.ts';
import { chartData, seriesCells, seriesColor } from './chartSeries.ts';

/* Charts as parts of a downloaded workbook: ECMA-376, DrawingML charts. The order of elements is the schema's. */

const PACKAGE = 'http://schemas.openxmlformats.org';
const OFFICE = `${PACKAGE}/officeDocument/2006/relationships`;
const CHART = `${PACKAGE}/drawingml/2006/chart`;
const DRAWING = `${PACKAGE}/drawingml/2006/main`;

/** English Metric Units: 914,400 an inch, and an inch is 72 points. */
const emu = (points: number): number => Math.round(points * 12_700);

/** The name of a chart's part, by the indexes of its sheet and of the chart. */
const partName = (sheet: number, chart: number): string => `chart${sheet + 1}-${chart + 1}.xml`;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character]!);

/** The feature of write-excel-file that writes the charts of a workbook. */
export const chartsFeature = (workbook: Workbook) => {
  const chartsOf = (sheet: number): Chart[] => workbook.sheets[sheet]?.charts ?? [];
  const everywhere = workbook.sheets.flatMap(({ charts }, sheet) =>
    charts.map((chart, index) => ({ chart, name: partName(sheet, index) })),
  );
  return {
    files: {
      transform: {
        '[Content_Types].xml': {
          insert: () =>
            everywhere
              .map(
                ({ name }) =>
                  `<Override PartName="/xl/charts/${name}" ContentType="application/vnd.openxmlformats-officedocument.drawingml.chart+xml"/>`,
              )
              .join(''),
        },
        'xl/drawings/drawing{id}.xml': {
          insert: (_, { sheetIndex }) =>
            chartsOf(sheetIndex)
              .map((chart, index) => anchor(workbook.sheets[sheetIndex]!, chart, index))
              .join(''),
        },
        'xl/drawings/_rels/drawing{id}.xml.rels': {
          insert: (_, { sheetIndex }) =>
            chartsOf(sheetIndex)
              .map(
                (_chart, index) =>
                  `<Relationship Id="rId-chart-${index + 1}" Type="${OFFICE}/chart" Target="../charts/${partName(sheetIndex, index)}"/>`,
              )
              .join(''),
        },
      },
      write: {
        files: () =>
          Object.fromEntries(everywhere.map(({ chart, name }) => [`xl/charts/${name}`, chartPart(workbook, chart)])),
      },
    },
  } satisfies Feature<unknown>;
};

/** The cell at a distance from the first one, and the rest of that distance within the cell. */
function cellAt(sheet: Sheet, axis: 'column' | 'row', points: number): { index: number; offset: number } {
  let [index, offset] = [0, points];
  for (let size = extent(sheet, axis, 0, 1); offset >= size; size = extent(sheet, axis, index, 1)) {
    offset -= size;
    index += 1;
  }
  return { index, offset };
}

const corner = (name: 'from' | 'to', sheet: Sheet, left: number, top: number): string => {
  const [column, row] = [cellAt(sheet, 'column', left), cellAt(sheet, 'row', top)];
  return (
    `<xdr:${name}><xdr:col>${column.index}</xdr:col><xdr:colOff>${emu(column.offset)}</xdr:colOff>` +
    `<xdr:row>${row.index}</xdr:row><xdr:rowOff>${emu(row.offset)}</xdr:rowOff></xdr:${name}>`
  );
};

/**
 * The place of a chart on its sheet: between two cells, since another program may give rows another height, and the
 * chart would cover other cells then.
 */
const anchor = (sheet: Sheet, { name, left, top, width, height }: Chart, index: number): string =>
  `<xdr:twoCellAnchor>${corner('from', sheet, left, top)}${corner('to', sheet, left + width, top + height)}` +
  `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${1001 + index}" name="${escaped(name)}"/>` +
  '<xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>' +
  `<a:graphic><a:graphicData uri="${CHART}"><c:chart xmlns:c="${CHART}" xmlns:r="${OFFICE}" r:id="rId-chart-${index + 1}"/>` +
  '</a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>';

const flag = (name: string, value: string | number | boolean): string =>
  `<c:${name} val="${typeof value === 'boolean' ? Number(value) : value}"/>`;

/** The file has no theme, so colours are explicit. */
const filled = (color: string): string => `<a:solidFill><a:srgbClr val="${color.slice(1)}"/></a:solidFill>`;

function chartPart(workbook: Workbook, chart: Chart): string {
  const { type, title, legend, categoryAxis, valueAxis } = chart;
  const isBar = type.startsWith('Bar');
  const isStacked = type.endsWith('Stacked');
  const [categoryId, valueId] = [111_111_111, 222_222_222];
  const [categoryPosition, valuePosition] = isBar ? ['l', 'b'] : ['b', 'l'];
  const legendPosition = legend.position === 'Corner' ? 'tr' : legend.position.charAt(0).toLowerCase();
  const shown = [
    title.visible && title.text !== '' ? titleElement(title.text) : '',
    flag('autoTitleDeleted', !(title.visible && title.text !== '')),
    '<c:plotArea><c:layout/><c:barChart>',
    flag('barDir', isBar ? 'bar' : 'col'),
    flag('grouping', isStacked ? 'stacked' : 'clustered'),
    flag('varyColors', false),
    seriesElements(workbook, chart),
    flag('gapWidth', isStacked ? 43 : 182),
    isStacked ? flag('overlap', 100) : '',
    flag('axId', categoryId),
    flag('axId', valueId),
    '</c:barChart><c:catAx>',
    axisElements(categoryAxis, categoryId, valueId, categoryPosition!, ''),
    flag('auto', true),
    flag('lblAlgn', 'ctr'),
    flag('lblOffset', 100),
    flag('noMultiLvlLbl', false),
    '</c:catAx><c:valAx>',
    axisElements(
      valueAxis,
      valueId,
      categoryId,
      valuePosition!,
      `<c:majorGridlines><c:spPr><a:ln w="9525">${filled('#D9D9D9')}</a:ln></c:spPr></c:majorGridlines>`,
      valueAxis.numberFormat ?? chartData(workbook, chart).numberFormat,
    ),
    flag('crossBetween', 'between'),
    '</c:valAx></c:plotArea>',
    legend.visible ? `<c:legend>${flag('legendPos', legendPosition)}${flag('overlay', false)}</c:legend>` : '',
    flag('plotVisOnly', true),
    flag('dispBlanksAs', 'gap'),
  ].join('');
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
    `<c:chartSpace xmlns:c="${CHART}" xmlns:a="${DRAWING}" xmlns:r="${OFFICE}">${flag('roundedCorners', false)}` +
    `<c:chart>${shown}</c:chart></c:chartSpace>`
  );
}

const titleElement = (text: string): string =>
  '<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1400" b="0"/></a:pPr>' +
  `<a:r><a:rPr sz="1400" b="0"/><a:t>${escaped(text)}</a:t></a:r></a:p></c:rich></c:tx>${flag('overlay', false)}</c:title>`;

const labelPositions: Readonly<Record<string, string>> = { High: 'high', Low: 'low', None: 'none' };

const axisElements = (
  axis: ChartAxis,
  id: number,
  crossed: number,
  position: string,
  gridlines: string,
  numberFormat = 'General',
): string =>
  [
    flag('axId', id),
    `<c:scaling>${flag('orientation', axis.reversePlotOrder ? 'maxMin' : 'minMax')}</c:scaling>`,
    flag('delete', !axis.visible),
    flag('axPos', position),
    gridlines,
    axis.title.visible && axis.title.text !== '' ? titleElement(axis.title.text) : '',
    `<c:numFmt formatCode="${escaped(numberFormat)}" sourceLinked="0"/>`,
    flag('majorTickMark', 'none'),
    flag('minorTickMark', 'none'),
    flag('tickLblPos', labelPositions[axis.tickLabelPosition] ?? 'nextTo'),
    flag('crossAx', crossed),
    flag('crosses', 'autoZero'),
  ].join('');

const reference = (sheet: Sheet, area: Area): string => `<c:f>${escaped(fixedAddress(sheet.name, area))}</c:f>`;

const points = (values: readonly (string | number)[]): string =>
  flag('ptCount', values.length) +
  values.map((value, index) => `<c:pt idx="${index}"><c:v>${escaped(String(value))}</c:v></c:pt>`).join('');

/** The series: references to their cells, and the values of these cells when the file was written. */
function seriesElements(workbook: Workbook, chart: Chart): string {
  const cells = seriesCells(workbook, chart);
  if (cells === undefined) return '';
  const { sheet, categories, series } = cells;
  const data = chartData(workbook, chart);
  const texts = (name: string, area: Area, values: readonly string[]) =>
    `<c:${name}><c:strRef>${reference(sheet, area)}<c:strCache>${points(values)}</c:strCache></c:strRef></c:${name}>`;
  return series
    .map(({ heading, values }, index) => {
      const format = escaped(numberFormatAt(sheet, values.row, values.column));
      return [
        `<c:ser>${flag('idx', index)}${flag('order', index)}`,
        heading === undefined ? '' : texts('tx', heading, [data.series[index]!.name]),
        `<c:spPr>${filled(seriesColor(chart, index))}</c:spPr>`,
        flag('invertIfNegative', false),
        categories === undefined ? '' : texts('cat', categories, data.categories),
        `<c:val><c:numRef>${reference(sheet, values)}<c:numCache><c:formatCode>${format}</c:formatCode>`,
        `${points(data.series[index]!.values)}</c:numCache></c:numRef></c:val></c:ser>`,
      ].join('');
    })
    .join('');
}
