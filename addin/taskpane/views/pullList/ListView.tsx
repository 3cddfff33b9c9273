import { Checkbox } from '@fluentui/react-checkbox';
import { type ReactNode, type SubmitEvent, useRef, useState } from 'react';
import { dateIn } from '../../../../shared/wire/calendarDate.ts';
import type { Written } from '../../../excel/tables/table.ts';
import { type Connected, usePane } from '../../paneContext.ts';
import { pullList, type RefreshContext } from '../../pull/pulls.ts';
import { usePull } from '../../pull/usePull.ts';
import { type PulledList, type Question, TIME_ZONE, tablesOf, trimmed, withAnswer } from '../../pulledLists/list.ts';
import { furtherTextsOf, sheetNameFor } from '../../pulledLists/questionText.ts';
import { PullStatus } from '../PullStatus.tsx';
import { ViewFrame } from '../ViewFrame.tsx';
import { WorkButton } from '../WorkButton.tsx';
import { type ChosenColumns, ColumnChoice } from './ColumnChoice.tsx';
import { FilterField } from './FilterField.tsx';
import { wrongFilters } from './wrongFilters.ts';

type Work = (context: RefreshContext) => Promise<Written[]>;

type Props = Pick<Connected, 'connection'> & {
  list: PulledList;
  /** Another way to pull the list, if there is one. */
  pull?: (context: RefreshContext, question: Question) => Promise<Written[]>;
  /** Further fields above the button. */
  fields?: ReactNode;
  /** Further buttons. @param start begins other work of the view */
  buttons?: (start: (work: Work) => void) => ReactNode;
  /** Shown below, also by what is asked. */
  children?: ReactNode | ((question: Question) => ReactNode);
};

/** Pulls a list: its filters, the tables that come with it on request, and the button. */
export function ListView({ connection, list, pull, fields, buttons, children }: Props) {
  const { messages } = usePane();
  const [question, setQuestion] = useState<Question>(() => list.initial?.(dateIn(TIME_ZONE, new Date())) ?? {});
  const [wrong, setWrong] = useState<readonly string[]>([]);
  const [columns, setColumns] = useState<Record<string, ChosenColumns>>({});
  const { job, start, cancel } = usePull(connection);
  const texts = messages[list.view];
  const form = useRef<HTMLFormElement>(null);
  /** Whether all typed dates exist; if not, the browser says so: the value of its field is that of an empty one. */
  const hasDates = () => form.current?.reportValidity() !== false;

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!hasDates()) return;
    const found = wrongFilters(list, question);
    setWrong(found);
    if (found.length > 0) {
      return event.currentTarget.querySelector<HTMLInputElement>(`[data-filter="${found[0]}"] input`)?.focus();
    }
    const asked = trimmed(question);
    start((tools) => {
      const context = { ...tools, columns };
      return pull === undefined ? pullList(context, list, asked) : pull(context, asked);
    });
  };

  return (
    <ViewFrame title={texts.title}>
      <form ref={form} className="form" onSubmit={submit} noValidate>
        {Object.keys(list.filters).map((name) => (
          <div key={name} data-filter={name}>
            <FilterField
              list={list}
              name={name}
              question={question}
              isWrong={wrong.includes(name)}
              onChange={setQuestion}
            />
          </div>
        ))}
        {Object.entries(list.further).map(
          ([name, { isAlways }]) =>
            !isAlways && (
              <Checkbox
                key={name}
                label={furtherTextsOf(list, name, messages).label}
                checked={question[name] !== undefined}
                onChange={(_, { checked }) => setQuestion(withAnswer(question, name, checked === true ? 'true' : ''))}
              />
            ),
        )}
        {fields}
        {tablesOf(list, question).map(({ table }) => (
          <ColumnChoice
            key={table.name}
            table={table}
            title={sheetNameFor(list, table, {}, messages)}
            chosen={columns[table.name]}
            onChosen={(chosen) => setColumns({ ...columns, [table.name]: chosen })}
          />
        ))}
        <WorkButton appearance="primary" type="submit">
          {texts.submit}
        </WorkButton>
        {buttons?.((work) => hasDates() && void start(work))}
      </form>
      <PullStatus job={job} onCancel={cancel} />
      {typeof children === 'function' ? children(question) : children}
    </ViewFrame>
  );
}
