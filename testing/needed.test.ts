import { expect, it } from 'vitest';
import { needed, reasonIn } from './needed.ts';

it('the title of a skipped test contains the reason, which is read at the end of a run', () => {
  const office = needed(false, 'LibreOffice (7 or newer) is not on this machine');
  expect(office.title('a workbook opens')).toContain('a workbook opens (skipped: LibreOffice');
  for (const titles of [
    office.title('opens'),
    `${office.title('a workbook')} > opens`,
    `xlsx > ${office.title('opens')}`,
  ])
    expect(reasonIn(titles)).toBe('LibreOffice (7 or newer) is not on this machine');
});

it('the title of a test that is not skipped is unchanged', () => {
  const office = needed(true, 'LibreOffice is not on this machine');
  expect([office.isThere, office.title('opens')]).toEqual([true, 'opens']);
  expect(reasonIn('opens (in a second)')).toBeUndefined();
});
