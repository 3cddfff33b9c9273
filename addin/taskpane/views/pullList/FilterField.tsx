import { Checkbox } from '@fluentui/react-checkbox';
import { Field } from '@fluentui/react-field';
import { Input } from '@fluentui/react-input';
import { Radio, RadioGroup } from '@fluentui/react-radio';
import { Select } from '@fluentui/react-select';
import { useState } from 'react';
import { usePane } from '../../paneContext.ts';
import { type PulledList, type Question, withAnswer } from '../../pulledLists/list.ts';
import { isPeriodName, OTHER_DATES, periodNames } from '../../pulledLists/period.ts';
import { filterTextsOf } from '../../pulledLists/questionText.ts';

type Props = {
  list: PulledList;
  name: string;
  question: Question;
  isWrong: boolean;
  onChange: (question: Question) => void;
};

/** The field of a filter, by its kind. */
export function FilterField({ list, name, question, isWrong, onChange }: Props) {
  const { messages } = usePane();
  const filter = list.filters[name]!;
  const texts = filterTextsOf(list, name, messages);
  const value = question[name] ?? '';
  const change = (next: string) => onChange(withAnswer(question, name, next));
  const field = {
    label: texts.label,
    ...(texts.hint === undefined ? {} : { hint: texts.hint }),
    ...(isWrong && texts.wrong !== undefined ? { validationMessage: texts.wrong } : {}),
  };
  switch (filter.kind) {
    case 'period':
      return <PeriodField {...{ question, onChange, isWrong }} {...field} />;
    case 'vatPeriod':
      return <VatPeriodField value={value} change={change} {...field} />;
    case 'flag':
      return (
        <Checkbox
          label={texts.label}
          checked={value !== ''}
          onChange={(_, { checked }) => change(checked === true ? 'true' : '')}
        />
      );
    case 'choice':
    case 'comparison': {
      const { validationMessage, ...asked } = field;
      const hasDates = value === OTHER_DATES;
      const { ComparedFrom, ComparedTill, ...others } = question;
      return (
        <div className="section">
          <Field {...(hasDates ? asked : field)}>
            <RadioGroup value={value} onChange={(_, { value: next }) => onChange(withAnswer(others, name, next))}>
              <Radio value="" label={texts.all ?? ''} />
              {filter.choices.map((code) => (
                <Radio key={code} value={code} label={messages.codes[code]} />
              ))}
            </RadioGroup>
          </Field>
          {hasDates && (
            <DateFields
              names={['ComparedFrom', 'ComparedTill']}
              {...{ question, onChange }}
              {...(validationMessage === undefined ? {} : { validationMessage })}
            />
          )}
        </div>
      );
    }
    case 'day':
    case 'since':
      return (
        <Field {...field}>
          <Input type="date" value={value} onChange={(_, { value: next }) => change(next)} />
        </Field>
      );
    default:
      return (
        <Field {...field}>
          <Input
            inputMode={filter.kind === 'text' ? 'text' : 'numeric'}
            maxLength={filter.kind === 'year' ? 4 : 200}
            value={value}
            onChange={(_, { value: next }) => change(next)}
          />
        </Field>
      );
  }
}

type VatPeriodProps = { value: string; change: (value: string) => void; label: string; validationMessage?: string };

/** A year, or a quarter or a month of it. */
function VatPeriodField({ value, change, label, ...field }: VatPeriodProps) {
  const { messages, language } = usePane();
  const [, year = '', part = ''] = /^(\d*)-?(.*)$/.exec(value)!;
  const periodOf = (newYear: string, newPart: string) => [newYear, newPart].filter(Boolean).join('-');
  const { format } = new Intl.DateTimeFormat(language, { month: 'long' });
  const months = Array.from({ length: 12 }, (_, month) => [
    String(month + 1).padStart(2, '0'),
    format(new Date(2000, month)),
  ]);
  const quarters = [1, 2, 3, 4].map((quarter) => [`Q${quarter}`, messages.vat.quarter(quarter)]);
  return (
    <div className="side">
      <Field className="grow" label={label}>
        <Select value={part} onChange={(_, { value: next }) => change(periodOf(year, next))}>
          {[...quarters, ...months, ['', messages.vat.wholeYear]].map(([name, words]) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
      <Field className="grow" label={messages.vat.year} {...field}>
        <Input
          inputMode="numeric"
          maxLength={4}
          // No wider than a year needs: beside the quarter it would not fit in the pane.
          input={{ size: 4 }}
          value={year}
          onChange={(_, { value: next }) => change(periodOf(next.replace(/\D/g, ''), part))}
        />
      </Field>
    </div>
  );
}

type PeriodProps = Pick<Props, 'question' | 'onChange'> & { label: string; hint?: string; validationMessage?: string };

/** A period by its name, or by dates. */
function PeriodField({ question, onChange, label, hint, validationMessage }: PeriodProps) {
  const { periods, dates } = usePane().messages;
  const [name, setName] = useState(question.Period ?? '');
  const choose = (next: string) => {
    setName(next);
    const { DateFrom, DateTill, ...others } = question;
    onChange(withAnswer(others, 'Period', next));
  };
  return (
    <div className="section">
      <Field label={label}>
        <Select value={name} onChange={(_, { value }) => choose(value)}>
          <option value="">{dates.choose}</option>
          {periodNames.map((one) => (
            <option key={one} value={one}>
              {periods[one]}
            </option>
          ))}
        </Select>
      </Field>
      {!isPeriodName(name) && (
        <DateFields
          names={['DateFrom', 'DateTill']}
          {...{ question, onChange }}
          {...(hint === undefined ? {} : { hint })}
          {...(validationMessage === undefined ? {} : { validationMessage })}
        />
      )}
    </div>
  );
}

type DatesProps = Pick<Props, 'question' | 'onChange'> & {
  /** Of the first and the last day in the question. */
  names: readonly [string, string];
  hint?: string;
  validationMessage?: string;
};

/** The first and the last day of a period, side by side. */
function DateFields({ names: [from, till], question, onChange, hint, validationMessage }: DatesProps) {
  const { dates } = usePane().messages;
  const date = (key: string) => (
    <Input
      type="date"
      name={key}
      value={question[key] ?? ''}
      onChange={(_, { value }) => onChange(withAnswer(question, key, value))}
    />
  );
  return (
    <div className="side">
      <Field className="grow" label={dates.fromLabel} {...(hint === undefined ? {} : { hint })}>
        {date(from)}
      </Field>
      <Field
        className="grow"
        label={dates.tillLabel}
        {...(validationMessage === undefined ? {} : { validationMessage })}
      >
        {date(till)}
      </Field>
    </div>
  );
}
