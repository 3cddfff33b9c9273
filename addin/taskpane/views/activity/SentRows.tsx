import { Button } from '@fluentui/react-button';
import { Field } from '@fluentui/react-field';
import { Select } from '@fluentui/react-select';
import { Text } from '@fluentui/react-text';
import { useEffect, useState } from 'react';
import type { PushClient } from '../../../../shared/client/pushClient.ts';
import type { Push, RowState, SentRow } from '../../../../shared/resources/push.ts';
import { usePane } from '../../paneContext.ts';
import { refusalText } from '../../push/rowStatus.ts';
import { sentValues, stateWord } from '../../push/sentValues.ts';
import { ErrorNotice } from '../ErrorNotice.tsx';
import { Status } from '../Status.tsx';

/** Rows that are shown at a time. */
const PAGE = 20;

const failedStates: readonly (string | null)[] = ['refused', 'unknown'] satisfies RowState[];
const isFailed = ({ state }: SentRow): boolean => failedStates.includes(state);

/** The rows of a push: what was sent, and what became of it. Refused and unknown ones first, where there are any. */
export function SentRows({ push, client }: { push: Push; client: PushClient }) {
  const texts = usePane().messages.push;
  const { rows, isComplete, error, readAgain } = useSentRows(push, client);
  const failed = rows.filter(isFailed);
  const [choice, setChoice] = useState(hasFailed(push) ? 'failed' : 'all');
  const [first, setFirst] = useState(0);
  const chosen = choice === 'failed' ? failed : rows;
  const page = chosen.slice(first, first + PAGE);
  return (
    <div className="section">
      <ErrorNotice error={error} onRetry={readAgain} />
      <Field label={texts.showRows} size="small">
        <Select
          value={choice}
          onChange={(_, { value }) => {
            setChoice(value);
            setFirst(0);
          }}
        >
          <option value="all">{texts.allRows(rows.length)}</option>
          <option value="failed">{texts.failedRows(failed.length)}</option>
        </Select>
      </Field>
      <Status>
        <Text className="muted">
          {!isComplete && error === undefined
            ? texts.readingRows(rows.length, push.total ?? 0)
            : page.length === 0
              ? texts.noSuchRows
              : texts.rowsFrom(first + 1, first + page.length, chosen.length)}
        </Text>
      </Status>
      <ul className="list">
        {page.map((row) => (
          <Row key={row.row} sent={row} />
        ))}
      </ul>
      {chosen.length > PAGE && (
        <div className="side">
          <Button size="small" disabledFocusable={first === 0} onClick={() => setFirst(first - PAGE)}>
            {texts.previousRows}
          </Button>
          <Button size="small" disabledFocusable={first + PAGE >= chosen.length} onClick={() => setFirst(first + PAGE)}>
            {texts.nextRows}
          </Button>
        </div>
      )}
    </div>
  );
}

const hasFailed = ({ counts }: Push): boolean => (counts.refused ?? 0) + (counts.unknown ?? 0) > 0;

/** The rows of a push, read once, some thousand at a time. */
function useSentRows(push: Push, client: PushClient) {
  const [read, setRead] = useState<{ rows: readonly SentRow[]; isComplete: boolean; error?: unknown }>({
    rows: [],
    isComplete: false,
  });
  const { id } = push;
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again.
  useEffect(() => {
    const leaving = new AbortController();
    setRead({ rows: [], isComplete: false });
    const readAll = async () => {
      const all: SentRow[] = [];
      for (let after = '', more = true; more; ) {
        const part = await client.rows(id, after, leaving.signal);
        all.push(...part.rows);
        after = part.cursor;
        more = part.more === true;
        setRead({ rows: [...all], isComplete: !more });
      }
    };
    readAll().catch((error: unknown) => {
      if (!leaving.signal.aborted) setRead((now) => ({ ...now, error }));
    });
    return () => leaving.abort();
  }, [id, client, attempt]);
  return { error: undefined, ...read, readAgain: () => setAttempt(attempt + 1) };
}

function Row({ sent }: { sent: SentRow }) {
  const { messages, language } = usePane();
  return (
    <li className="entry">
      <Text weight="semibold">
        {messages.labelled(messages.push.sentRow(sent.row ?? 0), stateWord(sent.state, messages))}
      </Text>
      {sent.state === 'refused' && <Text>{refusalText(sent, messages)}</Text>}
      {sentValues(sent, messages, language).map(({ field, label, text, before }) => (
        <Text key={field}>
          {messages.labelled(label, before === undefined ? text : messages.activity.changed(before, text))}
        </Text>
      ))}
    </li>
  );
}
