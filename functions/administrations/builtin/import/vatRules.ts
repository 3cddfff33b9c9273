import { DECIMAL_SCALE, HUNDRED, units } from '../../../../shared/money.ts';
import { taxTypes } from '../../../../shared/resources/taxCode.ts';
import { choice, name, percentage, required, text, withNote } from '../files/column.ts';
import { vatDocuments, vatListings } from '../sql/declarations/vat.ts';
import type { NewRow } from '../sql/schema.ts';
import { wrongBoxes } from '../vat/vatRules.ts';
import { changeOrAdd, rowsWith } from './existingRows.ts';
import { importer, keysOnce } from './importRows.ts';

const boxes = 'boxes, separated by spaces; - before one subtracts, * after one adds VAT that is not deducted';

const columns = {
  TaxType: required(choice(...taxTypes)),
  TaxCode: required(name()),
  Document: withNote('credit: documents with a total below zero', choice(...vatDocuments)),
  BaseBoxes: withNote(`${boxes}; X is the kind of purchase, 81 to 83`, text({ max: 100 })),
  OwedBoxes: withNote(boxes, text({ max: 100 })),
  DeductibleBoxes: withNote(boxes, text({ max: 100 })),
  SelfAssessedPc: withNote('what the purchaser owes on a purchase without VAT', percentage()),
  DeductiblePc: withNote('the part of the VAT that may be deducted; left out: all', percentage()),
  Listing: withNote('in the listing of supplies within the EU', choice(...vatListings.filter((one) => one !== ''))),
  Doubt: withNote('what is doubtful, in words: the return repeats it', text({ max: 200 })),
};

/** In which boxes of the VAT return a tax code goes, known by side, code and document. */
export const vatRules = importer(columns, async (context) => {
  const { administration, report, isSound } = context;
  const once = keysOnce(report);
  return {
    rows: async (rows) => {
      const codes = await rowsWith(
        context,
        'tax_code',
        'code',
        rows.flatMap(({ values }) => values.TaxCode ?? []),
      );
      const known = new Set(codes.map(({ tax_type, code }) => `${tax_type} ${code}`));
      const rules = new Map<string, NewRow<'vat_rule'>>();
      for (const { line, values, bad } of rows) {
        const { TaxType: type, TaxCode: code, Document: document = 'any' } = values;
        if (type === undefined || code === undefined || bad.size > 0) continue;
        const key = `${type} ${code} ${document}`;
        if (!once(key, line, 'TaxCode', `the rule of ${type} "${code}" for ${document} documents`)) continue;
        if (!known.has(`${type} ${code}`)) report(line, 'TaxCode', `expected a ${type} tax code, got "${code}"`);
        for (const [column, part] of [
          ['BaseBoxes', 'base'],
          ['OwedBoxes', 'tax'],
          ['DeductibleBoxes', 'tax'],
        ] as const) {
          const wrong = wrongBoxes(administration.country, type, part, values[column] ?? '');
          if (wrong !== undefined) report(line, column, wrong);
        }
        rules.set(key, {
          administration_id: administration.id,
          tax_type: type,
          tax_code: code,
          document,
          base_boxes: values.BaseBoxes ?? '',
          owed_boxes: values.OwedBoxes ?? '',
          deductible_boxes: values.DeductibleBoxes ?? '',
          self_assessed_pc: units(values.SelfAssessedPc ?? '0', DECIMAL_SCALE),
          deductible_pc: values.DeductiblePc === undefined ? HUNDRED : units(values.DeductiblePc, DECIMAL_SCALE),
          listing: values.Listing ?? '',
          doubt: values.Doubt ?? '',
        });
      }
      if (!isSound()) return;
      await changeOrAdd(
        context,
        'vat_rule',
        'tax_code',
        rules,
        ({ tax_type, tax_code, document }) => `${tax_type} ${tax_code} ${document}`,
      );
    },
  };
});
