import { expect, it } from 'vitest';
import { needed, reasonIn } from './needed.ts';

it('a test that needs what is not there says why it is skipped, and the end of a run finds that reason', () => {
  const office = needed(false, 'LibreOffice (7 or newer) is not on this machine');
  expect(office.title('a workbook opens')).toContain('a workbook opens (skipped: LibreOffice');
  for (const titles of [
    office.title('opens'),
    `${office.title('a workbook')} > opens`,
    `xlsx > ${office.title('opens')}`,
  ])
    expect(reasonIn(titles)).toBe('LibreOffice (7 or newer) is not on this machine');
});

it('a test that has what it needs carries its title alone', () => {
  const office = needed(true, 'LibreOffice is not on this machine');
  expect([office.isThere, office.title('opens')]).toEqual([true, 'opens']);
  expect(reasonIn('opens (in a second)')).toBeUndefined();
});
