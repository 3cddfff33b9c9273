import { MEGABYTE } from '../../../shared/api.ts';
import { MAX_ATTACHMENT_BYTES, MAX_REFERENCE_LENGTH } from '../../../shared/resources/document.ts';
import { pdf } from '../../attachments/files.ts';
import { known } from '../target.ts';
import type { Operation, Schema } from './operations.ts';

/* Bodies that fill every declared text, list and number to its limit, as far as the body as a whole has room. */

/** Texts that are repeated: each is expensive in a way of its own. */
const units = ['x', 'a\n', '\u{1f600}', '<b>x</b><br>', '&lt;', '01-02-2026 ', '"\\', ' .', '9', '='];

/** A field's value by its place in a list and the characters there is room for; undefined: the field is left out. */
type Value = (index: number, room: number) => unknown;

type Filling = {
  unit: string;
  numbers: 'most' | 'least' | 'one';
  /** The most items of a list. */
  maxItems: number;
  /** Values of fields by their names, instead of the limits. */
  values: Readonly<Record<string, Value>>;
};

/** The filled bodies of an operation. A part of them have what must be found, such as a customer, to be carried out. */
export function* filledBodies(operation: Operation): Generator<{ name: string; body: () => string }> {
  const { schema, maxBody } = operation;
  if (schema === undefined) return;
  for (const [at, unit] of units.entries()) {
    const full = { unit, maxItems: Number.POSITIVE_INFINITY, values: {} };
    const extreme: Filling = { ...full, numbers: at % 2 === 0 ? 'most' : 'least' };
    const valid: Filling = { ...full, numbers: 'one', values: validValues(operation, `F${at}`) };
    const short: Filling = { ...valid, maxItems: 1, values: validValues(operation, `S${at}`) };
    const text = JSON.stringify(unit);
    yield { name: `full of ${text}`, body: () => fitted(schema, extreme, maxBody) };
    yield { name: `valid and full of ${text}`, body: () => fitted(schema, valid, maxBody) };
    yield { name: `valid and full of ${text}, one item in each list`, body: () => fitted(schema, short, maxBody) };
  }
}

/** The values of fields that name something there is, have a form, or exclude each other. */
function validValues({ name }: Operation, serial: string): Filling['values'] {
  const absent = [
    ...['EAN', 'Archived', 'TaxCode', 'TaxCodePurchase', 'ProductEAN', 'InvoiceNumber', 'PurchaseInvoiceNumber'],
    ...['OrderStatus', 'InvoiceForOrderNumber', 'InvoiceProject', 'OrderProject', 'LedgerAccountNumber', 'FileUrl'],
    ...['OGM_Belgium', 'InvoiceFileUrl', 'DiscountAmountInclTax', 'InvoiceDueDate', 'SubTotalInclTaxExclDiscount'],
    ...['IsTextLine', 'PeriodicInvoiceTemplate', 'BatchExpiryDate', 'PurchaseClassification'],
  ];
  const isNew = name !== 'updateproduct';
  return {
    ...Object.fromEntries(absent.map((field) => [field, () => undefined])),
    row: (index) => index,
    // A return is filed once.
    Period: () => `${(serial.startsWith('F') ? 2000 : 2010) + Number(serial.slice(1))}-Q1`,
    Supplement: () => undefined,
    Figures: () => undefined,
    ArticleNumber: (index) => (isNew ? `${serial}-${index}` : known.product),
    CategoryName: () => 'Category',
    Label: () => known.label,
    FieldType: () => 'TextLarge',
    NewVATPercentage: () => known.tax,
    NewPurchasePriceVATPercentage: () => known.tax,
    TaxPc: () => known.tax,
    CustomerNumber: () => known.party,
    SupplierNumber: () => known.party,
    ProductNumber: () => known.product,
    InvoiceDate: () => '20-11-2026',
    OrderDate: () => '20-11-2026',
    Address_Type: (index) => ['BillingAddress', 'ShippingAddress'][index],
    FileContent: (_, room) => {
      const bytes = Math.min(MAX_ATTACHMENT_BYTES, Math.floor(room / 4) * 3);
      return Buffer.concat([pdf, Buffer.alloc(Math.max(0, bytes - pdf.length), ' ')]).toString('base64');
    },
    // One line alone does not balance.
    JournalEntry_Line: () => [
      { LedgerAccountNumber: '4000', Debit: 1, Description: 'x'.repeat(MAX_REFERENCE_LENGTH) },
      { LedgerAccountNumber: '1000', Credit: 1, CustomerNumber: known.party },
    ],
    FileName: (_, room) => `${'x'.repeat(Math.max(1, Math.min(room, 200)))}.pdf`,
  };
}

