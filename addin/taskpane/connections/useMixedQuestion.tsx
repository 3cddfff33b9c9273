import { Text } from '@fluentui/react-text';
import { type ReactNode, useCallback, useState } from 'react';
import {
  type Administration,
  distinctAdministrations,
  isSameAdministration,
  type TableHandle,
} from '../../excel/tables/tableMemory.ts';
import type { Messages } from '../locales/en.ts';
import { ConfirmDialog } from '../views/ConfirmDialog.tsx';
import { AdministrationMark } from './AdministrationMark.tsx';

/**
 * The other administrations of a workbook that has none of one yet; none when that is in it already.
 * @param ofFormulas whose figures its formulas have, if it has formulas
 */
export function othersIn(
  tables: readonly TableHandle[],
  ofFormulas: Administration | undefined,
  wanted: Administration,
): Administration[] {
  const ofTables = tables.map(({ memory }) => memory.administration);
  const all = ofFormulas === undefined ? ofTables : [...ofTables, ofFormulas];
  if (all.some((one) => isSameAdministration(one, wanted))) return [];
  return distinctAdministrations(all);
}

type Question = { others: readonly Administration[]; wanted: Administration; answer: (mayMix: boolean) => void };

/** Asks before tables of an administration are put into a workbook that has tables of others. */
export function useMixedQuestion(messages: Messages): {
  ask: (others: readonly Administration[], wanted: Administration) => Promise<boolean>;
  dialog: ReactNode;
} {
  const texts = messages.mixed;
  const [question, setQuestion] = useState<Question>();
  const ask = useCallback(
    (others: readonly Administration[], wanted: Administration) =>
      new Promise<boolean>((answer) => setQuestion({ others, wanted, answer })),
    [],
  );
  const close = (mayMix: boolean) => {
    question?.answer(mayMix);
    setQuestion(undefined);
  };
  const dialog = question && (
    <ConfirmDialog
      title={texts.title}
      confirm={texts.confirm}
      onConfirm={() => close(true)}
      onCancel={() => close(false)}
    >
      <Text>{texts.present}</Text>
      {question.others.map((one) => (
        <div key={one.id}>
          <AdministrationMark administration={one} />
        </div>
      ))}
      <Text>{texts.added}</Text>
      <div>
        <AdministrationMark administration={question.wanted} />
      </div>
    </ConfirmDialog>
  );
  return { ask, dialog };
}
