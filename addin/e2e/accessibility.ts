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

/** Milliseconds that a region has to be there before its text, for screen readers to read that. */
const ALONE_MS = 50;

/**
 * Keeps what screen readers read out in the next pause from now on: what comes into a region, or is hidden no longer,
 * after the region was there. Not all of them read what comes together with its region.
 * @returns a function that returns it
 */
export async function listenTo(pane: Frame): Promise<() => Promise<string[]>> {
  const heard = await pane.evaluateHandle((alone) => {
    const texts: string[] = [];
    /** The regions, and when they came. */
    const since = new Map<Element, number>();
    const regions = (root: ParentNode) => root.querySelectorAll('[role=status]');
    for (const region of regions(document)) since.set(region, 0);
    new MutationObserver((changes) => {
      for (const { target, addedNodes, type } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest('[role=status]');
        const came = region ? since.get(region) : undefined;
        if (region != null && came !== undefined && performance.now() - came >= alone) {
          const isWhole = region.getAttribute('aria-atomic') !== 'false';
          const nodes = isWhole ? [region] : type === 'childList' ? addedNodes : [target];
          for (const node of nodes) {
            const element = node instanceof Element ? node : node.parentElement;
            if (element?.checkVisibility({ visibilityProperty: true })) texts.push((element as HTMLElement).innerText);
          }
        }
        for (const node of addedNodes) {
          if (!(node instanceof Element)) continue;
          for (const found of [node, ...regions(node)]) {
            if (found.matches('[role=status]')) since.set(found, performance.now());
          }
        }
      }
    }).observe(document, { subtree: true, childList: true, characterData: true, attributeFilter: ['style'] });
    return texts;
  }, ALONE_MS);
  return () => heard.jsonValue();
}
