import { DECIMAL_SCALE, units } from '../../../../../shared/money.ts';
import type { TaxType } from '../../../../../shared/resources/taxCode.ts';
import type { VatCategory } from '../../../invoiceDocuments/invoiceDocument.ts';
import { flag, type NewRow } from '../../sql/schema.ts';

/** The text of a tax code, such as `21% - Hoog`. @param percentage decimal text */
export const taxCodeText = (percentage: string, name: string): string => `${percentage}% - ${name}`;

/** @param category the reason for zero percent */
const code = (type: TaxType, percentage: string, name: string, category: VatCategory | '' = '') => ({
  code: taxCodeText(percentage, name),
  name,
  percentage: units(percentage, DECIMAL_SCALE),
  tax_type: type,
  tax_exempt: flag(category === 'E'),
  vat_category: type === 'Sales' ? category : '',
});

// If the other party owes the tax, none is added to the document: such codes have zero percent. A request with a
// percentage alone gets the first code by name with that percentage: so the ordinary code has a name that comes first.
const netherlands = [
  code('Sales', '21', 'Hoog'),
  code('Sales', '9', 'Laag'),
  code('Sales', '0', 'Binnenland nultarief', 'Z'),
  code('Sales', '0', 'Verlegd binnenland', 'AE'),
  code('Sales', '0', 'Goederen naar EU-landen', 'K'),
  code('Sales', '0', 'Diensten naar EU-landen', 'AE'),
  code('Sales', '0', 'Export buiten de EU', 'G'),
  code('Sales', '0', 'Installatie en afstandsverkoop in de EU', 'AE'),
  code('Sales', '0', 'Vrijgesteld', 'E'),
  code('Sales', '21', 'Privégebruik'),
  code('Purchase', '21', 'Inkoop hoog'),
  code('Purchase', '9', 'Inkoop laag'),
  code('Purchase', '0', 'Binnenlandse inkoop nultarief'),
  code('Purchase', '0', 'Inkoop verlegd binnenland'),
  code('Purchase', '0', 'Inkoop verlegd binnenland laag'),
  code('Purchase', '0', 'Goederen uit EU-landen'),
  code('Purchase', '0', 'Goederen uit EU-landen laag'),
  code('Purchase', '0', 'Diensten uit EU-landen'),
  code('Purchase', '0', 'Import van buiten de EU'),
  code('Purchase', '0', 'Diensten van buiten de EU'),
  code('Purchase', '0', 'Inkoop vrijgesteld', 'E'),
];

const belgium = [
  code('Sales', '21', 'Normaal tarief'),
  code('Sales', '12', 'Tussentarief'),
  code('Sales', '6', 'Verlaagd tarief'),
  code('Sales', '0', 'Binnenland nultarief', 'Z'),
  code('Sales', '0', 'Medecontractant', 'AE'),
  code('Sales', '0', 'Intracommunautaire goederen', 'K'),
  code('Sales', '0', 'Intracommunautaire diensten', 'AE'),
  code('Sales', '0', 'Uitvoer', 'G'),
  code('Sales', '0', 'Vrijgesteld', 'E'),
  code('Sales', '21', 'Privégebruik'),
  code('Purchase', '21', 'Aankoop normaal tarief'),
  code('Purchase', '12', 'Aankoop tussentarief'),
  code('Purchase', '6', 'Aankoop verlaagd tarief'),
  code('Purchase', '0', 'Aankoop binnenland nultarief'),
  code('Purchase', '0', 'Aankoop medecontractant'),
  code('Purchase', '0', 'Intracommunautaire verwerving'),
  code('Purchase', '0', 'Intracommunautaire diensten ontvangen'),
  code('Purchase', '0', 'Invoer'),
  code('Purchase', '0', 'Aankoop vrijgesteld', 'E'),
];

/** The usual VAT codes of a country, for sales and purchases. */
export const usualTaxCodes: Record<'NL' | 'BE', readonly Omit<NewRow<'tax_code'>, 'administration_id'>[]> = {
  NL: netherlands,
  BE: belgium,
};
