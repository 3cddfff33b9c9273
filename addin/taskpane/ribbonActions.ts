import { viewGroups, type WorkView } from './viewNames.ts';

/** The name of the action in the manifest that opens a view: `showAccounts`. */
export const actionOf = (view: WorkView): string => `show${view[0]!.toUpperCase()}${view.slice(1)}`;

const listeners = new Set<(view: WorkView) => void>();

/** Calls a function with the view that a button of the ribbon opens. @returns a function that stops it */
export function onRibbonButton(listener: (view: WorkView) => void): () => void {
  listeners.add(listener);
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
      for (const listener of listeners) listener(view);
      // Excel waits for the end of an action, however it ends.
      await Office.addin.showAsTaskpane().catch(() => {});
      event.completed();
    });
  }
}
