import { refuseField } from '../../../../shared/problem.ts';
import { folded } from '../sql/comparedText.ts';
import type { Scope } from '../sql/scope.ts';

/**
 * The project a request names, by its number or by its name; where it does not say which, a number goes first.
 * @throws Problem INVALID_REQUEST when there is none
 */
export async function findProject(
  scope: Scope,
  given: { project?: string | undefined; by?: 'NAME' | 'NUMBER' | undefined },
  field: string,
): Promise<bigint | null> {
  if (given.project === undefined) return null;
  const ids = await projectsNamed(scope, given.project, given.by);
  if (ids[0] !== undefined) return ids[0];
  const code = given.by === undefined ? 'NO_SUCH_PROJECT' : (`NO_SUCH_PROJECT_${given.by}` as const);
  throw refuseField(field, code, { project: given.project });
}

/** The projects of that number or name, the one by number first. */
export async function projectsNamed(
  { db, administration }: Scope,
  project: string,
  by: 'NAME' | 'NUMBER' | undefined,
): Promise<bigint[]> {
  const number = by !== 'NAME' && /^\d{1,18}$/.test(project.trim()) ? BigInt(project.trim()) : undefined;
  const rows = await db
    .selectFrom('project')
    .where('administration_id', '=', administration.id)
    .where((eb) =>
      eb.or([
        ...(number === undefined ? [] : [eb('number', '=', number)]),
        ...(by === 'NUMBER' ? [] : [eb('name_folded', '=', folded(project))]),
      ]),
    )
    .orderBy('number')
    .select(['id', 'number'])
    .execute();
  return rows.toSorted((a, b) => Number(b.number === number) - Number(a.number === number)).map((row) => row.id);
}
