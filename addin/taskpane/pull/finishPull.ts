import type { Written } from '../../excel/tables/table.ts';
import { isSameAdministration, isSameSource } from '../../excel/tables/tableMemory.ts';
import { removeUnfinished, type Unfinished } from '../../excel/tables/unfinished.ts';
import { withoutFurther } from '../pulledLists/list.ts';
import { listOfTable } from '../pulledLists/lists.ts';
import { canRefresh, type RefreshContext, refreshPull } from './pulls.ts';

/** Whether an interrupted pull can be finished by repeating its query. */
export const canFinish = (
  { source }: Unfinished,
  { administration }: Pick<RefreshContext, 'administration'>,
): boolean => canRefresh(source) && isSameAdministration(source.administration, administration);

/**
 * Finishes an interrupted pull. The tables of one question belong together: incomplete ones are all replaced.
 * @param all everything unfinished in the workbook
 */
export async function finishPull(
  context: RefreshContext,
  one: Unfinished,
  all: readonly Unfinished[],
): Promise<Written[]> {
  const together = all.filter((other) => other === one || isSameQuestion(one, other));
  for (const other of together) if (other.work === 'new') await removeUnfinished(other, context.retry);
  // A further table stores in its question that it was asked for.
  const query = Object.assign({}, ...together.map(({ source }) => source.query));
  return refreshPull(context, { ...one.source, query });
}

/** Whether two tables show the rows of one question to one list. */
const isSameQuestion = (one: Unfinished, other: Unfinished): boolean =>
  listOfTable(one.source.view) !== undefined &&
  listOfTable(one.source.view) === listOfTable(other.source.view) &&
  isSameSource(questionOf(one), questionOf(other));

const questionOf = ({ source }: Unfinished): Unfinished['source'] => {
  const list = listOfTable(source.view)!;
  return { ...source, view: list.view, query: withoutFurther(list, source.query) };
};
