/** Milliseconds between two looks at the parent. */
const INTERVAL_MS = 250;

/** As the process began: npm may be ended while the app starts. */
const parent = process.ppid;

/**
 * Calls back once when the process that started this one has ended. npm passes SIGTERM to its shell only, which ends
 * without telling the app. On Windows a process keeps the number of its parent; there the console ends them all.
 */
export function onParentEnd(ended: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    ended();
  }, INTERVAL_MS).unref();
}
