import { administration, decimal8, foldedFrom, id, long, optional, reference, text } from './column.ts';

export const projects = {
  project: {
    id: id(),
    administration_id: administration(),
    number: long('Number', { isIdentity: true }),
    name: text('Name'),
    name_folded: foldedFrom('name'),
    description: text('Description'),
    customer_id: optional(reference('RelationGUID', 'relation')),
  },
  material_booking: {
    id: id(),
    administration_id: administration(),
    project_id: reference('ProjectNumber', 'project'),
    product_id: reference('ProductNumber', 'product'),
    supplier_id: optional(reference('SupplierRelationGUID', 'relation')),
    quantity: decimal8('Quantity'),
    /** Milliseconds since 1970. */
    entry_date: long('EntryDate'),
    description: text('Description'),
    warehouse: text('Warehouse'),
    shelf: text('Shelf'),
    batch: text('Batch'),
  },
};
