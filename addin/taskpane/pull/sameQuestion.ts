import { isSameSource, type Source } from '../../excel/tables/tableMemory.ts';
import { withoutFurther } from '../pulledLists/list.ts';
import { listOfTable } from '../pulledLists/lists.ts';

/** Whether two tables show the rows of one question to one list, which one pull brings in. */
export const isSameQuestion = (one: Source, other: Source): boolean =>
  listOfTable(one.view) === undefined
    ? isSameSource(one, other)
    : listOfTable(one.view) === listOfTable(other.view) && isSameSource(questionOf(one), questionOf(other));

function questionOf(source: Source): Source {
  const list = listOfTable(source.view)!;
  return { ...source, view: list.view, query: withoutFurther(list, source.query) };
}

/** The question of tables of one question: a further table stores in its own that it was asked for. */
export const wholeQuestion = (sources: readonly Source[]): Source['query'] =>
  Object.assign({}, ...sources.map(({ query }) => query));
