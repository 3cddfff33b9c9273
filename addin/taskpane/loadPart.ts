/** A part of the pane did not arrive: the app does not respond, or it has another version by now. */
export class NotLoaded extends Error {
  override readonly name = 'NotLoaded';
}

/** A part of the pane that is loaded when it is needed. @throws NotLoaded */
export const loadPart = <Part>(part: Promise<Part>): Promise<Part> =>
  part.catch((cause: unknown) => {
    throw new NotLoaded(cause instanceof Error ? cause.message : String(cause), { cause });
  });

/**
 * Opens the pane anew if the app responds: a part that does not arrive then is of a version that is gone. Without the
 * app the pane stays as it is, since the browser would show an error in its place. A browser that remembers that a part
 * did not arrive gets it then too.
 * @param view the one to open
 * @param prepare called before the pane is opened anew
 */
export async function reloadIfPossible(view?: string, prepare = () => {}): Promise<void> {
  const responds = await fetch(location.href, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!responds) return;
  prepare();
  const address = new URL(location.href);
  if (view !== undefined) address.searchParams.set('view', view);
  if (address.href === location.href) location.reload();
  else location.replace(address);
}
