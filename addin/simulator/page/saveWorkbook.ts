import { chartsFeature } from '../charts/xlsxCharts.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { xlsxSheets } from '../xlsx.ts';

/** Downloads the whole workbook as an .xlsx file. */
export const saveWorkbook = async (workbook: Workbook): Promise<void> => {
  const { default: writeExcelFile } = await import('write-excel-file/browser');
  await writeExcelFile(xlsxSheets(workbook), { features: [chartsFeature(workbook)] }).toFile(workbook.name);
};
