import { taxTypes } from '../../../../../shared/resources/taxCode.ts';
import * as column from './column.ts';

/** The documents that a rule is for. `credit`: those with a total below zero. */
export const vatDocuments = ['any', 'invoice', 'credit'] as const;

/** The nature of a supply in the listing of supplies to other countries of the EU; "" is in none. */
export const vatListings = ['', 'goods', 'services', 'triangular'] as const;

export const vat = {
  /** In which boxes the amounts of a tax code go, where that differs from the usual ones: see `vat/vatRules.ts`. */
  vat_rule: {
    id: column.id(),
    administration_id: column.administration(),
    tax_type: column.choice('TaxType', taxTypes),
    tax_code: column.code(column.text('TaxCode')),
    document: column.choice('Document', vatDocuments),
    base_boxes: column.text('BaseBoxes'),
    owed_boxes: column.text('OwedBoxes'),
    deductible_boxes: column.text('DeductibleBoxes'),
    /** What the purchaser owes on purchases without VAT, in per cent; 0: nothing. */
    self_assessed_pc: column.decimal8('SelfAssessedPc'),
    /** The part of the VAT on purchases that may be deducted, in per cent. */
    deductible_pc: column.decimal8('DeductiblePc'),
    listing: column.choice('Listing', vatListings),
    doubt: column.text('Doubt'),
  },
  /** A return that was filed. What is entered after that counts in the next period that was not. */
  vat_return: {
    id: column.id(),
    administration_id: column.administration(),
    /** 2026-03, 2026-Q1 or 2026. */
    period: column.text('Period'),
    first_day: column.date('FirstDay'),
    last_day: column.date('LastDay'),
    /** The boxes as JSON text. */
    figures: column.text('Figures'),
    /** What each document had in the boxes, as JSON text; "" of earlier versions. */
    documents: column.unlogged(column.defaulted(column.text('Documents'))),
    filed_on: column.seconds('FiledOn'),
  },
};
