import { Badge, Body1, Button, Field, Input, Subtitle2, Text } from '@fluentui/react-components';
import { type SubmitEvent, useState } from 'react';
import { type Credential, createClient } from '../../../shared/client/client.ts';
import { Problem } from '../../../shared/problem.ts';
import { appAddress } from '../appAddress.ts';
import {
  type Connection,
  type Connections,
  type ConnectionsChange,
  withChange,
  withConnection,
  without,
} from '../connections.ts';
import { explainError } from '../explainError.ts';
import { fetchOnce } from '../fetchWithRetry.ts';
import { DemoOffer } from '../firstSteps/DemoOffer.tsx';
import { FirstSteps } from '../firstSteps/FirstSteps.tsx';
import { usePane } from '../paneContext.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Notice } from './Notice.tsx';
import { useFormStyles, ViewFrame } from './ViewFrame.tsx';
import { WorkButton } from './WorkButton.tsx';

type Props = {
  connections: Connections;
  onChange: (change: ConnectionsChange) => void;
  /** Called after a connection was made or selected. */
  onConnected: () => void;
};

/** Makes, selects, renames and removes connections to administrations. */
export function ConnectView({ connections, onChange, onConnected }: Props) {
  const styles = useFormStyles();
  const { messages } = usePane();
  const texts = messages.connect;
  const some = connections.all.length > 0;
  return (
    <ViewFrame title={some ? texts.existing : texts.title} back={some}>
      {some && <ConnectionList connections={connections} onChange={onChange} onConnected={onConnected} />}
      {some && (
        <Subtitle2 as="h2" className={styles.heading}>
          {texts.another}
        </Subtitle2>
      )}
      {!some && <FirstSteps current={0} />}
      <ConnectForm
        taken={connections.all.map(({ label }) => label)}
        onConnected={(connection) => {
          onChange((now) => withConnection(now, connection));
          onConnected();
        }}
      />
    </ViewFrame>
  );
}

/** A text without the invisible characters that copying may add. */
const typed = (text: string): string => text.replace(/\p{Cf}/gu, '').trim();

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

function ConnectForm({ taken, onConnected }: { taken: readonly string[]; onConnected: (made: Connection) => void }) {
  const styles = useFormStyles();
  const { messages, busy, setBusy } = usePane();
  const texts = messages.connect;
  const [values, setValues] = useState<Record<FieldName, string>>({ username: '', apiKey: '', label: '' });
  const [errors, setErrors] = useState<Partial<Record<FieldName, string>>>({});
  const [failure, setFailure] = useState<string>();

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const [username, apiKey] = [typed(values.username), typed(values.apiKey)];
    const label = values.label.trim() || username;
    const found: Partial<Record<FieldName, string>> = {
      ...(username === '' ? { username: texts.required } : {}),
      ...(apiKey === '' ? { apiKey: texts.required } : {}),
      ...(taken.includes(label) ? { label: texts.labelTaken } : {}),
    };
    setErrors(found);
    setFailure(undefined);
    const [first] = Object.keys(found);
    if (first !== undefined) return form.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
    if (!canBeSent({ username, apiKey })) return setFailure(texts.refused);
    setBusy(true);
    try {
      // The smallest request: it needs a valid credential and changes nothing.
      await createClient(appAddress(), { username, apiKey }, fetchOnce).listtaxcodes({});
      const id = crypto.randomUUID();
      onConnected({ id, label, username, apiKey, pushedBefore: false, addedOn: Date.now() });
    } catch (error) {
      const wrong = error instanceof Problem && error.code === 'UNAUTHORIZED';
      setFailure(wrong ? texts.refused : explainError(error, messages));
    } finally {
      setBusy(false);
    }
  };

  const fields = [
    { name: 'username', label: texts.username, hint: texts.usernameHint, required: true },
    { name: 'apiKey', label: texts.apiKey, required: true },
    { name: 'label', label: texts.label, hint: texts.labelHint },
  ] as const;

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
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
      <WorkButton appearance="primary" type="submit">
        {busy ? texts.checking : texts.submit}
      </WorkButton>
      <Body1 as="p" className={styles.muted} style={{ margin: 0 }}>
        {texts.explanation}
      </Body1>
    </form>
  );
}

function ConnectionList({ connections, onChange, onConnected }: Props) {
  const styles = useFormStyles();
  const { messages } = usePane();
  const texts = messages.connect;
  const [removing, setRemoving] = useState<Connection>();
  const [renaming, setRenaming] = useState<{ id: string; label: string; error?: string }>();

  const rename = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (renaming === undefined) return;
    const label = renaming.label.trim();
    const taken = connections.all.some((other) => other.label === label && other.id !== renaming.id);
    if (label === '' || taken) {
      setRenaming({ ...renaming, error: label === '' ? texts.required : texts.labelTaken });
      return event.currentTarget.querySelector('input')?.focus();
    }
    onChange((now) => withChange(now, renaming.id, { label }));
    setRenaming(undefined);
  };

  return (
    <>
      <ul className={styles.list}>
        {connections.all.map((connection) => {
          const { id, label, username } = connection;
          return (
            <li key={id} className={styles.card}>
              {renaming?.id === id ? (
                <form className={styles.form} onSubmit={rename}>
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
                  <div className={styles.side}>
                    <Button type="submit" appearance="primary">
                      {texts.save}
                    </Button>
                    <Button onClick={() => setRenaming(undefined)}>{messages.cancel}</Button>
                  </div>
                </form>
              ) : (
                <>
                  <div className={styles.side}>
                    <Text weight="semibold">{label}</Text>
                    {id === connections.activeId && (
                      <Badge appearance="tint" color="brand">
                        {texts.active}
                      </Badge>
                    )}
                  </div>
                  <Text size={200} className={styles.muted}>
                    {username}
                  </Text>
                  <div className={styles.side}>
                    <WorkButton
                      size="small"
                      appearance="primary"
                      aria-label={messages.named(texts.use, label)}
                      onClick={() => {
                        onChange((now) => ({ ...now, activeId: id }));
                        onConnected();
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
            onChange((now) => without(now, removing.id));
            setRemoving(undefined);
          }}
        >
          <Text>{texts.removeQuestion(removing.label)}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}
