import type { PageSetup } from '@cj-tech-master/excelts';
import {
  areaAddress,
  fixedAddress,
  isEntireColumn,
  isEntireRow,
  parseArea,
  sameName,
} from '../../workbook/cells/address.ts';
import { tokensOf } from '../../workbook/cells/formulas/formulaTokens.ts';
import { PRINT_TITLES, type PrintLayout, type Sheet } from '../../workbook/sheet.ts';

/*
 * How sheets are printed, in files. Without a layout of its own a sheet is as wide as a page, and repeats its frozen rows.
 */

const ownLayout: PrintLayout = { orientation: 'Landscape', zoom: { horizontalFitToPages: 1 } };

/** The rows and columns that each page repeats. */
function titlesOf({ names, frozen }: Sheet): Pick<Partial<PageSetup>, 'printTitlesRow' | 'printTitlesColumn'> {
  const item = names.find(({ name }) => sameName(name, PRINT_TITLES));
  if (item === undefined) return frozen.rows > 0 ? { printTitlesRow: `1:${frozen.rows}` } : {};
  const areas = tokensOf(item.formula).flatMap(({ kind, first, last }) => {
    const area = kind === 'cells' && last !== undefined ? parseArea(`${first}:${last}`) : undefined;
    return area === undefined ? [] : [area];
  });
  const [rows, columns] = [areas.find(isEntireRow), areas.find(isEntireColumn)];
  return {
    ...(rows === undefined ? {} : { printTitlesRow: areaAddress(rows) }),
    ...(columns === undefined ? {} : { printTitlesColumn: areaAddress(columns) }),
  };
}

export function printToFile(sheet: Sheet): Partial<PageSetup> {
  const { orientation, zoom } = sheet.print ?? ownLayout;
  const { scale, horizontalFitToPages: width, verticalFitToPages: height } = zoom;
  const fits = width !== undefined || height !== undefined;
  return {
    orientation: orientation === 'Landscape' ? 'landscape' : 'portrait',
    ...(fits ? { fitToPage: true, fitToWidth: width ?? 0, fitToHeight: height ?? 0 } : { scale: scale ?? 100 }),
    ...titlesOf(sheet),
  };
}

/** As the library reads it. */
type FileSetup = Partial<Pick<PageSetup, 'fitToPage' | 'fitToWidth' | 'fitToHeight' | 'scale'>> & {
  orientation?: string;
  printTitlesRow?: string;
  printTitlesColumn?: string;
};

/** Gives a sheet the layout that its file has. */
export function readPrint(setup: FileSetup | undefined, sheet: Sheet): void {
  if (setup === undefined) return;
  const { orientation, fitToPage, fitToWidth = 1, fitToHeight = 1, scale = 100 } = setup;
  const fits = {
    ...(fitToWidth > 0 ? { horizontalFitToPages: fitToWidth } : {}),
    ...(fitToHeight > 0 ? { verticalFitToPages: fitToHeight } : {}),
  };
  const print: PrintLayout = {
    orientation: orientation === 'landscape' ? 'Landscape' : 'Portrait',
    zoom: fitToPage ? fits : { scale },
  };
  if (JSON.stringify(print) !== JSON.stringify(ownLayout)) sheet.print = print;
  const { printTitlesRow, printTitlesColumn } = setup;
  if (printTitlesColumn === undefined && printTitlesRow === titlesOf(sheet).printTitlesRow) return;
  const areas = [printTitlesColumn, printTitlesRow].flatMap((text) => (text ? parseArea(text) : undefined) ?? []);
  if (areas.length === 0) return;
  sheet.names.push({
    id: String(sheet.workbook.nextId()),
    name: PRINT_TITLES,
    formula: `=${areas.map((area) => fixedAddress(sheet.name, area)).join(',')}`,
    comment: '',
    visible: true,
    scope: sheet,
  });
}
