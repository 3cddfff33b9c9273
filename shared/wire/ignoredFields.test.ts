import { describe, expect, it } from 'vitest';
import { orderAddition } from '../resources/order.ts';
import { ignoredFields } from './ignoredFields.ts';

describe('ignored fields', () => {
  it('are reported with their paths in the body, its lists and its objects', () => {
    const body = {
      CustomerNumber: 1,
      Colour: 'red',
      Order_Orderline: [{ ProductNumber: 'A' }, { ProductNumber: 'B', Width: 3, Depth: { Of: 1 } }],
      Order_Address: [{ Planet: 'Mars' }],
    };
    expect(ignoredFields(orderAddition, body)).toEqual([
      'Colour',
      'Order_Orderline[1].Width',
      'Order_Orderline[1].Depth',
      'Order_Address[0].Planet',
    ]);
  });

  it('are none when every field is known', () => {
    expect(ignoredFields(orderAddition, { CustomerNumber: 1, Order_Address: null, Order_Orderline: [] })).toEqual([]);
  });

  it('are those with another spelling, and inherited names of objects', () => {
    expect(ignoredFields(orderAddition, JSON.parse('{"orderDate":1,"toString":1,"__proto__":1}'))).toEqual([
      'orderDate',
      'toString',
      '__proto__',
    ]);
  });

  it('are reported up to a maximum', () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, index]));
    expect(ignoredFields(orderAddition, many)).toHaveLength(50);
    expect(ignoredFields(orderAddition, { Order_Orderline: [many, many] }, 3)).toHaveLength(3);
  });
});
