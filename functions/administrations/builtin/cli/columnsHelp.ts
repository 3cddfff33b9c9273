import type { Column } from '../files/column.ts';
import { type ResourceName, resources } from '../import/resources.ts';

type ResourceHelp = {
  /** The resource, and the key of its rows. */
  description: string;
  /** Columns beside the declared ones. */
  further?: readonly string[];
};

const customField = (example: string) =>
  `Custom: ${example}: a custom field by its label; a new one is made, with type and role in brackets`;

/** The help of each resource, beside its columns. */
export const resourceHelp: Readonly<Record<ResourceName, ResourceHelp>> = {
  accounts: { description: 'ledger accounts, known by Number and FiscalYear' },
  'tax-codes': { description: 'tax codes, known by TaxType and TaxCode' },
  'vat-rules': { description: 'boxes of the VAT return, known by TaxType, TaxCode and Document' },
  'cost-centers': { description: 'cost centers, known by Name' },
  'order-statuses': { description: 'order statuses, known by Label' },
  'product-categories': { description: 'product categories, known by Name' },
  relations: {
    description: 'relations, known by RelationGUID, else CustomerNumber, else SupplierNumber',
    further: [
      'Contact2_... to Contact99_...: further contacts',
      'BankAccount2_... to BankAccount99_...: further bank accounts',
      customField('Kredietlimiet (Decimal, Customer)'),
    ],
  },
  products: { description: 'products, known by ArticleNumber', further: [customField('Potmaat (Integer)')] },
  projects: { description: 'projects, known by Number' },
  'material-bookings': { description: 'material bookings; each row is a new one' },
  invoices: { description: 'sales invoices, one row a line; a number that exists is refused' },
  orders: { description: 'orders and quotes, one row a line; a number that exists is refused' },
  'purchase-invoices': { description: 'purchase invoices, one row a line; a supplier uses a number once' },
};

/** The columns of a resource: name, whether it is required, and expected content. */
export function columnsHelp(resource: ResourceName): string {
  const columns = Object.entries(resources[resource].columns);
  const width = Math.max(...columns.map(([name]) => name.length));
  const line = ([name, { required, expects, note }]: [string, Column]) =>
    `  ${name.padEnd(width)}  ${required ? 'required' : '        '}  ${expects}${note === undefined ? '' : `; ${note}`}`;
  const { further = [] } = resourceHelp[resource];
  return [
    '',
    'Columns (capitals and punctuation of headings do not count, and usual Dutch words are recognised):',
    ...columns.map(line),
    ...further.map((text) => `  ${text}`),
  ].join('\n');
}
