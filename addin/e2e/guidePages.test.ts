import { expect, it } from 'vitest';
import { guidePages } from '../taskpane/guideAddress.ts';
import { languages } from '../taskpane/locales/words.ts';
import { requestSheets } from '../taskpane/sheetColumns/requestSheets.ts';
import { accessibilityErrors } from './accessibility.ts';
import { withAppPage } from './appPage.ts';

/* The pages of the user guide as the app serves them. That the help of each view opens its page is in everyView.test.ts. */

const appPage = withAppPage();

it.each(languages)('every page of the guide is accessible, with the tables that it folds, in %s', async (language) => {
  const { page, app } = appPage;
  let tables = 0;
  for (const name of new Set(Object.values(guidePages))) {
    await page.goto(`${app.address}/taskpane/guide/${language}/${name}.html`);
    for (const one of await page.locator('summary').all()) await one.press('Enter');
    tables += await page.locator('details[open] table:visible').count();
    expect(await accessibilityErrors(page), name).toEqual([]);
  }
  // Of the product sheet, and of each sheet with documents.
  expect(tables).toBe(1 + Object.keys(requestSheets).length);
});
