import { expect, it } from 'vitest';
import { testStorage } from '../../testing/storage.ts';

const { storage } = await testStorage();

it('Rows of a range are removed by several at once, and others stay', async () => {
  const table = storage.table('ranges');
  const keys = Array.from({ length: 250 }, (_, index) => `old.${String(index).padStart(3, '0')}`);
  await Promise.all([...keys, 'new.000'].map((key) => table.insert({ partition: 'one', key, values: {} })));
  const range = { partition: 'one', after: 'old.', before: 'old/' };
  await Promise.all([1, 2, 3, 4].map(() => table.removeAll(range)));
  const left = await Array.fromAsync(table.list({ partition: 'one' }), ({ key }) => key);
  expect(left).toEqual(['new.000']);
});
