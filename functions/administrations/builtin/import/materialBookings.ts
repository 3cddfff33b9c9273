import { DECIMAL_SCALE, units } from '../../../../shared/money.ts';
import {
  type Column,
  day,
  decimal,
  isRefused,
  long,
  noted,
  number,
  requestedNumber,
  required,
  text,
} from '../files/column.ts';
import { insertRows } from '../sql/insertRows.ts';
import type { NewRow } from '../sql/schema.ts';
import { importer } from './importRows.ts';
import { relationFinder } from './relations/relationFinder.ts';

/** A day, or milliseconds since 1970 as the interface has it. */
const moment = (): Column<bigint> => {
  const dayColumn = day();
  return {
    ...dayColumn,
    read: (cell, options) => {
      if (/^\d{9,15}$/.test(cell)) return BigInt(cell);
      const value = dayColumn.read(cell, options);
      return isRefused(value)
        ? { refused: `${value.refused}; milliseconds since 1970 would do as well` }
        : BigInt(Date.parse(`${value}T00:00:00Z`));
    },
  };
};

const columns = {
  ProjectNumber: noted('of a project that exists', required(requestedNumber({ min: 1n }))),
  ProductNumber: noted('of a product that exists', required(text())),
  SupplierNumber: number(),
  SupplierRelationGUID: long({ min: 0n }),
  Quantity: required(decimal()),
  EntryDate: noted('milliseconds since 1970 will do too', required(moment())),
  Description: text(),
  Warehouse: text(),
  Shelf: text(),
  Batch: text(),
};

/** Material bookings: nothing tells one from another, so each row is a new one. */
export const materialBookings = importer(columns, async (context) => {
  const { db, administration, report, isSound, counts } = context;
  return {
    rows: async (rows) => {
      const suppliers = await relationFinder(context, rows, {
        SupplierNumber: 'supplier_number',
        SupplierRelationGUID: 'guid',
      });
      const projectNumbers = rows.flatMap(({ values }) => (values.ProjectNumber ? BigInt(values.ProjectNumber) : []));
      const projects =
        projectNumbers.length === 0
          ? []
          : await db
              .selectFrom('project')
              .where('administration_id', '=', administration.id)
              .where('number', 'in', projectNumbers)
              .select(['id', 'number'])
              .execute();
      const articleNumbers = rows.flatMap(({ values }) => values.ProductNumber ?? []);
      const products =
        articleNumbers.length === 0
          ? []
          : await db
              .selectFrom('product')
              .where('administration_id', '=', administration.id)
              .where('article_number', 'in', articleNumbers)
              .select(['id', 'article_number'])
              .execute();
      const projectIds = new Map(projects.map(({ id, number }) => [String(number), id]));
      const productIds = new Map(products.map(({ id, article_number }) => [article_number, id]));
      const bookings: NewRow<'material_booking'>[] = [];
      for (const row of rows) {
        const { line, values, bad } = row;
        const supplier = suppliers(row);
        const { ProjectNumber: project, ProductNumber: product } = values;
        const projectId = project === undefined ? undefined : projectIds.get(String(BigInt(project)));
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
