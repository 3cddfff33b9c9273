import { DECIMAL_SCALE, units } from '../../../../shared/money.ts';
import type { TaxType } from '../../../../shared/resources/taxCode.ts';
import type { Row } from '../sql/schema.ts';
import type { ImportContext } from './importRows.ts';

/**
 * Finds the tax code a row means, by code, by percentage or by both; where several share a percentage, the first by code.
 * One that is not there, or is of the other side, is reported. Nothing given, or -1 per cent, is none.
 * @param given column -> its value: the code first, then the percentage
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
    given: Readonly<Record<string, string | undefined>>,
  ): Row<'tax_code'> | undefined => {
    const [[codeColumn, code] = ['', undefined], [percentageColumn, asked] = ['', undefined]] = Object.entries(given);
    const percentage = asked === undefined || asked === '-1' ? undefined : units(asked, DECIMAL_SCALE);
    if (code === undefined && percentage === undefined) return undefined;
    const ofSide = rows.filter(({ tax_type }) => tax_type === side);
    if (code !== undefined) {
      const found = ofSide.find((row) => row.code === code);
      if (found === undefined) {
        const isOther = rows.some((row) => row.code === code);
        const got = `got "${code}"${isOther ? `, which is a ${side === 'Sales' ? 'Purchase' : 'Sales'} code` : ''}`;
        report(line, codeColumn, `expected a ${side} tax code of this administration, ${got}`);
      } else if (percentage !== undefined && found.percentage !== percentage) {
        report(line, percentageColumn, `expected the percentage of "${code}", got ${asked}`);
      }
      return found;
    }
    const found = ofSide.find((row) => row.percentage === percentage);
    if (found === undefined)
      report(line, percentageColumn, `expected the percentage of a ${side} tax code, got ${asked}`);
    return found;
  };
}
