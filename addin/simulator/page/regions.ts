/** The parts of the page in the order of F6, and the element of each that gets the focus. */
const ring = [
  { within: '.title-bar, .ribbon', start: '.title-bar button' },
  { within: '.formula-bar, .grid', start: '.cell-field' },
  { within: '.sheet-tabs', start: '[role=tab][aria-selected=true]' },
  { within: '.pane', start: '.pane iframe' },
];

/** The element that had the focus when the pane was left. Browsers do not remember it for a frame. */
let lastInPane: Element | null | undefined;

const enterFrame = ({ contentWindow, contentDocument }: HTMLIFrameElement): void => {
  contentWindow?.focus();
  const isThere = lastInPane?.isConnected && lastInPane.ownerDocument === contentDocument;
  const first = contentDocument?.querySelector('main, [tabindex], button, a[href], input');
  ((isThere ? lastInPane : first) as HTMLElement | null | undefined)?.focus();
};

/** Moves the focus to the next part of the page that is shown, or to the one before. */
export const goToNextRegion = (backwards: boolean): void => {
  const now = document.activeElement;
  if (now instanceof HTMLIFrameElement) lastInPane = now.contentDocument?.activeElement;
  const at = ring.findIndex(({ within }) => now?.closest(within));
  const from = at < 0 && backwards ? 0 : at;
  for (let step = 1; step <= ring.length; step += 1) {
    const index = (from + (backwards ? -step : step) + ring.length) % ring.length;
    const target = document.querySelector<HTMLElement>(ring[index]!.start);
    if (!target?.checkVisibility()) continue;
    if (target instanceof HTMLIFrameElement) enterFrame(target);
    else target.focus({ preventScroll: true });
    return;
  }
};
