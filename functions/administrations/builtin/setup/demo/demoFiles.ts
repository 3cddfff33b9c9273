import path from 'node:path';
import { type CalendarDate, daysBetween } from '../../../../../shared/wire/calendarDate.ts';
import { readCsv } from '../../files/readCsv.ts';
import type { RowSource } from '../../files/source.ts';
import { type ImportTarget, importInto } from '../../import/importRows.ts';
import { materialBookings } from '../../import/materialBookings.ts';
import { products } from '../../import/products.ts';
import { projects } from '../../import/projects.ts';
import { relations } from '../../import/relationFiles/relations.ts';
import type { Database } from '../../sql/database.ts';

/** What each country has a file of, in the order of their import. */
const resources = { relations, products, projects, 'material-bookings': materialBookings };

/** The last day of the books around the moments in the files. */
const DAY_OF_FILES: CalendarDate = '2026-10-31';

/** Columns with moments, and how many units a day has. */
const moments: Readonly<Record<string, bigint>> = { CreatedOn: 86_400n, ChangedOn: 86_400n, EntryDate: 86_400_000n };

/**
 * Imports the relations, products, projects and material bookings of a demo administration from its files, with their
 * moments as many days later as the day of the demo is after that of the files.
 */
export async function importDemoFiles(
  db: Database,
  country: 'NL' | 'BE',
  today: CalendarDate,
  target: ImportTarget,
): Promise<void> {
  const days = BigInt(daysBetween(DAY_OF_FILES, today));
  for (const [name, resource] of Object.entries(resources)) {
    const source = await readCsv(path.join(import.meta.dirname, country, `${name}.csv`));
    const { problems } = await importInto(db, resource, moved(source, days), target);
    const [first] = problems;
    if (first !== undefined) throw new Error(`${country}/${first.place}: ${first.column}: ${first.message}`);
  }
}

function moved(source: RowSource, days: bigint): RowSource {
  const units = source.headings.map((heading) => moments[heading]);
  return {
    ...source,
    rows: (async function* () {
      for await (const row of source.rows) {
        const cells = row.cells.map((cell, index) => {
          const ofDay = units[index];
          return ofDay === undefined ? cell : String(BigInt(cell) + days * ofDay);
        });
        yield { ...row, cells };
      }
    })(),
  };
}
