import { beforeEach, describe, expect, it } from 'vitest';
import { accessibilityErrors } from './accessibility.ts';
import { demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';
import { rowsOf, typeBelow } from './sheetCells.ts';

/* The products of a built-in administration, as they are now, in a product sheet. */

const SHEET = 'Products to change';
const appPage = withAppPage();
const { press } = appPage;
let { page, pane } = appPage;
beforeEach(async () => {
  ({ page, pane } = appPage);
  await connect(pane, demo, 'Demo');
});

describe('the present values of a product sheet', () => {
  it('are there when it is made, and are read again before a push is confirmed', async () => {
    const { updateproduct } = appPage.app.clientOf(demo);
    const product = await updateproduct({ ArticleNumber: '01008', NewSalePrice: '10' });
    await press('Product sheet');
    await pane.getByLabel('Article numbers').fill('01008\n\nNOPE');
    await press('Make the product sheet');
    await seen(pane.getByText('is ready'));
    const rows = await rowsOf(page, SHEET);
    expect(rows[0]).toMatchObject({
      'Article number': '01008',
      'Name now': product.Name,
      'Unit now': product.Unit,
      'Sale price now': 10,
      'VAT % now': Number(product.VATPercentage),
      'Stock now': Number(product.StockQty),
      'New sale price': '',
      Message: '',
    });
    expect(rows[0]!['Read on']).toBeGreaterThan(46_000);
    expect(rows[1]).toMatchObject({ 'Name now': '', Message: '' });
    expect(rows[2]).toMatchObject({
      'Name now': '',
      Message: expect.stringContaining('no product with this number. To add it, choose Yes'),
    });

    await typeBelow(page, SHEET, 'New sale price', 2, '12.50');
    await updateproduct({ ArticleNumber: '01008', NewSalePrice: '2' });
    await press('Push this sheet');
    await press(/^Push 1 row/);
    const question = pane.getByRole('alertdialog');
    await seen(question.getByText('Present values as read on'));
    expect(await question.textContent()).toContain('2.00 › 12.50 (+10.50)');
    expect(await accessibilityErrors(pane)).toEqual([]);
    await question.getByRole('button', { name: 'Push' }).click();
    await seen(pane.getByText(': 1 applied.'));
    expect((await rowsOf(page, SHEET))[0]).toMatchObject({ 'Sale price now': 12.5, Status: 'Applied' });

    // What another person changed since makes a price unusual.
    await typeBelow(page, SHEET, 'New sale price', 2, '20');
    await updateproduct({ ArticleNumber: '01008', NewSalePrice: '2' });
    await press('Check the rows again');
    await press(/^Push 1 row/);
    await seen(question.getByText('ten times the present price of 2.00, or more'));
  });

  it('are waited for in words, and the user can leave a service that does not answer', async () => {
    await page.route('**/products?*', () => {});
    await press('Product sheet');
    await pane.getByLabel('Article numbers').fill('01008');
    await press('Make the product sheet');
    await seen(pane.getByText('Making the product sheet…'));
    await press('Cancel');
    await seen(pane.getByText('Cancelled'));
    expect(await page.evaluate(() => window.workbook.sheets())).not.toContain(SHEET);
    await page.unroute('**/products?*');
    await press('Make the product sheet');
    await seen(pane.getByText('is ready'));
  });
});

describe('a new product', () => {
  it('is made from a row, and is changed by it from then on', async () => {
    const { updateproduct } = appPage.app.clientOf(demo);
    await press('Product sheet');
    await pane.getByLabel('Article numbers').fill('OAK-1\nOAK-2\n01008');
    await press('Make the product sheet');
    await seen(pane.getByText('is ready'));
    const type = (heading: string, row: number, text: string) => typeBelow(page, SHEET, heading, row, text);
    for (const row of [2, 3, 4]) await type('New product', row, 'Yes');
    for (const row of [2, 4]) {
      await type('New name', row, 'Oak <b>chair</b>');
      await type('Category', row, 'Oak');
    }
    await type('New sale price', 2, '249.95');
    await type('Stock quantity', 2, '6');
    await press('Push this sheet');
    await seen(pane.getByText(/Row 3: New name \([A-Z]+3\): /));

    // The category is not there yet, and the article number of row 4 is taken.
    await press(/^Push 2 rows/);
    const question = pane.getByRole('alertdialog');
    await seen(question.getByText('2 rows make new products.'));
    expect(await question.textContent()).toContain('New sale price: 249.95Stock quantity: 6');
    expect(await question.textContent()).not.toContain('not read');
    expect(await accessibilityErrors(pane)).toEqual([]);
    await question.getByRole('button', { name: 'Push' }).click();
    await seen(pane.getByText('0 applied, 2 refused'));
    const messages = (await rowsOf(page, SHEET)).map(({ Message }) => Message);
    expect(messages[0]).toContain('Category: there is no category “Oak”');
    expect(messages[2]).toContain('Article number: a product has “01008” already');
    await expect(updateproduct({ ArticleNumber: 'OAK-1' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });

    await press(/^Try the 2 refused/);
    await question.getByLabel('Make categories that do not exist yet').check();
    await question.getByRole('button', { name: 'Push' }).click();
    await seen(pane.getByText(': 1 applied, 1 refused'));
    expect(await updateproduct({ ArticleNumber: 'OAK-1' })).toMatchObject({
      Name: 'Oak <b>chair</b>',
      Price: '249.95',
      StockQty: '6',
    });
    expect((await rowsOf(page, SHEET))[0]).toMatchObject({
      'New product': '',
      'Name now': 'Oak <b>chair</b>',
      'Sale price now': 249.95,
      'Stock quantity': '',
      'Stock now': 6,
      Status: 'Applied',
      Message: 'Added to the administration.',
    });

    await type('New sale price', 2, '199');
    await press('Check the rows again');
    await press(/^Push 2 rows/);
    await question.getByRole('button', { name: 'Push' }).click();
    await seen(pane.getByText(': 1 applied, 1 refused'));
    expect(await updateproduct({ ArticleNumber: 'OAK-1' })).toMatchObject({ Price: '199', StockQty: '6' });
  });
});

describe('the search for products', () => {
  it('finds them by part of a name, number or EAN, and adds them by the keyboard', async () => {
    const product = await appPage.app.clientOf(demo).updateproduct({ ArticleNumber: '01008' });
    await press('Product sheet');
    await pane.getByLabel('Article numbers').fill('01013');
    await pane.getByLabel('Search products').fill('0100');
    const add = await seen(pane.getByRole('button', { name: `Add 01008 ${product.Name}` }));
    expect(await accessibilityErrors(pane)).toEqual([]);
    await add.focus();
    await page.keyboard.press('Enter');
    expect(await pane.getByLabel('Article numbers').inputValue()).toBe('01013\n01008');
    await seen(pane.getByRole('button', { name: `Added 01008 ${product.Name}` }));
    await pane.getByLabel('Search products').fill('no such product at all');
    await seen(pane.getByText('No product found.'));
    await press('Make the product sheet');
    await seen(pane.getByText('Rows with a product: 2.'));
    expect((await rowsOf(page, SHEET))[1]).toMatchObject({ 'Article number': '01008', 'Name now': product.Name });

    // The same search adds to a sheet that is there.
    await press('Push this sheet');
    await seen(pane.getByText('There is nothing to send'));
    await pane.getByLabel('Search products').fill('0100');
    await (await seen(pane.getByRole('button', { name: 'Add 01008' }))).focus();
    await page.keyboard.press('Enter');
    await seen(pane.getByText('01008 is in row 3 already.'));
    const other = await pane.getByRole('button', { name: /^Add / }).first().getAttribute('aria-label');
    const article = other!.split(' ')[1]!;
    await press(other!);
    await seen(pane.getByText(`${article} is in row 4 now.`));
    expect(await accessibilityErrors(pane)).toEqual([]);
    expect((await rowsOf(page, SHEET))[2]).toMatchObject({
      'Article number': article,
      'Name now': (await appPage.app.clientOf(demo).updateproduct({ ArticleNumber: article })).Name,
      'Stock change': 'Relative',
      'Read on': expect.any(Number),
    });
  });

  it('adds one after the other, and offers no other while one waits for a cell that is being edited', async () => {
    await press('Product sheet');
    await press('Make the product sheet');
    await press('Push this sheet');
    await seen(pane.getByText('There is nothing to send'));
    await pane.getByLabel('Search products').fill('0100');
    const adds = pane.getByRole('button', { name: /^Add / });
    await seen(adds);
    const [first, second] = await adds.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')!));
    await page.getByRole('grid').focus();
    await page.keyboard.type('V-6');
    const button = (label: string, disabled: boolean) => pane.getByRole('button', { name: label, disabled });
    await button(first!, false).click();
    await seen(pane.getByText('A cell is being edited'));
    await seen(button(second!, true));
    await page.getByRole('grid').focus();
    await page.keyboard.press('Escape');
    await seen(pane.getByText(`${first!.split(' ')[1]} is in row`));
    await button(second!, false).click();
    await seen(pane.getByText(`${second!.split(' ')[1]} is in row`));
    const articles = (await rowsOf(page, SHEET)).map((row) => row['Article number']).filter(Boolean);
    expect(articles).toEqual([first, second].map((label) => label!.split(' ')[1]));
  });
});
