import fc from 'fast-check';
import * as z from 'zod/mini';
import { type EndpointName, endpointOf } from '../shared/api.ts';
import { customFieldStorage, customFieldTypes } from '../shared/resources/customField.ts';
import { type Kind, kindOf } from '../shared/wire/field.ts';

/*
 * Generates requests and responses from the endpoint table, for property tests. The rules between fields (which ones must
 * be supplied together) are written here again, by hand.
 */

type Fields = Record<string, unknown>;

/**
 * `liberal`: in any form a reader takes. `documented`: as the OpenAPI document describes. `answer`: liberal, and with
 * nothing.
 */
type Form = 'liberal' | 'documented' | 'response';

/** A valid request of an endpoint: a query's parameters or a body's members. */
export const requestArbitrary = (
  name: EndpointName,
  form: Exclude<Form, 'response'> = 'liberal',
): fc.Arbitrary<Fields> =>
  (made(endpointOf(name).request, form) as fc.Arbitrary<Fields>).map((request) => completed(name, request));

/** A possible response of an endpoint, as parsed JSON, with some undocumented fields. */
export const responseArbitrary = (name: EndpointName): fc.Arbitrary<unknown> =>
  made(endpointOf(name).response, 'response');

function made(schema: z.core.$ZodType, form: Form): fc.Arbitrary<unknown> {
  const kind = kindOf(schema);
  if (kind !== undefined) return form === 'response' ? fc.option(wireForm(kind, form)) : wireForm(kind, form);
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault) {
    const inner = schema.def.innerType;
    const empty = kindOf(inner)?.isNothing('') === false ? [null] : [null, ''];
    const nothing = form === 'documented' ? [] : empty;
    return fc.oneof({ weight: 4, arbitrary: made(inner, form) }, fc.constantFrom(undefined, ...nothing));
  }
  if (schema instanceof z.ZodMiniPipe) return made(schema.def.out, form);
  if (schema instanceof z.ZodMiniArray) return fc.array(made(schema.def.element, form), { minLength: 1, maxLength: 3 });
  if (!(schema instanceof z.ZodMiniObject)) throw new Error(`Nothing is made up for a ${schema._zod.def.type}`);
  const shape = schema.shape as Record<string, z.core.$ZodType>;
  const fields = Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, made(field, form)]));
  return fc
    .tuple(
      fc.record(fields),
      form === 'response' ? fc.dictionary(fc.stringMatching(/^x[a-z]{1,5}$/), fc.jsonValue()) : fc.constant({}),
    )
    .map(([known, unknown]) =>
      Object.fromEntries(Object.entries({ ...known, ...unknown }).filter(([, value]) => value !== undefined)),
    );
}

/** A value of a kind, in one of its accepted forms. */
function wireForm(kind: Kind<unknown>, form: Form): fc.Arbitrary<unknown> {
  const [described] = (kind.schema.anyOf ?? [kind.schema]) as [Fields];
  const {
    title,
    enum: words,
    maxLength,
    minimum,
    maximum,
  } = described as {
    title: string;
    enum?: string[];
    maxLength?: number;
    minimum?: number;
    maximum?: number;
  };
  if (words !== undefined && form === 'documented') return fc.constantFrom(...words);
  if (words !== undefined) {
    return fc
      .tuple(fc.constantFrom(...words), fc.constantFrom('as is', 'lower', 'upper'))
      .map(([word, style]) => (style === 'lower' ? word.toLowerCase() : style === 'upper' ? word.toUpperCase() : word));
  }
  switch (title) {
    case 'text':
      return fc
        .string({ unit: 'binary', maxLength: Math.min(maxLength ?? 40, 40) })
        .filter((text) => !text.includes('\u0000') && !kind.isNothing(text));
    case 'true or false':
      return fc.constantFrom(true, false, 'true', 'false', 'True', 'False', 1, 0, '1', '0');
    case 'a decimal number':
      return fc
        .tuple(fc.integer({ min: (minimum ?? -9_999_999) * 100, max: (maximum ?? 9_999_999) * 100 }), fc.boolean())
        .map(([cents, quoted]) => (quoted ? (cents / 100).toFixed(2) : cents / 100));
    case 'a whole number':
      return fc
        .tuple(
          fc.integer({ min: Math.max(minimum ?? 1, -1_000_000), max: Math.min(maximum ?? 1_000_000, 1_000_000) }),
          fc.boolean(),
        )
        .map(([number, quoted]) => (quoted ? String(number) : number));
    case 'a date as dd-MM-yyyy':
      return fc
        .date({ min: new Date('1990-01-01'), max: new Date('2100-12-31'), noInvalidDate: true })
        .map((instant) => instant.toISOString().slice(0, 10).split('-').reverse().join('-'));
    case 'a country code of two letters (ISO 3166)':
      return fc.constantFrom('NL', 'BE', 'be', 'Lu');
    default:
      throw new Error(`Nothing is made up for ${title}`);
  }
}

/** Makes a request valid as a whole whose fields are valid one by one. */
function completed(name: EndpointName, request: Fields): Fields {
  switch (name) {
    case 'updateproduct':
    case 'addproduct':
      return {
        ...request,
        ArticleNumber: request.ArticleNumber || 'A-1',
        ...each(request, 'Product_CustomField', completedCustomField),
      };
    case 'addsalesinvoice':
      return {
        ...request,
        CustomerName: request.CustomerName || 'Jansen',
        ...(request.InvoiceDueDate ? { InvoiceDueDate: '14-02-2026' } : {}),
        Periodic_StartingDate: '31-01-2026',
        Periodic_EndDate: '31-12-2026',
        Periodic_Frequency: 1,
        Periodic_FrequencyUnit: 'Month',
        ...each(request, 'Invoice_InvoiceLine', completedArticle),
        ...each(request, 'Invoice_Attachment', completedAttachment),
      };
    case 'addorder':
      return {
        ...request,
        CustomerNumber: Number(request.CustomerNumber) || 7,
        ...each(request, 'Order_Orderline', completedArticle),
        ...each(request, 'Order_Attachment', completedAttachment),
      };
    case 'addpurchasetransaction':
      return { ...request, SupplierEmail: 'a@b.nl', ...each(request, 'Invoice_InvoiceLine', completedTax) };
    case 'addsalestransaction':
      return { ...request, CustomerEmail: 'a@b.nl', ...each(request, 'Invoice_InvoiceLine', completedTax) };
    default:
      return request;
  }
}

const each = (request: Fields, list: string, complete: (item: Fields) => Fields): Fields =>
  Array.isArray(request[list]) ? { [list]: (request[list] as Fields[]).map(complete) } : {};

const completedCustomField = (given: Fields): Fields => {
  const type = customFieldTypes.find((known) => known.toLowerCase() === String(given.FieldType).toLowerCase());
  if (type === undefined) return given;
  const values = { Integer: 3, Date: '29-02-2024', Decimal: '0.5', Checkbox: 'True' } as Fields;
  return { ...given, [customFieldStorage[type].member]: values[type] ?? 'text' };
};

const completedArticle = (line: Fields): Fields => ({
  ...line,
  ProductNumber: line.ProductNumber || 'A-1',
  Quantity: line.Quantity || 1,
  UnitPriceExclTax: line.UnitPriceExclTax || '2.50',
  DiscountAmountInclTax: 0,
});

const completedTax = (line: Fields): Fields => ({ ...line, TaxCode: line.TaxCode || '21% - Hoog' });

const completedAttachment = (file: Fields): Fields => ({
  ...file,
  FileUrl: file.FileUrl || 'https://example.com/a.pdf',
  FileName: file.FileName || 'a.pdf',
});
