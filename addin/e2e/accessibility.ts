import axe from 'axe-core';
import type { Frame, Page } from 'playwright-core';

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** The accessibility errors of a page, without those of its pane. */
export async function accessibilityErrors(place: Page | Frame): Promise<string[]> {
  // The page of an earlier look has it already.
  if (!(await place.evaluate(() => 'axe' in window))) await place.evaluate(axe.source);
  const violations = await place.evaluate(async () => {
    // The contrast of a colour that is still changing is not the final one.
    const unchanging = new CSSStyleSheet();
    unchanging.replaceSync('*, *::before, *::after { transition: none !important }');
    document.adoptedStyleSheets.push(unchanging);
    try {
      for (;;) {
        let changed = false;
        const observer = new MutationObserver(() => {
          changed = true;
        });
        observer.observe(document, { subtree: true, childList: true, attributes: true });
        const found = await window.axe.run({ exclude: ['iframe'] }, { resultTypes: ['violations'] });
        observer.disconnect();
        // Of a page that changed meanwhile, a button's old colour may have been held against its new state.
        if (found.violations.length === 0 || !changed) return found.violations;
      }
    } finally {
      document.adoptedStyleSheets.pop();
    }
  });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
