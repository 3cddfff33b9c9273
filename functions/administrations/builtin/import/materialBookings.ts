import { DECIMAL_SCALE, units } from '../../../../shared/money.ts';
import * as column from '../files/column.ts';
import { insertRows } from '../sql/insertRows.ts';
import type { NewRow } from '../sql/schema.ts';
import { rowsWith } from './existingRows.ts';
import { importer } from './importRows.ts';
import { relationFinder } from './relationFiles/relationFinder.ts';

/** A day, or milliseconds since 1970 as the interface has it. */
const moment = (): column.Column<bigint> => {
  const day = column.day();
  return {
    ...day,
    read: (cell, options) => {
      if (/^\d{9,15}$/.test(cell)) return BigInt(cell);
      const value = day.read(cell, options);
      return column.isRefused(value)
        ? { refused: `${value.refused}; milliseconds since 1970 would do as well` }
        : BigInt(Date.parse(`${value}T00:00:00Z`));
    },
  };
};

const columns = {
  ProjectNumber: column.withNote('of an existing project', column.required(column.requestedNumber({ min: 1n }))),
  ProductNumber: column.withNote('of an existing product', column.required(column.text())),
  SupplierNumber: column.number(),
  SupplierRelationGUID: column.long({ min: 0n }),
  Quantity: column.required(column.decimal()),
  EntryDate: column.withNote('milliseconds since 1970 will do too', column.required(moment())),
  Description: column.text(),
  Warehouse: column.name(),
  Shelf: column.text(),
  Batch: column.text(),
};

/** Material bookings. They have no key: each row is a new one. */
export const materialBookings = importer(columns, async (context) => {
  const { db, administration, report, isSound, counts } = context;
  return {
    rows: async (rows) => {
      const supplierOf = await relationFinder(context, rows, {
        SupplierNumber: 'supplier_number',
        SupplierRelationGUID: 'guid',
      });
      const projectNumbers = rows.flatMap(({ values }) => values.ProjectNumber ?? []).map(BigInt);
      const projects = await rowsWith(context, 'project', 'number', projectNumbers);
      const articleNumbers = rows.flatMap(({ values }) => values.ProductNumber ?? []);
      const products = await rowsWith(context, 'product', 'article_number', articleNumbers);
      const projectIds = new Map(projects.map(({ id, number }) => [number, id]));
      const productIds = new Map(products.map(({ id, article_number }) => [article_number, id]));
      const bookings: NewRow<'material_booking'>[] = [];
      for (const row of rows) {
        const { line, values, bad } = row;
        const supplier = supplierOf(row);
        const { ProjectNumber: project, ProductNumber: product } = values;
        const projectId = project === undefined ? undefined : projectIds.get(BigInt(project));
        const productId = product === undefined ? undefined : productIds.get(product);
        if (project !== undefined && projectId === undefined) {
          report(line, 'ProjectNumber', `expected the number of a project, got ${project}`);
        }
        if (product !== undefined && productId === undefined) {
          report(line, 'ProductNumber', `expected the article number of a product, got ${product}`);
        }
        if (bad.size > 0 || projectId === undefined || productId === undefined) continue;
        bookings.push({
          administration_id: administration.id,
          project_id: projectId,
          product_id: productId,
          supplier_id: supplier?.id ?? null,
          quantity: units(values.Quantity!, DECIMAL_SCALE),
          entry_date: values.EntryDate!,
          description: values.Description ?? '',
          warehouse: values.Warehouse ?? '',
          shelf: values.Shelf ?? '',
          batch: values.Batch ?? '',
        });
      }
      if (!isSound()) return;
      await insertRows(db, 'material_booking', bookings);
      counts.added += bookings.length;
    },
  };
});
