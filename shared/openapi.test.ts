import { Validator } from '@seriousme/openapi-schema-validator';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { requestArbitrary, responseArbitrary } from '../testing/endpointArbitraries.ts';
import { type EndpointName, endpointNames, endpointOf } from './api.ts';
import { openApiDocument } from './openapi.ts';
import { encode } from './wire/encode.ts';

/* The names of the specification, typed out: the document and these must agree. */

const party = (role: string): string[] => [`${role}Number`, `${role}Name`, `${role}Email`];
const under = (list: string, names: readonly string[]): string[] => [list, ...names.map((name) => `${list}.${name}`)];
const split = (names: string): string[] => names.trim().split(/\s+/);

const addressInput = split(
  'Address_City Address_Street Address_PostalCode Address_Unit Address_UnitAppendix Address_CountryCode Address_Type',
);
const attachmentInput = split('FileUrl FileContent Internal FileName');
const articleLine = split(`ProductNumber ProductEAN Quantity UnitPriceExclTax TaxPc TaxCode SubTotalInclTax Description
  IsTextLine TextLineCategory DiscountPc DiscountAmountInclTax UseArticlePrice`);
const bookkeepingLine = split('TaxPc TaxCode SubTotalInclTax Description CostCenter LedgerAccountNumber');
const productChange = [
  ...split(`ArticleNumber EAN CategoryName CategoryCreateIfMissing NewName NewSupplierArticleNumber NewDescription
    NewSalePrice NewStockQty StockUpdateMode NewStockMutationComment NewStockMutationPurchasePrice NewVATPercentage TaxCode
    NewUnit NewPurchasePrice NewPurchasePriceVATPercentage TaxCodePurchase Archived BatchStockUpdateMode BatchMatchMode`),
  ...under(
    'Product_CustomField',
    split('Label FieldType IntValue DecimalValue BooleanValue StringValue DateTimeValue'),
  ),
  ...under('Product_Batch', split('Description BatchExpiryDate BatchStockQty')),
];

const requestFields: Record<EndpointName, string[]> = {
  listprojectmaterialbooking: split('offset limit Project SelectProjectBy Warehouse Product_Number'),
  updateproduct: productChange,
  addproduct: productChange,
  listtaxcodes: [],
  addsalesinvoice: [
    ...party('Customer'),
    ...split(`AddAsDraft InvoiceDate InvoiceNumber InvoiceNotes InvoiceDiscountPc InvoiceReference InvoiceDueDays
      InvoiceDueDate PackingSlipNotes InvoiceProject SelectProjectBy OGM_Belgium TemplateName_Invoice TemplateName_Email
      InvoiceForOrderNumber EmailToCustomer HtmlAsPlainText PeriodicInvoiceTemplate Periodic_StartingDate Periodic_EndDate
      Periodic_AutomaticMailing Periodic_Frequency Periodic_FrequencyUnit Periodic_ChangeDateTokensValue
      Periodic_ChangeDateTokensBeforeAfter Periodic_SkipWeekends`),
    ...under('Invoice_InvoiceLine', [...articleLine, 'CostCenter', 'LedgerAccountNumber']),
    ...under('Invoice_Address', addressInput),
    ...under('Invoice_Attachment', attachmentInput),
  ],
  addorder: [
    ...party('Customer'),
    ...split(`OrderDate CreatedOn ChangedOn OrderNotes OrderDiscountPc OrderStatus DeliveryPeriod GeneralStatus
      OrderReference HtmlAsPlainText PackingSlipNotes`),
    ...under('Order_Orderline', articleLine),
    ...under('Order_Address', addressInput),
    ...under('Order_Attachment', attachmentInput),
  ],
  addpurchasetransaction: [
    ...party('Supplier'),
    ...split(
      `InvoiceDate InvoiceDueDate PurchaseInvoiceNumber InvoiceNotes InvoiceFileUrl InvoiceProject SelectProjectBy`,
    ),
    ...under('Invoice_InvoiceLine', [...bookkeepingLine, 'PurchaseClassification']),
  ],
  addsalestransaction: [
    ...party('Customer'),
    ...split('InvoiceDate InvoiceNumber InvoiceNotes InvoiceFileUrl InvoiceProject SelectProjectBy'),
    ...under('Invoice_InvoiceLine', bookkeepingLine),
  ],
  listledgeraccounts: split('FiscalYear LedgerType'),
  listrelations: split(`RelationType RelationNumber RelationName RelationEmail RelationVAT RelationGUID SearchOperand
    ChangedSince CreatedSince Limit Offset Sorting SortDir`),
  listsalesinvoices: split(`InvoiceNumber Limit Offset InlcudeInvoiceLinesInResponse IncludeInvoiceLinesInResponse
    IncludeBase64PDF DateFrom DateTill`),
};

