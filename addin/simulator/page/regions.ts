/** The parts of the page that F6 goes round, and where in each it arrives. The formula bar belongs to the cells. */
const ring = [
  { within: '.title-bar, .ribbon', start: '.title-bar button' },
  { within: '.formula-bar, .grid', start: '.cell-field' },
  { within: '.sheet-tabs', start: '[role=tab][aria-selected=true]' },
  { within: '.pane', start: '.pane iframe' },
];

/** Where the focus was in the pane when it was left: a browser forgets that of a frame. */
let leftInPane: Element | null | undefined;

const enterFrame = ({ contentWindow, contentDocument }: HTMLIFrameElement): void => {
  contentWindow?.focus();
  const isThere = leftInPane?.isConnected && leftInPane.ownerDocument === contentDocument;
  const first = contentDocument?.querySelector('main, [tabindex], button, a[href], input');
  ((isThere ? leftInPane : first) as HTMLElement | null | undefined)?.focus();
};

/** Moves the focus to the next part of the page that is shown, or to the one before. */
export const goToNextRegion = (backwards: boolean): void => {
  const now = document.activeElement;
  if (now instanceof HTMLIFrameElement) leftInPane = now.contentDocument?.activeElement;
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
