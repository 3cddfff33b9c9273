import { DECIMAL_SCALE, units } from '../../../../shared/money.ts';
import { taxTypes } from '../../../../shared/resources/taxCode.ts';
import { vatCategories } from '../../documents/invoiceDocument.ts';
import { choice, flag, name, noted, percentage, required } from '../files/column.ts';
import { taxCodeText } from '../setup/charts/taxCodes.ts';
import { flag as asFlag, type NewRow } from '../sql/schema.ts';
import { changeOrAdd } from './changeOrAdd.ts';
import { importer, keysOnce } from './importRows.ts';

const columns = {
  TaxPc: required(percentage()),
  Name: required(name()),
  TaxType: required(choice(...taxTypes)),
  TaxCode: noted('left out: percentage and name, as 21% - Marge', name()),
  TaxExempt: noted('an exempt code is at 0', flag()),
  VatCategory: noted('as e-invoices say it; left out: as percentage and exemption say', choice(...vatCategories)),
};

/** Tax codes, known by side and code: one that exists is changed. */
export const taxCodes = importer(columns, async (context) => {
  const { db, administration, report, isSound } = context;
  const once = keysOnce(report);
  return {
    rows: async (rows, has) => {
      const codes = new Map<string, NewRow<'tax_code'>>();
      for (const { line, values, bad } of rows) {
        const { TaxPc: percentage, Name: name, TaxType: type, TaxExempt: exempt = false } = values;
        if (percentage === undefined || name === undefined || type === undefined) continue;
        const code = values.TaxCode ?? taxCodeText(percentage, name);
        const key = `${type} ${code}`;
        if (!once(key, line, 'TaxCode', `the ${type} tax code "${code}"`) || bad.size > 0) continue;
        if (exempt && units(percentage, DECIMAL_SCALE) !== 0n) {
          report(line, 'TaxPc', `expected 0, as the code is exempt, got ${percentage}`);
        }
        if (
          values.VatCategory !== undefined &&
          (values.VatCategory === 'S') !== units(percentage, DECIMAL_SCALE) > 0n
        ) {
          report(
            line,
            'VatCategory',
            `expected S for a percentage above zero and another for zero, got ${values.VatCategory}`,
          );
        }
        codes.set(key, {
          administration_id: administration.id,
          code,
          name,
          percentage: units(percentage, DECIMAL_SCALE),
          tax_type: type,
          tax_exempt: asFlag(exempt),
          vat_category: values.VatCategory ?? '',
        });
      }
      if (!isSound()) return;
      const existing = await db
        .selectFrom('tax_code')
        .where('administration_id', '=', administration.id)
        .selectAll()
        .execute();
      await changeOrAdd(
        context,
        'tax_code',
        codes,
        existing,
        (old) => `${old.tax_type} ${old.code}`,
        ({ tax_exempt, vat_category, ...rest }) => ({
          ...rest,
          ...(has('TaxExempt') ? { tax_exempt } : {}),
          ...(has('VatCategory') ? { vat_category } : {}),
        }),
      );
    },
  };
});
