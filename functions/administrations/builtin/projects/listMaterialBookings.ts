import { setImmediate } from 'node:timers/promises';
import { DECIMAL_SCALE, decimalText } from '../../../../shared/money.ts';
import type { MaterialBookingCustomField } from '../../../../shared/resources/customField.ts';
import {
  type MaterialBooking,
  type MaterialBookingQuery,
  materialBooking,
} from '../../../../shared/resources/materialBooking.ts';
import { Encoded, encodeEach } from '../../../../shared/wire/encode.ts';
import { customFieldResponse } from '../customFields/customFieldResponse.ts';
import type { Database } from '../sql/database.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { projectsNamed } from './project.ts';

/** Bookings that are read at a time; other requests are answered in between. */
const BATCH_SIZE = 1000;

/** The material bookings of projects, in the order of booking; without a Limit all of them. */
export async function listMaterialBookings(
  context: EndpointContext,
  query: MaterialBookingQuery,
): Promise<Encoded<MaterialBooking[]>> {
  const found = await bookingsFound(context, query);
  const texts: string[] = [];
  for (let start = 0; start < found.length; start += BATCH_SIZE) {
    const bookings = await bookingsOf(context, found.slice(start, start + BATCH_SIZE));
    // Joined at once: V8 needs several times the memory for texts that are still in parts.
    texts.push(encodeEach(materialBooking, bookings).join(','));
    await setImmediate();
  }
  return new Encoded(`[${texts.join(',')}]`);
}

/** The ids of the bookings of a page. */
async function bookingsFound(context: EndpointContext, query: MaterialBookingQuery): Promise<bigint[]> {
  const { db, administration } = context;
  let page = db
    .selectFrom('material_booking')
    .where('administration_id', '=', administration.id)
    .orderBy('id')
    .select('id');
  if (query.Project !== undefined) {
    const projects = await projectsNamed(context, query.Project, query.SelectProjectBy);
    if (projects.length === 0) return [];
    page = page.where('project_id', 'in', projects);
  }
  if (query.Product_Number !== undefined) {
    const product = db
      .selectFrom('product')
      .where('administration_id', '=', administration.id)
      .where('article_number', '=', query.Product_Number);
    page = page.where('product_id', '=', product.select('id'));
  }
  if (query.Warehouse !== undefined) page = page.where('warehouse', '=', query.Warehouse);
  // An offset needs a limit; one larger than any list means no limit.
  if (query.limit !== undefined || query.offset !== undefined) {
    page = page.limit(query.limit ?? 2_147_483_647).offset(query.offset ?? 0);
  }
  return (await page.execute()).map(({ id }) => id);
}

async function bookingsOf({ db }: EndpointContext, ids: readonly bigint[]): Promise<MaterialBooking[]> {
  const rows = await db
    .selectFrom('material_booking')
    .innerJoin('project', 'project.id', 'material_booking.project_id')
    .innerJoin('product', 'product.id', 'material_booking.product_id')
    .leftJoin('relation as customer', 'customer.id', 'project.customer_id')
    .leftJoin('relation as supplier', 'supplier.id', 'material_booking.supplier_id')
    .where('material_booking.id', 'in', ids)
    .orderBy('material_booking.id')
    .select([
      'material_booking.warehouse',
      'material_booking.shelf',
      'material_booking.batch',
      'material_booking.description',
      'material_booking.quantity',
      'material_booking.entry_date',
      'product.id as product_id',
      'product.name as product_name',
      'product.article_number',
      'product.purchase_price',
      'supplier.name as supplier_name',
      'supplier.supplier_number',
      'project.description as project_description',
      'project.number as project_number',
      'project.name as project_name',
      'customer.name as customer_name',
      'customer.customer_number',
    ])
    .execute();
  const fields = await customFieldsOf(db, ids);
  const number = (value: bigint | null) => (value === null ? null : Number(value));
  return rows.map((row) => ({
    Warehouse: row.warehouse,
    Shelf: row.shelf,
    Batch: row.batch,
    Description: row.description,
    Product_Name: row.product_name,
    Product_Number: row.article_number,
    Product_PurchasePrice: decimalText(row.purchase_price, DECIMAL_SCALE),
    Product_SupplierName: row.supplier_name ?? '',
    Product_SupplierNumber: number(row.supplier_number),
    Quantity: decimalText(row.quantity, DECIMAL_SCALE),
    EntryDate: String(row.entry_date),
    MaterialBookings_Project: {
      Description: row.project_description,
      Number: String(row.project_number),
      Customer_Name: row.customer_name ?? '',
      Customer_Number: number(row.customer_number),
      Name: row.project_name,
    },
    MaterialBookings_CustomField_Product: fields.get(row.product_id) ?? [],
  }));
}

/** The custom fields of the products of bookings, by product. */
async function customFieldsOf(
  db: Database,
  ids: readonly bigint[],
): Promise<Map<bigint, MaterialBookingCustomField[]>> {
  const rows = await db
    .selectFrom('product_custom_field')
    .innerJoin('custom_field', 'custom_field.id', 'product_custom_field.custom_field_id')
    .where('product_id', 'in', db.selectFrom('material_booking').where('id', 'in', ids).select('product_id'))
    .orderBy('label')
    .select(['product_id', 'label', 'field_type', 'value'])
    .execute();
  const fields = [...Map.groupBy(rows, ({ product_id }) => product_id)];
  return new Map(
    fields.map(([id, ofProduct]) => [
      id,
      ofProduct.map((row) => ({ ...customFieldResponse(row), CreateListItem: false })),
    ]),
  );
}