const customField = split('Label DataType FieldType DateTimeValue DecimalValue BooleanValue StringValue IntValue');
const addressShown = split(
  'Address_CountryCode Address_PostalCode Address_Street Address_Unit Address_City Address_UnitAppendix',
);
const contactShown = split('ContactType FirstName LastName Phone Email Sex ContactNotes DefaultContact');
const salesInvoice = [
  ...split(`InvoiceNumber InvoiceDate InvoiceDueDate InvoiceNotes InvoiceReference PackingSlipNotes CustomerNumber
    CustomerName ProjectName ProjectNumber InvoiceTotalExclTax InvoiceTotalInclTax InvoiceTaxAmount
    InvoiceOutstandingAmount InvoiceType DiscountPc InvoiceIsSent OGM_Belgium PeriodicInvoiceTemplate InvoicePDFBase64`),
  ...under('Invoice_Contact', [...contactShown, 'FamilyName']),
  ...under('Invoice_Address', [...addressShown, 'AddressType']),
  ...under(
    'Invoice_InvoiceLine',
    split(`Description UnitPriceExclTax DiscountPc TextLineCategory Quantity ProductNumber ProductEAN
      SubTotalInclTaxExclDiscount SubTotalInclTax SubTotalExclTax LedgerAccountNumber TaxPc TaxCode CostCenter IsTextLine
      DeliveryDate Warehouse Shelf Batch PurchaseClassification UseArticlePrice`),
  ),
];
const product = [
  ...split(`Name ArticleNumber SupplierArticleNumber Category EAN Description StockQty PurchasePrice Price VATPercentage
    MinimalStockQty UnitsPerPackage Unit CreatedOn ChangedOn`),
  ...under('ProductResponse_CustomField', customField),
];

const responseFields: Record<EndpointName, string[]> = {
  listprojectmaterialbooking: [
    ...split(`Warehouse Shelf Batch Description Product_Name Product_Number Product_PurchasePrice Product_SupplierName
      Product_SupplierNumber Quantity EntryDate`),
    ...under('MaterialBookings_Project', split('Description Number Customer_Name Customer_Number Name')),
    ...under('MaterialBookings_CustomField_Product', [...customField, 'CreateListItem']),
  ],
  updateproduct: product,
  addproduct: product,
  listtaxcodes: split('TaxExempt TaxPc TaxCode Name TaxType'),
  addsalesinvoice: salesInvoice,
  addorder: [
    ...split(`OrderNumber CustomerNumber CustomerName OrderDate OrderNotes OrderReference OrderDiscountPc OrderStatus
      DeliveryPeriod OrderTotalInclTax CreatedOn ChangedOn`),
    ...under('Order_Address', [...addressShown, 'Address_Type']),
    ...under('Order_Contact', contactShown),
    ...under('Order_Orderline', [
      ...articleLine,
      ...split('SubTotalExclTaxExclDiscount SubTotalInclTaxExclDiscount SubTotalExclTax'),
    ]),
  ],
  addpurchasetransaction: [
    ...split(`InvoiceNumber InvoiceDate InvoiceDueDate InvoiceNotes ProjectName ProjectNumber InvoiceTotalExclTax
      InvoiceTotalInclTax InvoiceTaxAmount InvoiceOutstandingAmount SupplierNumber SupplierName`),
    ...under('PurchaseInvoice_Address', [...addressShown, 'AddressType']),
    ...under('PurchaseInvoice_Contact', [...contactShown, 'Preposition', 'FamilyName']),
  ],
  addsalestransaction: salesInvoice,
  listledgeraccounts: split('Number Name FiscalYear LedgerType Countrycode DebetOrCredit'),
  listrelations: [
    ...split(`RelationGUID Name PrivateOrBusiness Email Phone Address_City Address_Street Address_PostalCode Address_Unit
      Address_UnitAppendix Address_CountryCode GroupName IsCustomer IsSupplier IsOther CustomerNumber SupplierNumber
      RegistrationNumber TaxIdentificationNumber CreatedOn ChangedOn`),
    ...under(
      'Relation_Contact',
      split('Email Phone Sex LastName FamilyName FirstName Preposition ContactNotes DefaultContact'),
    ),
    ...under('Relation_CustomField', [...customField, 'TypeOfRelation']),
    ...under('Relation_BankAccount', split('IBAN SkipIBANCheck UseForExcasso BIC Place Name')),
  ],
  listsalesinvoices: salesInvoice,
};

