import type { Attack } from './attack.ts';
import { auditfileAttacks } from './auditfiles.ts';
import { bodyAttacks } from './bodies.ts';
import { commandAttacks } from './commands.ts';
import { documentAttacks } from './documents.ts';
import { exportAttacks } from './exports.ts';
import { fileAttacks } from './files.ts';
import { heldAttacks } from './held.ts';
import { importAttacks } from './imports.ts';
import { ledgerAttacks } from './ledger.ts';
import { nameAttacks } from './names.ts';
import { periodicAttacks } from './periodic.ts';
import { pushAttacks } from './pushes.ts';

/** In whose work no database has a part. */
const besideDatabases: readonly Attack[] = [...fileAttacks, ...heldAttacks, ...nameAttacks];

/**
 * What callers do, in an order: some need the invoices of those before.
 * @param step each so many-th of the generated bodies, and fewer pushes
 * @param ofDatabase only those in whose work the database has a part
 */
export const attacks = (step = 1, ofDatabase = false): readonly Attack[] => [
  ...documentAttacks,
  ...(ofDatabase ? [] : besideDatabases),
  ...pushAttacks.filter((_, index) => index % Math.min(step, 3) === 0),
  ...bodyAttacks().filter((_, index) => index % step === 0),
  ...periodicAttacks,
  ...ledgerAttacks,
  ...exportAttacks,
  ...auditfileAttacks,
  ...commandAttacks,
  ...importAttacks,
];
