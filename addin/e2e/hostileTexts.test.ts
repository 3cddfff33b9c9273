import { beforeEach, expect, it } from 'vitest';
import { DUTCH, demo } from './app.ts';
import { withAppPage } from './appPage.ts';
import { connect, seen } from './pane.ts';

/* Names and messages that somebody else wrote, among the words of the pane. */

const appPage = withAppPage();
const { openView, press } = appPage;
let { page, pane } = appPage;
beforeEach(() => {
  ({ page, pane } = appPage);
});

/** A right-to-left override, which reverses all that comes after it in its line. */
const REVERSED = '\u202e';

/** Whether words of the pane that stand in an element are written from the left to the right. */
const isForward = (text: string) =>
  pane.evaluate((wanted) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const start = walker.currentNode.nodeValue!.indexOf(wanted);
      if (start === -1) continue;
      const [first, second] = [start, start + 1].map((place) => {
        const range = document.createRange();
        range.setStart(walker.currentNode, place);
        range.setEnd(walker.currentNode, place + 1);
        return range.getBoundingClientRect();
      });
      return first!.top === second!.top && first!.left < second!.left;
    }
    throw new Error(`The pane does not say ${wanted}.`);
  }, text);

it('A label that reverses what comes after it reverses no words of the pane', async () => {
  await connect(pane, demo, `${REVERSED}<img src=x onerror=alert(1)>`);
  await press('Administrations');
  expect(await isForward('demo@example.com')).toBe(true);
  await press(/^Remove /);
  await seen(pane.getByRole('alertdialog').getByText('<img src=x onerror=alert(1)>'));
  expect(await isForward('are deleted from this browser')).toBe(true);
});

it('Nor does a message of the service, or the name of a sheet', async () => {
  await connect(pane, demo, 'Demo');
  const body = { errorCode: 'INVALID_REQUEST', errorMessage: `${REVERSED}Not now.` };
  await page.route('**/rest/listtaxcodes*', (route) =>
    route.fulfill({ status: 400, contentType: 'application/json', body: JSON.stringify(body) }),
  );
  await openView('Tax codes');
  await press('Bring in tax codes');
  await seen(pane.getByRole('alert').getByText('Not now.'));
  expect(await isForward('Not now.')).toBe(true);
  await page.unroute('**/rest/listtaxcodes*');
  await press('Bring in tax codes');
  await seen(pane.getByText('on sheet “Tax codes”'));
  await pane.evaluate(
    (name) =>
      Excel.run(async (excel) => {
        excel.workbook.worksheets.getItem('Tax codes').name = name;
        await excel.sync();
      }),
    `${REVERSED}xslx`,
  );
  await press('Back');
  await press(/^Refresh .*xslx$/);
  await seen(pane.getByText('is up to date'));
  expect(await isForward('is up to date')).toBe(true);
});

it('A label of characters that cannot be seen is none: the administration has its real name', async () => {
  const unseen = '\u200b\u2060\ufeff';
  await connect(pane, demo, unseen);
  await press('Administrations');
  await press(`Rename ${DUTCH}`);
  await pane.getByLabel('Label').first().fill(unseen);
  await press('Save');
  await seen(pane.getByText('This field is required.'));
});
