import type { Table } from './workbook/table.ts';

/** The colours of a table style. The styles of a family share them. */
type TableColors = {
  header: { fill: string; font: string } | undefined;
  band: string | undefined;
  line: string;
};

const families: Record<string, TableColors> = {
  Light: { header: undefined, band: '#F2F2F2', line: '#BFBFBF' },
  Medium: { header: { fill: '#156082', font: '#FFFFFF' }, band: '#E4F1F7', line: '#B5D3E2' },
  Dark: { header: { fill: '#0E2841', font: '#FFFFFF' }, band: '#DCE6F0', line: '#A6BACC' },
};

export const tableColors = (table: Table): TableColors | undefined => {
  const family = /^TableStyle(Light|Medium|Dark)\d+$/.exec(table.style)?.[1];
  return family ? families[family] : undefined;
};
