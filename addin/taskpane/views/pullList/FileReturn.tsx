import { Text } from '@fluentui/react-text';
import { useState } from 'react';
import { createVatClient } from '../../../../shared/client/vatClient.ts';
import { Problem } from '../../../../shared/problem.ts';
import type { VatReturnResponse } from '../../../../shared/resources/vatReturn/vatReturn.ts';
import { dateIn, writeDate } from '../../../../shared/wire/calendarDate.ts';
import { AdministrationMark } from '../../connections/AdministrationMark.tsx';
import { administrationOf } from '../../connections/connections.ts';
import { writeObstacle } from '../../connections/Limits.tsx';
import { explainError } from '../../explainError.ts';
import { mayHaveArrived, serviceOf } from '../../fetchWithRetry.ts';
import { formatDecimal } from '../../locales/language.ts';
import { type Connected, usePane } from '../../paneContext.ts';
import { pullList } from '../../pull/pulls.ts';
import { usePull } from '../../pull/usePull.ts';
import { type Question, TIME_ZONE } from '../../pulledLists/list.ts';
import { vatReturn } from '../../pulledLists/vatReturn.ts';
import { useJob } from '../../useJob.ts';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { JobStatus } from '../JobStatus.tsx';
import { Notice } from '../Notice.tsx';
import { PullStatus } from '../PullStatus.tsx';
import { Section } from '../Section.tsx';
import { WorkButton } from '../WorkButton.tsx';
import { type Looked, lookAtReturn } from './lookAtReturn.ts';

type Props = Pick<Connected, 'connection'> & { question: Question };

/** Marks the return of a period as filed, after a question that shows its figures. */
export function FileReturn({ connection, question }: Props) {
  const { messages } = usePane();
  const texts = messages.vat;
  const looking = useJob<never, Looked>();
  const filing = useJob<never, VatReturnResponse>();
  const pull = usePull(connection);
  const [asked, setAsked] = useState<VatReturnResponse>();
  const obstacle = writeObstacle(connection.identity);
  if (obstacle !== undefined) {
    return (
      <Text size={200} className="muted">
        {texts.mayNotFile[obstacle]}
      </Text>
    );
  }
  const look = () => {
    filing.reset();
    pull.reset();
    void looking.start(
      ({ signal, send }) => lookAtReturn(createVatClient(serviceOf(connection, send)), question.Period ?? '', signal),
      (looked) => setAsked(looked?.toFile),
    );
  };
  const file = async ({ period, filedOn, figures }: VatReturnResponse) => {
    setAsked(undefined);
    // A request whose response was lost is not sent again: it would be refused as filed already.
    const done = await filing.start(({ signal, send }) =>
      createVatClient(serviceOf(connection, send)).file(period, { isSupplement: filedOn !== null, figures }, signal),
    );
    // Another period may have been chosen while the figures were computed.
    const filed = { ...question, Period: period };
    if (done !== undefined) await pull.start((context) => pullList(context, vatReturn, filed));
  };
  const explain = (error: unknown) =>
    error instanceof Problem && error.code === 'CONFLICT'
      ? texts.notFiledNow
      : mayHaveArrived(error)
        ? `${explainError(error, messages)} ${texts.unknownIfFiled}`
        : undefined;
  return (
    <Section title={texts.filing}>
      <WorkButton onClick={look}>{texts.markFiled}</WorkButton>
      <JobStatus
        job={looking.job}
        onCancel={looking.cancel}
        running={() => texts.computing}
        cancelled={messages.cancelled}
        done={({ present, toFile }) =>
          toFile === undefined && <Notice intent="info">{texts.filedAlready(present.period, dayOf(present))}</Notice>
        }
      />
      {asked !== undefined && (
        <Figures
          connection={connection}
          found={asked}
          onConfirm={() => void file(asked)}
          onCancel={() => setAsked(undefined)}
        />
      )}
      <JobStatus
        job={filing.job}
        onCancel={filing.cancel}
        running={() => texts.marking}
        cancelled={`${messages.cancelled} ${texts.unknownIfFiled}`}
        explain={explain}
        // It may be filed: that is looked at first.
        again={look}
        done={(filed) => <Notice intent="success">{texts.nowFiled(filed.period)}</Notice>}
      />
      <PullStatus job={pull.job} onCancel={pull.cancel} />
    </Section>
  );
}

const dayOf = ({ filedOn }: VatReturnResponse): string =>
  writeDate(dateIn(TIME_ZONE, new Date(Number(filedOn) * 1000)));

type FiguresProps = Pick<Props, 'connection'> & {
  found: VatReturnResponse;
  onConfirm: () => void;
  onCancel: () => void;
};

/** The figures of a return, and the question whether it was filed with them. */
function Figures({ connection, found, onConfirm, onCancel }: FiguresProps) {
  const { messages, language } = usePane();
  const texts = messages.vat;
  const parts = { base: texts.base, tax: texts.tax };
  const figures = found.boxes.filter(({ declared }) => Number(declared) !== 0);
  return (
    <ConfirmDialog
      title={found.filedOn === null ? texts.fileTitle(found.period) : texts.supplementTitle(found.period)}
      confirm={texts.fileConfirm}
      onConfirm={onConfirm}
      onCancel={onCancel}
    >
      <div>
        <AdministrationMark administration={administrationOf(connection)} />
      </div>
      <Text>{texts.fileText}</Text>
      {figures.length === 0 && <Text>{texts.noFigures}</Text>}
      <ul className="bullets">
        {figures.map(({ box, part, declared }) => (
          <li key={`${box} ${part}`}>
            {texts.figure(box, parts[part as keyof typeof parts], formatDecimal(language, declared ?? '0', 2))}
          </li>
        ))}
      </ul>
      {found.remarks.length > 0 && <Text>{texts.remarks(found.remarks.length)}</Text>}
    </ConfirmDialog>
  );
}
