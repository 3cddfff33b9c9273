import { viewGroups, type WorkView } from './viewNames.ts';

/** The name of the action in the manifest that opens a view: `showAccounts`. */
export const actionOf = (view: WorkView): string => `show${view[0]!.toUpperCase()}${view.slice(1)}`;

const listeners = new Set<(view: WorkView) => void>();
/** The view of a button that was pressed before the pane could show one: Excel loads the pane for a button too. */
let pending: WorkView | undefined;

/** Calls a function with the view that a button of the ribbon opens. @returns a function that stops it */
export function onRibbonButton(listener: (view: WorkView) => void): () => void {
  listeners.add(listener);
  if (pending !== undefined) listener(pending);
  pending = undefined;
  return () => void listeners.delete(listener);
}

/**
 * Has Excel call the actions of the ribbon's buttons: the pane stays loaded, and shows the view of the button. An Excel
 * without shared runtimes has one button that works, the one that opens the pane.
 */
export function registerRibbonActions(): void {
  if (!Office.context.requirements.isSetSupported('SharedRuntime', '1.1')) return;
  for (const view of Object.values(viewGroups).flat()) {
    Office.actions.associate(actionOf(view), async (event: Office.AddinCommands.Event) => {
      if (listeners.size === 0) pending = view;
      for (const listener of listeners) listener(view);
      // Excel waits for the end of an action, however it ends.
      await Office.addin.showAsTaskpane().catch(() => {});
      event.completed();
    });
  }
}
