/*
 * Imported before anything else: an older Node lacks modules that are imported next, and says of them only "No such
 * built-in module".
 */

const MIN_NODE = 24;

if (Number.parseInt(process.versions.node, 10) < MIN_NODE) {
  throw new Error(
    `Ledgerline runs on Node ${MIN_NODE} or later, and this is Node ${process.versions.node}. ` +
      `In Azure: az functionapp config set --linux-fx-version "NODE|${MIN_NODE}", or the runtime version of a Flex Consumption app.`,
  );
}
