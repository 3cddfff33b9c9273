import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** The accessibility errors of a page, without those of its pane. */
export async function accessibilityErrors(place: Page | Frame): Promise<string[]> {
  await place.evaluate(axe.source);
  // The contrast of a colour that is still changing is not the final one.
  await place.evaluate(() => {
    const changing = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    return Promise.allSettled(changing.map(({ finished }) => finished));
  });
  const { violations } = await place.evaluate(() => window.axe.run({ exclude: ['iframe'] }));
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
