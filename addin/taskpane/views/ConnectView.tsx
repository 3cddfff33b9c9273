import { Button } from '@fluentui/react-button';
import { Field } from '@fluentui/react-field';
import { Input } from '@fluentui/react-input';
import { Subtitle2, Text } from '@fluentui/react-text';
import { type SubmitEvent, useState } from 'react';
import type { Credential } from '../../../shared/client/client.ts';
import { readIdentity } from '../../../shared/client/identityClient.ts';
import { Problem } from '../../../shared/problem.ts';
import type { Administration } from '../../excel/tables/tableMemory.ts';
import { AdministrationMark } from '../connections/AdministrationMark.tsx';
import {
  administrationOf,
  type Connection,
  captionOf,
  connectionReplacedBy,
  type IdentifiedConnection,
  withChange,
  withConnection,
  without,
  wordsFor,
} from '../connections/connections.ts';
import { ReplacedKey } from '../connections/ReplacedKey.tsx';
import { explainError } from '../explainError.ts';
import { fetchOnce, serviceOf } from '../fetchWithRetry.ts';
import { DemoOffer } from '../firstSteps/DemoOffer.tsx';
import { FirstSteps } from '../firstSteps/FirstSteps.tsx';
import { usePane } from '../paneContext.ts';
import { useJob } from '../useJob.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Notice } from './Notice.tsx';
import { ViewFrame } from './ViewFrame.tsx';
import { CancelButton, WorkButton } from './WorkButton.tsx';

type Props = {
  /** The administration that the workbook used last, if this browser has no connection to it. */
  wanted: Administration | undefined;
  /** Called after a connection was made or selected, with what the user should know about it. */
  onConnected: (text: string) => void;
};

/** Makes, selects, renames and removes connections to administrations. */
export function ConnectView({ wanted, onConnected }: Props) {
  const { messages, connections, connect } = usePane();
  const texts = messages.connect;
  const some = connections.all.length > 0;
  return (
    <ViewFrame title={some ? texts.existing : texts.title} back={connections.activeId !== null}>
      {wanted !== undefined && (
        <Notice intent="info">
          {texts.wanted} <AdministrationMark administration={wanted} />
        </Notice>
      )}
      {some && <ConnectionList onUsed={() => onConnected('')} />}
      {some && (
        <Subtitle2 as="h2" className="heading">
          {texts.another}
        </Subtitle2>
      )}
      {!some && <FirstSteps current={0} />}
      <ConnectForm
        onConnected={(made, text, replaced) => {
          connect((now) => withConnection(now, made, replaced));
          onConnected(text);
        }}
      />
    </ViewFrame>
  );
}

/** A text without the invisible characters that copying may add. */
const typed = (text: string): string => text.replace(/\p{Cf}/gu, '').trim();

/** A label without what is around it; "" when nothing in it can be seen. */
const labelIn = (text: string): string => (typed(text) === '' ? '' : text.trim());

/** Whether headers can carry a credential: no service has another one. */
function canBeSent(credential: Credential): boolean {
  try {
    new Headers(credential);
    return true;
  } catch {
    return false;
  }
}

type FieldName = 'username' | 'apiKey' | 'label';

/** A connection before anything was done with it. */
const newConnection = { earlierIds: [], pushedBefore: false } as const;

type FormProps = { onConnected: (made: IdentifiedConnection, text: string, replaced?: Connection) => void };

/** Whether a connection to the same service, by the same person and with the same label, may have a replaced key. */
const mayBeReplaced = ({ identity }: Connection, { identity: made }: IdentifiedConnection): boolean =>
  made.kind === 'remote' &&
  identity?.kind === 'remote' &&
  identity.address === made.address &&
  identity.username === made.username;

