import { DECIMAL_SCALE, units } from '../../../../shared/money.ts';
import type { TaxType } from '../../../../shared/resources/taxCode.ts';
import type { Row } from '../sql/schema.ts';
import type { ImportContext } from './importRows.ts';

/**
 * Returns a function that finds the tax code of a row by code, percentage or both; of several with one percentage, the
 * present one, or else the first by code. An unknown code, or one of the other side, is reported. No values, or -1 per
 * cent, mean no code.
 * @param cells column -> its value: the code first, then the percentage
 * @param present the id of the code before, if there is one
 */
export async function taxCodeFinder({ db, administration, report }: ImportContext) {
  const rows = await db
    .selectFrom('tax_code')
    .where('administration_id', '=', administration.id)
    .orderBy('code')
    .selectAll()
    .execute();
  return (
    line: number,
    side: TaxType,
    cells: Readonly<Record<string, string | undefined>>,
    present?: bigint | null,
  ): Row<'tax_code'> | undefined => {
    const [[codeColumn, code] = ['', undefined], [percentageColumn, percentageText] = ['', undefined]] =
      Object.entries(cells);
    const percentage =
      percentageText === undefined || percentageText === '-1' ? undefined : units(percentageText, DECIMAL_SCALE);
    if (code === undefined && percentage === undefined) return undefined;
    const ofSide = rows.filter(({ tax_type }) => tax_type === side);
    if (code !== undefined) {
      const found = ofSide.find((row) => row.code === code);
      if (found === undefined) {
        const isOther = rows.some((row) => row.code === code);
        const got = `got "${code}"${isOther ? `, which is a ${side === 'Sales' ? 'Purchase' : 'Sales'} code` : ''}`;
        report(line, codeColumn, `expected a ${side} tax code of this administration, ${got}`);
      } else if (percentage !== undefined && found.percentage !== percentage) {
        report(line, percentageColumn, `expected the percentage of "${code}", got ${percentageText}`);
      }
      return found;
    }
    const ofPercentage = ofSide.filter((row) => row.percentage === percentage);
    const found = ofPercentage.find(({ id }) => id === present) ?? ofPercentage[0];
    if (found === undefined)
      report(line, percentageColumn, `expected the percentage of a ${side} tax code, got ${percentageText}`);
    return found;
  };
}
