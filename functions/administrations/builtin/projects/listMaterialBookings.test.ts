import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { endpoints } from '../../../../shared/api.ts';
import { encode } from '../../../../shared/wire/encode.ts';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { openShop, type Shop } from '../../../../testing/shop.ts';
import { builtinAdministrations } from '../builtin.ts';

let app: TestApp;
let shop: Shop;

beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  shop = await openShop(app);
  const built = await shop.addProject({
    number: 12,
    name: 'Verbouwing',
    description: 'Van het pand',
    customerId: shop.customer.id,
  });
  const garden = await shop.addProject({ number: 2026, name: '12' });
  await shop.addCustomField({ label: 'Kleur', type: 'List' });
  await shop.addCustomField({ label: 'Zwaar', type: 'Checkbox' });
  await shop.accepted('updateproduct', {
    ArticleNumber: '0100',
    Product_CustomField: [
      { Label: 'Zwaar', FieldType: 'Checkbox', BooleanValue: true },
      { Label: 'Kleur', FieldType: 'List', StringValue: 'Rood' },
    ],
  });
  await shop.addMaterialBooking({
    projectId: built,
    articleNumber: '0100',
    supplierId: shop.supplier.id,
    row: {
      warehouse: 'Hal A',
      shelf: '3',
      batch: 'L1',
      description: 'Eerste',
      quantity: 150_000_000n,
      entry_date: 1_741_335_000_123n,
    },
  });
  await shop.addMaterialBooking({
    projectId: garden,
    articleNumber: '0200',
    row: { warehouse: 'Hal B', description: 'Tweede' },
  });
  await shop.addMaterialBooking({
    projectId: built,
    articleNumber: '0200',
    row: { warehouse: 'Hal A', description: 'Derde' },
  });
});
afterAll(() => app.close());

const list = async (parameters = '') => {
  const { status, json, text } = await shop.get(`/rest/listprojectmaterialbooking${parameters}`);
  if (status !== 200) throw new Error(text);
  return json;
};
const described = async (parameters: string): Promise<string[]> =>
  (await list(parameters)).map((booking: { Description: string }) => booking.Description);

it('listprojectmaterialbooking returns bookings with product, project and custom fields, in the types of the examples', async () => {
  const [first, second] = await list();
  const nothing = { DateTimeValue: null, DecimalValue: null, BooleanValue: null, StringValue: null, IntValue: null };
  expect(first).toEqual({
    Warehouse: 'Hal A',
    Shelf: '3',
    Batch: 'L1',
    Description: 'Eerste',
    Product_Name: 'Stoel',
    Product_Number: '0100',
    Product_PurchasePrice: '7.25',
    Product_SupplierName: 'Molen De Hoop',
    Product_SupplierNumber: 3,
    Quantity: '1.50000000',
    EntryDate: 1_741_335_000_123,
    MaterialBookings_Project: {
      Description: 'Van het pand',
      Number: 12,
      Customer_Name: 'Bakkerij Jansen',
      Customer_Number: 7,
      Name: 'Verbouwing',
    },
    MaterialBookings_CustomField_Product: [
      { ...nothing, Label: 'Kleur', DataType: 'String', FieldType: 'List', StringValue: 'Rood', CreateListItem: false },
      {
        ...nothing,
        Label: 'Zwaar',
        DataType: 'Boolean',
        FieldType: 'Checkbox',
        BooleanValue: true,
        CreateListItem: false,
      },
    ],
  });
  expect(second).toMatchObject({
    Product_SupplierName: '',
    Product_SupplierNumber: null,
    Quantity: '1.00000000',
    MaterialBookings_Project: { Customer_Name: '', Customer_Number: null },
    MaterialBookings_CustomField_Product: [],
  });
});

it('listprojectmaterialbooking returns every digit of a project number', async () => {
  const projectId = await shop.addProject({ number: 9_007_199_254_740_993n, name: 'Groot' });
  await shop.addMaterialBooking({ projectId, articleNumber: '0100' });
  const { text } = await shop.get('/rest/listprojectmaterialbooking?Project=9007199254740993&SelectProjectBy=NUMBER');
  expect(text).toContain('"Number":9007199254740993,');
});

describe('listprojectmaterialbooking with the filter', () => {
  it.each([
    ['', ['Eerste', 'Tweede', 'Derde']],
    ['?Project=12&SelectProjectBy=NUMBER', ['Eerste', 'Derde']],
    ['?Project=12&SelectProjectBy=NAME', ['Tweede']],
    ['?project=VERBOUWING&selectprojectby=name', ['Eerste', 'Derde']],
    ['?Project=12', ['Eerste', 'Tweede', 'Derde']],
    ['?Project=Tuin', []],
    ['?Project=Verbouwing&SelectProjectBy=NUMBER', []],
    ['?Warehouse=Hal%20A', ['Eerste', 'Derde']],
    ['?Warehouse=Hal', []],
    ['?Product_Number=0200', ['Tweede', 'Derde']],
    ['?Product_Number=200', []],
    ['?Warehouse=Hal%20A&Product_Number=0200&Project=12&SelectProjectBy=NUMBER', ['Derde']],
    ['?Project=&Warehouse=&Product_Number=', ['Eerste', 'Tweede', 'Derde']],
  ])('%s returns %j', async (parameters, expected) => {
    expect(await described(parameters)).toEqual(expected);
  });
});

describe('listprojectmaterialbooking with the page', () => {
  it.each([
    ['?limit=2', ['Eerste', 'Tweede']],
    ['?offset=1', ['Tweede', 'Derde']],
    ['?limit=1&offset=2', ['Derde']],
    ['?LIMIT=5&OFFSET=3', []],
    ['?limit=1&offset=1&Warehouse=Hal%20A', ['Derde']],
  ])('%s returns %j', async (parameters, expected) => {
    expect(await described(parameters)).toEqual(expected);
  });
});

it('listprojectmaterialbooking lets other requests be answered while it reads many bookings', async () => {
  const administration = await builtinAdministrations(app.db).open(shop.credential);
  let isOtherResponded = false;
  setImmediate(() => {
    isOtherResponded = true;
  });
  const bookings = await administration.listprojectmaterialbooking({});
  expect(encode(endpoints.listprojectmaterialbooking.response, bookings)).toContain('Eerste');
  expect(isOtherResponded).toBe(true);
});

it.each([
  ['limit=0', 'limit'],
  ['limit=x', 'limit'],
  ['offset=-1', 'offset'],
  ['SelectProjectBy=ID', 'SelectProjectBy'],
])('listprojectmaterialbooking with %s is refused', async (parameter, path) => {
  const { status, json } = await shop.get(`/rest/listprojectmaterialbooking?${parameter}`);
  expect(status).toBe(400);
  expect(json.errors).toMatchObject([{ path }]);
});

it('listprojectmaterialbooking returns nothing of another administration', async () => {
  const other = await openShop(app);
  expect((await other.get('/rest/listprojectmaterialbooking')).json).toEqual([]);
});
