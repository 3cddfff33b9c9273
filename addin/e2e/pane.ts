import type { Frame, Locator, Page } from 'playwright-core';
import type { Credential } from '../../shared/client/client.ts';

/** The frame of the pane beside the workbook, once the pane is there. */
export async function paneOf(page: Page): Promise<Frame> {
  const frame = await (await page.locator('iframe').elementHandle())?.contentFrame();
  if (frame === null || frame === undefined) throw new Error('The page shows no pane.');
  await paneOpened(frame);
  return frame;
}

/** Waits until the pane in a frame has read its workbook, and shows a view. */
export async function paneOpened(frame: Frame): Promise<void> {
  await frame.locator('h1:not([aria-busy=true] *)').first().waitFor();
}

/** Connects the pane to an administration, as a person does. */
export async function connect(pane: Frame, { apiKey, username }: Credential, label: string): Promise<void> {
  await pane.getByLabel('User name').fill(username);
  await pane.getByLabel('API key').fill(apiKey);
  await pane.getByLabel('Label').fill(label);
  await pane.getByRole('button', { name: 'Connect' }).click();
  await pane.getByRole('heading', { name: 'What do you want to do?' }).waitFor();
}

/** Waits for an element, and returns it. */
export async function seen(locator: Locator): Promise<Locator> {
  await locator.first().waitFor();
  return locator.first();
}
