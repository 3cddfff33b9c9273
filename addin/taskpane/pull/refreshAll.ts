import { Unreachable } from '../../../shared/client/client.ts';
import { Problem } from '../../../shared/problem.ts';
import type { Written } from '../../excel/tables/table.ts';
import type { TableHandle } from '../../excel/tables/tableMemory.ts';
import { AGEING } from '../sheetColumns/ageingTable.ts';
import { type PullProgress, type RefreshContext, refreshPull } from './pulls.ts';
import { isSameQuestion, wholeQuestion } from './sameQuestion.ts';

/** What came of refreshing several tables. */
export type RefreshedAll = {
  refreshed: readonly Written[];
  /** Sheets that were left as they were, and why. */
  failed: readonly { sheetName: string; error: unknown }[];
  /** The names of sheets that were not reached: the user cancelled, or the service refuses every request. */
  left: readonly string[];
};

/** Which of the questions is being asked, and the name of its sheet. */
type QuestionProgress = { place: number; all: number; sheetName: string };

export type AllProgress = PullProgress & { question: QuestionProgress };

type AllContext = Omit<RefreshContext, 'onFetched'> & { onFetched?: (progress: AllProgress) => void };

/**
 * Refreshes tables one after the other, those of one question together, and goes on after one that fails. The active
 * sheet stays. @param tables that can be refreshed, of the administration of the context
 */
export async function refreshAll(context: AllContext, tables: readonly TableHandle[]): Promise<RefreshedAll> {
  const questions = questionsOf(tables);
  const refreshed: Written[] = [];
  const failed: { sheetName: string; error: unknown }[] = [];
  for (const [index, question] of questions.entries()) {
    const done = new Set(refreshed.map(({ sheetId }) => sheetId));
    if (question.every(({ sheetId }) => done.has(sheetId))) continue;
    const { sheetName, memory } = question[0]!;
    const onFetched = (progress: PullProgress) =>
      context.onFetched?.({ ...progress, question: { place: index + 1, all: questions.length, sheetName } });
    const query = wholeQuestion(question.map((table) => table.memory));
    onFetched({ rows: 0 });
    try {
      refreshed.push(...(await refreshPull({ ...context, onFetched, showsSheet: false }, { ...memory, query })));
    } catch (error) {
      const isCancelled = context.retry?.signal?.aborted === true;
      if (!isCancelled) failed.push(...question.map((table) => ({ sheetName: table.sheetName, error })));
      if (isCancelled || failsForAll(error)) {
        const left = questions.slice(isCancelled ? index : index + 1).flat();
        return { refreshed, failed, left: left.map((table) => table.sheetName) };
      }
    }
  }
  return { refreshed, failed, left: [] };
}

/** The tables by their questions. An ageing overview comes last: a pull of all invoices refreshes it too. */
function questionsOf(tables: readonly TableHandle[]): TableHandle[][] {
  const questions: TableHandle[][] = [];
  for (const table of tables) {
    const known = questions.find(([first]) => isSameQuestion(first!.memory, table.memory));
    if (known === undefined) questions.push([table]);
    else known.push(table);
  }
  const isAgeing = ([first]: TableHandle[]) => first!.memory.view === AGEING;
  return [...questions.filter((one) => !isAgeing(one)), ...questions.filter(isAgeing)];
}

/** The number of questions that refreshing some tables asks. */
export const questionCount = (tables: readonly TableHandle[]): number => questionsOf(tables).length;

/** Whether the next question would fail in the same way. */
const failsForAll = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof Problem && ['UNAUTHORIZED', 'RATE_LIMIT'].includes(error.code));
