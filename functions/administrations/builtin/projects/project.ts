import { type Found, fieldError, found, foundOr } from '../../../../shared/fieldErrors.ts';
import { folded } from '../sql/comparedText.ts';
import type { EndpointContext } from '../sql/endpointContext.ts';
import type { Row } from '../sql/schema.ts';

type By = 'NAME' | 'NUMBER' | undefined;
type ProjectInput = { InvoiceProject?: string | undefined; SelectProjectBy?: By };

/**
 * Finds the projects of many documents: by number or name, or by number first.
 * @returns the project of a request, null when it names none, or the refusal
 */
export async function findProjects(
  context: EndpointContext,
  requests: readonly ProjectInput[],
): Promise<(request: ProjectInput) => Found<Row<'project'> | null>> {
  const named = requests.flatMap(({ InvoiceProject: project, SelectProjectBy: by }) =>
    project === undefined ? [] : { project, by },
  );
  const rows = await projectRows(context, named);
  return ({ InvoiceProject: project, SelectProjectBy: by }) => {
    if (project === undefined) return found(null);
    const { number, name } = keysOf(project, by);
    const row = rows.find((one) => one.number === number) ?? rows.find((one) => one.name_folded === name);
    const code = by === undefined ? 'NO_SUCH_PROJECT' : (`NO_SUCH_PROJECT_${by}` as const);
    return foundOr(row, () => fieldError('InvoiceProject', code, { project }));
  };
}

/** The ids of the projects with that number or name. */
export const projectsNamed = async (context: EndpointContext, project: string, by: By): Promise<bigint[]> =>
  (await projectRows(context, [{ project, by }])).map(({ id }) => id);

const keysOf = (project: string, by: By) => ({
  number: by !== 'NAME' && /^\d{1,18}$/.test(project.trim()) ? BigInt(project.trim()) : undefined,
  name: by === 'NUMBER' ? undefined : folded(project),
});

/** Projects with these numbers or names, ordered by number. */
async function projectRows(
  { db, administration }: EndpointContext,
  named: readonly { project: string; by: By }[],
): Promise<Row<'project'>[]> {
  if (named.length === 0) return [];
  const keys = named.map(({ project, by }) => keysOf(project, by));
  const numbers = [...new Set(keys.flatMap(({ number }) => number ?? []))];
  const names = [...new Set(keys.flatMap(({ name }) => name ?? []))];
  return db
    .selectFrom('project')
    .where('administration_id', '=', administration.id)
    .where((eb) =>
      eb.or([
        ...(numbers.length === 0 ? [] : [eb('number', 'in', numbers)]),
        ...(names.length === 0 ? [] : [eb('name_folded', 'in', names)]),
      ]),
    )
    .orderBy('number')
    .selectAll()
    .execute();
}