/** A custom field and a batch are found by these, so there is none without them. */
const productKeys = ['Product_CustomField.Label', 'Product_Batch.Description'];

/** The required fields, apart from rules about several fields, which the document does not describe. */
const requiredFields: Partial<Record<EndpointName, string[]>> = {
  updateproduct: productKeys,
  addproduct: ['ArticleNumber', 'NewName', 'CategoryName', ...productKeys],
  addsalesinvoice: ['Invoice_InvoiceLine'],
  addorder: ['Order_Orderline'],
  addpurchasetransaction: ['Invoice_InvoiceLine', 'Invoice_InvoiceLine.SubTotalInclTax'],
  addsalestransaction: ['Invoice_InvoiceLine', 'Invoice_InvoiceLine.SubTotalInclTax'],
};

type Schema = {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  required?: string[];
  enum?: string[];
  default?: unknown;
  minItems?: number;
  maxItems?: number;
  maxLength?: number;
};
type Parameter = { name: string; in: string; required: boolean; schema: Schema };
type Operation = {
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } };
  responses: { 200: { content: { 'application/json': { schema: Schema } } } };
};
type Paths = Record<string, Record<string, Operation>>;

const paths = openApiDocument('1.0.0').paths as Paths;
const operationOf = (name: EndpointName): Operation => {
  const { method, path } = endpointOf(name);
  return paths[path]![method.toLowerCase()]!;
};
const bodyOf = (name: EndpointName): Schema => operationOf(name).requestBody!.content['application/json'].schema;
const responseOf = (name: EndpointName): Schema => operationOf(name).responses[200].content['application/json'].schema;

/** The fields a schema describes, those of lists and objects within it after a point. */
function namesIn(schema: Schema): string[] {
  const { properties = {} } = schema.items ?? schema;
  return Object.entries(properties).flatMap(([name, member]) => under(name, namesIn(member)));
}

