import { writeDate } from '../../../shared/wire/calendarDate.ts';
import type { Source } from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { AGEING } from '../sheetColumns/ageingTable.ts';
import { listOfTable } from './lists.ts';
import { answers, filterTextsOf } from './questionText.ts';

/** What a sheet asks for, in words: its filters with their labels; empty when it has none. */
export function askedText({ view, query }: Pick<Source, 'view' | 'query'>, messages: Messages): string {
  const list = listOfTable(view);
  if (list !== undefined) {
    const parts = answers(list, query, messages).map(({ name, filter, words }) => {
      const { label } = filterTextsOf(list, name, messages);
      return filter.kind === 'flag' ? label : messages.labelled(label, words);
    });
    return parts.join(' · ');
  }
  return view === AGEING && query.CountedTo !== undefined ? messages.ageing.countedTo(writeDate(query.CountedTo)) : '';
}
