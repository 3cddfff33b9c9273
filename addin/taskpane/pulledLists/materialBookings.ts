import { once } from '../../../shared/memoized.ts';
import type { MaterialBooking } from '../../../shared/resources/materialBooking.ts';
import { customValue } from '../sheetColumns/customFields.ts';
import { declareList, listTable, TIME_ZONE } from './list.ts';

/** A booking, and its place among those of one product on one project at one time. */
type PlacedBooking = MaterialBooking & { place: number };

/** Swedish times are nearly those of ISO. */
const timeFormat = once(
  () => new Intl.DateTimeFormat('sv-SE', { timeZone: TIME_ZONE, dateStyle: 'short', timeStyle: 'medium' }),
);

/** It finds the row of a booking again, so it is the same in each time zone that the workbook is opened in. */
function timeOf({ EntryDate }: MaterialBooking): string | null {
  const instant = new Date(Number(EntryDate));
  if (EntryDate === null || Number.isNaN(instant.getTime())) return null;
  return timeFormat().format(instant).replace(' ', 'T');
}

/** Bookings have no number. They are listed in the order of booking, so the place of each among its like stays. */
const placed = () => {
  const counts = new Map<string, number>();
  return (booking: MaterialBooking): PlacedBooking[] => {
    const like = [booking.MaterialBookings_Project.Number, booking.Product_Number, timeOf(booking)].join('\n');
    const place = (counts.get(like) ?? 0) + 1;
    counts.set(like, place);
    return [{ ...booking, place }];
  };
};

export const materialBookings = declareList({
  view: 'materialBookings',
  endpoint: 'listprojectmaterialbooking',
  filters: {
    Project: { kind: 'text' },
    SelectProjectBy: { kind: 'choice', choices: ['NUMBER', 'NAME'] },
    Warehouse: { kind: 'text' },
    Product_Number: { kind: 'text' },
  },
  table: listTable<MaterialBooking, PlacedBooking>()(
    'materialBookings',
    'materialBookings',
    {
      ProjectNumber: ['text', 14, ({ MaterialBookings_Project: project }) => project.Number],
      ProjectName: ['text', 26, ({ MaterialBookings_Project: project }) => project.Name],
      Product_Number: ['text', 16],
      Product_Name: ['text', 30],
      Quantity: ['decimal', 10],
      EntryDate: ['local time', 17, timeOf],
      Place: ['integer', 8, ({ place }) => place],
      Product_PurchasePrice: ['price', 14],
      Description: ['text', 30],
      Warehouse: ['text', 14],
      Shelf: ['text', 10],
      Batch: ['text', 14],
      Product_SupplierName: ['text', 26],
      Product_SupplierNumber: ['text', 14, ({ Product_SupplierNumber }) => Product_SupplierNumber || null],
      CustomerNumber: ['text', 14, ({ MaterialBookings_Project: project }) => project.Customer_Number || null],
      CustomerName: ['text', 26, ({ MaterialBookings_Project: project }) => project.Customer_Name],
      ProjectDescription: ['text', 30, ({ MaterialBookings_Project: project }) => project.Description],
      CustomFields: [
        'text',
        30,
        ({ MaterialBookings_CustomField_Product: fields }) =>
          fields.map((field) => `${field.Label}: ${customValue(field)}`).join('; '),
      ],
    },
    { keys: ['ProjectNumber', 'Product_Number', 'EntryDate', 'Place'], itemsOf: placed },
  ),
  further: {},
});