function requiredIn(schema: Schema): string[] {
  const { properties = {}, required = [] } = schema.items ?? schema;
  return Object.entries(properties).flatMap(([name, member]) => [
    ...(required.includes(name) ? [name] : []),
    ...requiredIn(member).map((inner) => `${name}.${inner}`),
  ]);
}

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const document = JSON.parse(JSON.stringify(openApiDocument('1.0.0')));
    const validator = new Validator();
    expect(await validator.validate(document)).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(document.info.version).toBe('1.0.0');
  });

  it('has eleven paths, with one method each', () => {
    expect(
      Object.entries(paths)
        .map(([path, methods]) => [path, Object.keys(methods)])
        .sort(),
    ).toEqual(endpointNames.map((name) => [endpointOf(name).path, [endpointOf(name).method.toLowerCase()]]).sort());
    expect(Object.keys(paths)).toHaveLength(11);
  });

  it.each(endpointNames)('describes exactly the request fields of %s', (name) => {
    const { parameters, requestBody } = operationOf(name);
    const described =
      requestBody === undefined ? parameters!.map((parameter) => parameter.name) : namesIn(bodyOf(name));
    expect(described.sort()).toEqual([...requestFields[name]].sort());
  });

  it.each(endpointNames)('describes exactly the response fields of %s', (name) => {
    expect(namesIn(responseOf(name)).sort()).toEqual([...responseFields[name]].sort());
  });

  it.each(endpointNames)('describes the required fields of %s', (name) => {
    const { parameters = [], requestBody } = operationOf(name);
    const required =
      requestBody === undefined
        ? parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name)
        : requiredIn(bodyOf(name));
    expect(required.sort()).toEqual([...(requiredFields[name] ?? [])].sort());
  });

  it.each(endpointNames)('says that %s answers %s', (name) => {
    expect(responseOf(name).type).toBe(name === 'updateproduct' ? 'object' : 'array');
  });

  it.each([
    ['addproduct', 'NewDescription', { maxLength: 400 }],
    ['addproduct', 'StockUpdateMode', { enum: ['Relative', 'Absolute'], default: 'Relative' }],
    ['updateproduct', 'BatchMatchMode', { enum: ['Description', 'Description_and_date'] }],
    ['updateproduct', 'CategoryCreateIfMissing', { default: false }],
    ['addsalesinvoice', 'InvoiceReference', { maxLength: 150 }],
    ['addsalesinvoice', 'AddAsDraft', { default: false }],
    ['addsalesinvoice', 'EmailToCustomer', { default: false }],
    ['addsalesinvoice', 'PeriodicInvoiceTemplate', { default: false }],
    ['addsalesinvoice', 'Periodic_FrequencyUnit', { enum: ['Day', 'Week', 'Month', 'Year'] }],
    ['addsalesinvoice', 'Invoice_InvoiceLine', { type: 'array', minItems: 1, maxItems: 75 }],
    ['addorder', 'Order_Orderline', { type: 'array', minItems: 1, maxItems: 75 }],
    ['addorder', 'OrderReference', { maxLength: 150 }],
    ['addorder', 'GeneralStatus', { enum: ['concept_quote', 'final_quote', 'order'], default: 'order' }],
    ['addsalestransaction', 'Invoice_InvoiceLine', { type: 'array', minItems: 1, maxItems: 75 }],
    ['addpurchasetransaction', 'Invoice_InvoiceLine', { type: 'array', minItems: 1, maxItems: 75 }],
    ['addpurchasetransaction', 'SelectProjectBy', { enum: ['NAME', 'NUMBER'] }],
  ] as const)('describes for %s the rule of %s', (name, field, rule) => {
    expect(bodyOf(name).properties![field]).toMatchObject(rule);
  });

  it.each([
    ['listrelations', 'SearchOperand', { enum: ['AND', 'OR'], default: 'AND' }],
    ['listrelations', 'SortDir', { default: 'DESC' }],
    ['listrelations', 'RelationType', { enum: ['All', 'Supplier', 'Customer'] }],
    ['listledgeraccounts', 'LedgerType', { enum: ['BalanceSheet', 'IncomeStatement'] }],
    ['listsalesinvoices', 'IncludeBase64PDF', { default: false }],
    ['listsalesinvoices', 'IncludeInvoiceLinesInResponse', { default: false }],
  ] as const)('describes for %s the rule of the parameter %s', (name, parameter, rule) => {
    const found = operationOf(name).parameters!.find((described) => described.name === parameter)!;
    expect(found).toMatchObject({ in: 'query', required: false });
    expect(found.schema).toMatchObject(rule);
  });

  it.each(endpointNames)('matches every response of %s', (name) => {
    const { response } = endpointOf(name);
    const described = z.fromJSONSchema(responseOf(name) as z.core.JSONSchema.JSONSchema);
    fc.assert(
      fc.property(responseArbitrary(name), (sent) => {
        const written = JSON.parse(encode(response, response.parse(JSON.parse(JSON.stringify(sent)))));
        expect(described.safeParse(written).error).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });

  it.each(endpointNames.filter((name) => endpointOf(name).method !== 'GET'))(
    'allows every request that %s accepts, in the spelling of the interface',
    (name) => {
      const described = z.fromJSONSchema(bodyOf(name) as z.core.JSONSchema.JSONSchema);
      fc.assert(
        fc.property(requestArbitrary(name, 'documented'), (request) => {
          expect(described.safeParse(JSON.parse(JSON.stringify(request))).error).toBeUndefined();
        }),
        { numRuns: 50 },
      );
    },
  );
});