type Filled = { value: unknown; texts: number; files: number };

/** The content of a file. */
const FILE = 'FileContent';

/** The most items of lists whose items exclude each other. */
const maxItemsOf: Record<string, number> = { Invoice_Address: 2, Order_Address: 2, Product_CustomField: 1 };

/** A body that is as long as it may be: beside the content of its files it has a megabyte of texts. */
function fitted(schema: Schema, filling: Filling, maxBody: number): string {
  const empty = filled(schema, filling, 0, 0);
  const size = Buffer.byteLength(JSON.stringify(empty.value));
  const ofTexts = Math.min(MEGABYTE, Math.floor((maxBody - size) / 2));
  const left = empty.files === 0 ? maxBody - size : ofTexts;
  const fileRoom = Math.max(0, Math.floor((maxBody - ofTexts - size) / Math.max(1, empty.files)) - 4);
  const bytesOfCharacter = (Buffer.byteLength(JSON.stringify(filling.unit)) - 2) / [...filling.unit].length;
  const room = Math.max(0, Math.floor(left / empty.texts / Math.max(1, bytesOfCharacter)) - 4);
  return JSON.stringify(filled(schema, filling, room, fileRoom).value);
}

/** A value of a schema, and how many texts, and contents of files, share the room of the body. */
function filled(schema: Schema, filling: Filling, room: number, fileRoom: number): Filled {
  let [texts, files] = [0, 0];
  const { unit, numbers, values } = filling;
  const text = (max: number) => {
    texts++;
    // A text that is required is never empty, however many share the room.
    return unit.repeat(Math.floor(Math.min(max, room) / [...unit].length)) || 'x';
  };
  const make = (name: string, part: Schema, index: number, depth: number): unknown => {
    const own = values[name];
    if (name === FILE) {
      files++;
      return (own ?? ((_, length) => unit.repeat(length / unit.length / 4)))(
        index,
        Math.min(fileRoom, part.maxLength!),
      );
    }
    if (own !== undefined) {
      if (part.maxLength !== undefined) texts++;
      return own(index, Math.min(room, part.maxLength ?? 0));
    }
    const { enum: words, properties, items, oneOf, maxItems = 1, pattern = '', maxLength } = part;
    if (words !== undefined) return words.at(-1);
    if (oneOf !== undefined) return make(name, oneOf[index % oneOf.length]!, index, depth);
    if (properties !== undefined) {
      const members = Object.entries(properties).map(([key, member]) => [key, make(key, member, index, depth)]);
      return Object.fromEntries(members);
    }
    if (items !== undefined) {
      const most = Math.min(maxItems, filling.maxItems, depth > 0 ? 1 : maxItems);
      const isExclusive = Object.keys(values).length > 0;
      const count = isExclusive ? Math.min(most, maxItemsOf[name] ?? most) : most;
      return Array.from({ length: count }, (_, at) => make('', items, depth > 0 ? index : at, depth + 1));
    }
    if (pattern.includes('\\d{4}')) return '31-12-2026';
    if (pattern !== '') return 'NL';
    if (maxLength !== undefined) return text(maxLength);
    if (part.type?.includes('boolean')) return true;
    return numberOf(part, numbers);
  };
  const value = make('', schema, 0, 0);
  return { value, texts: Math.max(1, texts), files };
}

function numberOf({ format, minimum, maximum }: Schema, numbers: Filling['numbers']): string | number {
  if (numbers === 'one') return 1;
  const [least, most] =
    format === 'int64' ? ['1', String(2n ** 63n - 1n)] : ['-9999999999.99999999', '9999999999.99999999'];
  return numbers === 'most' ? (maximum ?? most) : (minimum ?? least);
}
