import { type TaxCode, taxTypes } from '../../../shared/resources/taxCode.ts';
import { declareList, listTable } from './list.ts';

/** A purchase and a sales code may have one name. */
export const taxCodes = declareList({
  view: 'taxCodes',
  endpoint: 'listtaxcodes',
  filters: {},
  table: listTable<TaxCode>()(
    'taxCodes',
    'taxCodes',
    {
      TaxCode: ['text', 32],
      TaxType: ['code', taxTypes],
      TaxPc: ['decimal', 10],
      Name: ['text', 28],
      TaxExempt: ['boolean', 12],
    },
    { keys: ['TaxCode', 'TaxType'] },
  ),
  further: {},
  keyOf: ({ TaxType, TaxCode }) => `${TaxType} ${TaxCode}`,
});
