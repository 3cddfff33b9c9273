import { DECIMAL_SCALE, units } from '../../../../shared/money.ts';
import { taxTypes } from '../../../../shared/resources/taxCode.ts';
import { vatCategories } from '../../invoiceDocuments/invoiceDocument.ts';
import { choice, flag, name, percentage, required, withNote } from '../files/column.ts';
import { taxCodeText } from '../setup/accountCharts/taxCodes.ts';
import { flag as asFlag, type NewRow } from '../sql/schema.ts';
import { changeOrAdd } from './existingRows.ts';
import { type ImportContext, type Importer, importer, keysOnce } from './importRows.ts';

const columns = {
  TaxPc: required(percentage()),
  Name: required(name()),
  TaxType: required(choice(...taxTypes)),
  TaxCode: withNote('left out: percentage and name, as 21% - Marge', name()),
  TaxExempt: withNote('an exempt code is at 0', flag()),
  VatCategory: withNote('as e-invoices say it; left out: by percentage and exemption', choice(...vatCategories)),
};

/** Tax codes, known by side and code. */
export const taxCodes = importer(columns, (context) => storedTaxCodes(context, true));

/** Tax codes of an audit file: whether one is exempt is a guess from its name, and stays as it is for one that is there. */
export const taxCodesOfAuditfiles = importer(columns, (context) => storedTaxCodes(context, false));

/** @param changesExempt whether a code that is there becomes exempt, or no longer so, as the file says */
async function storedTaxCodes(context: ImportContext, changesExempt: boolean): Promise<Importer<typeof columns>> {
  const { administration, report, isSound } = context;
  const once = keysOnce(report);
  return {
    rows: async (rows, has) => {
      const codes = new Map<string, NewRow<'tax_code'>>();
      for (const { line, values, bad } of rows) {
        const { TaxPc, Name: name, TaxType: type, TaxExempt: exempt = false, VatCategory: category } = values;
        if (TaxPc === undefined || name === undefined || type === undefined) continue;
        const percentage = units(TaxPc, DECIMAL_SCALE);
        const code = values.TaxCode ?? taxCodeText(TaxPc, name);
        const key = `${type} ${code}`;
        if (!once(key, line, 'TaxCode', `the ${type} tax code "${code}"`) || bad.size > 0) continue;
        if (exempt && percentage !== 0n) report(line, 'TaxPc', `expected 0, as the code is exempt, got ${TaxPc}`);
        if (category !== undefined && (category === 'S') !== percentage > 0n) {
          const expected = 'expected S for a percentage above zero and another for zero';
          report(line, 'VatCategory', `${expected}, got ${category}`);
        }
        codes.set(key, {
          administration_id: administration.id,
          code,
          name,
          percentage,
          tax_type: type,
          tax_exempt: asFlag(exempt),
          vat_category: category ?? '',
        });
      }
      if (!isSound()) return;
      await changeOrAdd(
        context,
        'tax_code',
        'code',
        codes,
        ({ tax_type, code }) => `${tax_type} ${code}`,
        ({ tax_exempt, vat_category, ...rest }) => ({
          ...rest,
          ...(changesExempt && has('TaxExempt') ? { tax_exempt } : {}),
          ...(has('VatCategory') ? { vat_category } : {}),
        }),
      );
    },
  };
}
