/*
 * Whether the pane opens with this workbook. Excel stores it in the workbook, so it counts for everybody who has the
 * add-in. A pane with an id of its own would be opened by `Office.AutoShowTaskpaneWithDocument`; a shared runtime has none:
 * Excel loads the add-in, which then shows itself.
 */

export const canOpenWithWorkbook = (): boolean => Office.context.requirements.isSetSupported('SharedRuntime', '1.1');

export const opensWithWorkbook = async (): Promise<boolean> =>
  canOpenWithWorkbook() && (await Office.addin.getStartupBehavior()) === Office.StartupBehavior.load;

export const openWithWorkbook = (opens: boolean): Promise<void> =>
  Office.addin.setStartupBehavior(opens ? Office.StartupBehavior.load : Office.StartupBehavior.none);

/** Shows the pane, if Excel loaded it with a workbook that wants it. */
export async function showWithWorkbook(): Promise<void> {
  // It can be opened by its button all the same.
  if (await opensWithWorkbook().catch(() => false)) await Office.addin.showAsTaskpane().catch(() => {});
}
