import type { Written } from '../../excel/tables/table.ts';
import { isSameAdministration } from '../../excel/tables/tableMemory.ts';
import { removeUnfinished, type Unfinished } from '../../excel/tables/unfinished.ts';
import { canRefresh, type RefreshContext, refreshPull } from './pulls.ts';
import { isSameQuestion, wholeQuestion } from './sameQuestion.ts';

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
  const together = all.filter((other) => other === one || isSameQuestion(one.source, other.source));
  for (const other of together) if (other.work === 'new') await removeUnfinished(other, context.retry);
  return refreshPull(context, { ...one.source, query: wholeQuestion(together.map(({ source }) => source)) });
}
