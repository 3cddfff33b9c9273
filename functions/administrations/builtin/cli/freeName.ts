import { CommandError } from '../files/commandError.ts';
import { folded } from '../sql/comparedText.ts';
import type { Database } from '../sql/database.ts';

/** Another administration with a name, in any case. */
export async function namesake(db: Database, name: string, except?: bigint) {
  const all = await db.selectFrom('administration').select(['id', 'name']).execute();
  return all.find((one) => one.id !== except && folded(one.name) === folded(name));
}

/** @throws CommandError when another administration has the name, in any case */
export async function requireFreeName(db: Database, name: string, except?: bigint): Promise<void> {
  const other = await namesake(db, name, except);
  if (other !== undefined)
    throw new CommandError(`Administration ${other.id} is called ${other.name}: choose another name.`);
}
