import { DECIMAL_SCALE, decimalText } from '../../../../shared/money.ts';
import type { MaterialBookingCustomField } from '../../../../shared/resources/customField.ts';
import type { MaterialBooking, MaterialBookingQuery } from '../../../../shared/resources/materialBooking.ts';
import { customFieldAnswer } from '../customFields/customFieldAnswer.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import { projectsNamed } from './project.ts';

/** Products in one statement, which can bind a limited number of values. */
const BATCH_SIZE = 5000;

/** The material bookings of projects, in the order of booking; without a Limit all of them. */
export async function listMaterialBookings(
  scope: EndpointContext,
  query: MaterialBookingQuery,
): Promise<MaterialBooking[]> {
  const { db, administration } = scope;
  // The bookings of the page first: others need no product, project or relations.
  let page = db
    .selectFrom('material_booking')
    .where('administration_id', '=', administration.id)
    .orderBy('id')
    .select('id');
  if (query.Project !== undefined) {
    const projects = await projectsNamed(scope, query.Project, query.SelectProjectBy);
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
  const rows = await db
    .selectFrom('material_booking')
    .innerJoin('project', 'project.id', 'material_booking.project_id')
    .innerJoin('product', 'product.id', 'material_booking.product_id')
    .leftJoin('relation as customer', 'customer.id', 'project.customer_id')
    .leftJoin('relation as supplier', 'supplier.id', 'material_booking.supplier_id')
    .where('material_booking.id', 'in', page)
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
  const fields = await customFieldsOf(scope, [...new Set(rows.map((row) => row.product_id))]);
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

/** Custom fields of products, for the answers of bookings. */
async function customFieldsOf(
  { db }: EndpointContext,
  productIds: readonly bigint[],
): Promise<Map<bigint, MaterialBookingCustomField[]>> {
  const fields = new Map<bigint, MaterialBookingCustomField[]>();
  for (let start = 0; start < productIds.length; start += BATCH_SIZE) {
    const rows = await db
      .selectFrom('product_custom_field')
      .innerJoin('custom_field', 'custom_field.id', 'product_custom_field.custom_field_id')
      .where('product_id', 'in', productIds.slice(start, start + BATCH_SIZE))
      .orderBy('product_id')
      .orderBy('label')
      .select(['product_id', 'label', 'field_type', 'value'])
      .execute();
    for (const row of rows) {
      const field = { ...customFieldAnswer(row), CreateListItem: false };
      fields.set(row.product_id, [...(fields.get(row.product_id) ?? []), field]);
    }
  }
  return fields;
}
