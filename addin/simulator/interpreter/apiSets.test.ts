import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readExcelClasses } from '../../../testing/officeDeclarations.ts';
import { isSetSupported } from '../client.ts';
import { kinds } from './kinds.ts';

const manifest = readFileSync(resolve(import.meta.dirname, '../../../manifest.xml'), 'utf8');
const promised = Number(/Name="ExcelApi" MinVersion="1\.(\d+)"/.exec(manifest)![1]);

/** The client sends these under other names, `showGridlines = false` for example as Gridlines. */
const namesOfTheClient = ['Worksheet.Gridlines', 'Worksheet.Headings', 'Workbook.CreateAndOpenWorkbook'];

describe('The simulated Excel', () => {
  test('supports the requirement set of the manifest, and none above it', () => {
    expect(isSetSupported('ExcelApi', `1.${promised}`)).toBe(true);
    expect(isSetSupported('ExcelApi', `1.${promised + 1}`)).toBe(false);
  });

  test('has no member of a later requirement set', () => {
    const classes = readExcelClasses();
    const later = Object.entries(kinds).flatMap(([kind, { scalars, children, methods }]) => {
      const members = classes.get(kind.replace(/^(?:Worksheet|Table)(?=AutoFilter$)/, ''))!;
      const sets = new Map([...members].map(([name, { set }]) => [name.toLowerCase(), set]));
      return [scalars, children, methods]
        .flatMap((group) => Object.keys(group ?? {}))
        .filter((name) => !name.startsWith('_') && !namesOfTheClient.includes(`${kind}.${name}`))
        .filter((name) => {
          const minor = /^ExcelApi 1\.(\d+)$/.exec(sets.get(name.toLowerCase()) ?? '')?.[1];
          return minor === undefined || Number(minor) > promised;
        })
        .map((name) => `${kind}.${name}`);
    });
    expect(later).toEqual([]);
  });
});