function ConnectForm({ onConnected }: FormProps) {
  const { messages, connections } = usePane();
  const texts = messages.connect;
  const [values, setValues] = useState<Record<FieldName, string>>({ username: '', apiKey: '', label: '' });
  const [errors, setErrors] = useState<Partial<Record<FieldName, string>>>({});
  const [isUnsendable, setUnsendable] = useState(false);
  const { job, start, cancel, reset } = useJob<never, void>();
  const [question, setQuestion] = useState<{ made: IdentifiedConnection; old: Connection }>();

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const [username, apiKey] = [typed(values.username), typed(values.apiKey)];
    const found: Partial<Record<FieldName, string>> = {
      ...(username === '' ? { username: texts.required } : {}),
      ...(apiKey === '' ? { apiKey: texts.required } : {}),
    };
    setErrors(found);
    setUnsendable(false);
    reset();
    const [first] = Object.keys(found);
    if (first !== undefined) return form.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    if (!canBeSent({ username, apiKey })) return setUnsendable(true);
    void start(async ({ signal }) => {
      const identity = await readIdentity(serviceOf({ username, apiKey }, fetchOnce), signal);
      signal.throwIfAborted();
      const made = { ...newConnection, username, apiKey, identity, id: crypto.randomUUID(), addedOn: Date.now() };
      const replaced = connectionReplacedBy(connections.all, { ...made, label: username });
      const name = identity.name === 'unknown' ? username : identity.name;
      const label = labelIn(values.label) || replaced?.label || name;
      const namesake = connections.all.find((other) => other !== replaced && other.label === label);
      const connect = { ...made, label };
      if (replaced !== undefined) return onConnected(connect, texts.keyReplaced(wordsFor(administrationOf(replaced))));
      if (namesake === undefined) return onConnected(connect, '');
      if (mayBeReplaced(namesake, connect)) setQuestion({ made: connect, old: namesake });
      else onConnected(connect, texts.labelShared(label));
    });
  };
  const failureText = (error: unknown) => {
    const isWrong = error instanceof Problem && error.code === 'UNAUTHORIZED';
    return isWrong ? texts.refused : explainError(error, messages);
  };
  const failure = isUnsendable ? texts.refused : job.state === 'failed' ? failureText(job.error) : undefined;

  const fields = [
    { name: 'username', label: texts.username, hint: texts.usernameHint, required: true },
    { name: 'apiKey', label: texts.apiKey, required: true },
    { name: 'label', label: texts.label, hint: texts.labelHint },
  ] as const;

  return (
    <form className="form" onSubmit={submit} noValidate>
      <DemoOffer onChoose={({ username, apiKey }, label) => setValues({ username, apiKey, label })} />
      {fields.map(({ name, ...field }) => (
        <Field key={name} {...field} {...(errors[name] === undefined ? {} : { validationMessage: errors[name] })}>
          <Input
            name={name}
            type={name === 'apiKey' ? 'password' : 'text'}
            value={values[name]}
            autoComplete="off"
            spellCheck={false}
            onChange={(_, { value }) => setValues((now) => ({ ...now, [name]: value }))}
          />
        </Field>
      ))}
      {failure !== undefined && <Notice intent="error">{failure}</Notice>}
      {question !== undefined && (
        <ReplacedKey
          earlier={administrationOf(question.old)}
          old={question.old}
          made={question.made}
          deny={messages.sameAdministration.replacedNo}
          onDeny={() => onConnected(question.made, texts.labelShared(question.made.label))}
          onConfirm={() => {
            const text = texts.keyReplaced(wordsFor(administrationOf(question.old)));
            onConnected(question.made, text, question.old);
          }}
        />
      )}
      <div className="side">
        <WorkButton appearance="primary" type="submit">
          {job.state === 'running' ? texts.checking : texts.submit}
        </WorkButton>
        {job.state === 'running' && <CancelButton isCancelling={job.cancelling} onCancel={cancel} />}
      </div>
      <Text size={200} className="muted">
        {texts.explanation}
      </Text>
    </form>
  );
}

function ConnectionList({ onUsed }: { onUsed: () => void }) {
  const { messages, connections, connect, change } = usePane();
  const texts = messages.connect;
  const [removing, setRemoving] = useState<Connection>();
  const [renaming, setRenaming] = useState<{ id: string; label: string; error?: string }>();

  const rename = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (renaming === undefined) return;
    const label = labelIn(renaming.label);
    if (label === '') {
      setRenaming({ ...renaming, error: texts.required });
      return event.currentTarget.querySelector('input')?.focus();
    }
    change((now) => withChange(now, renaming.id, { label }));
    setRenaming(undefined);
  };

  return (
    <>
      <ul className="list">
        {connections.all.map((connection) => {
          const { id, label, username } = connection;
          const administration = administrationOf(connection);
          const detail = [captionOf(connection), username].filter(Boolean).join(' · ');
          return (
            <li key={id} className="card">
              {renaming?.id === id ? (
                <form className="form" onSubmit={rename}>
                  <Field
                    label={texts.label}
                    {...(renaming.error === undefined ? {} : { validationMessage: renaming.error })}
                  >
                    <Input
                      autoFocus
                      value={renaming.label}
                      onChange={(_, { value }) => setRenaming({ id, label: value })}
                    />
                  </Field>
                  <div className="side">
                    <Button type="submit" appearance="primary">
                      {texts.save}
                    </Button>
                    <Button onClick={() => setRenaming(undefined)}>{messages.cancel}</Button>
                  </div>
                </form>
              ) : (
                <>
                  <div className="side">
                    <AdministrationMark administration={administration} />
                    {id === connections.activeId && <span className="badge">{texts.active}</span>}
                  </div>
                  <Text size={200} className="muted">
                    {detail}
                  </Text>
                  <div className="side">
                    <WorkButton
                      size="small"
                      appearance="primary"
                      aria-label={messages.named(texts.use, label)}
                      onClick={() => {
                        connect((now) => ({ ...now, activeId: id }));
                        onUsed();
                      }}
                    >
                      {texts.use}
                    </WorkButton>
                    <WorkButton
                      size="small"
                      aria-label={messages.named(texts.rename, label)}
                      onClick={() => setRenaming({ id, label })}
                    >
                      {texts.rename}
                    </WorkButton>
                    <WorkButton
                      size="small"
                      aria-label={messages.named(texts.remove, label)}
                      onClick={() => setRemoving(connection)}
                    >
                      {texts.remove}
                    </WorkButton>
                  </div>
                </>
              )}
            </li>
          );
        })}
      </ul>
      {removing !== undefined && (
        <ConfirmDialog
          title={texts.remove}
          confirm={texts.remove}
          onCancel={() => setRemoving(undefined)}
          onConfirm={() => {
            change((now) => without(now, removing.id));
            setRemoving(undefined);
          }}
        >
          <Text>{texts.removeQuestion(removing.label)}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
