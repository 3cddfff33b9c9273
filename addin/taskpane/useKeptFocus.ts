import { type RefObject, useEffect } from 'react';

/**
 * Keeps the focus in a part of the page: when the focused element disappears, such as a button whose work is done, the
 * nearest element around it gets the focus. It never takes the focus from the worksheet.
 */
export function useKeptFocus(part: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = part.current;
    if (root === null) return;
    let path: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent) => {
      path = [];
      for (let at = target as HTMLElement | null; at !== null; at = at.parentElement) path.push(at);
    };
    const observer = new MutationObserver(() => {
      const isLost = document.hasFocus() && document.activeElement === document.body && path[0]?.isConnected === false;
      const left = isLost ? path.find((element) => element.isConnected) : undefined;
      if (left === undefined) return;
      left.tabIndex = -1;
      left.focus({ preventScroll: true });
    });
    root.addEventListener('focusin', remember);
    observer.observe(root, { childList: true, subtree: true });
    return () => {
      root.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, [part]);
}
