import { Button } from '@fluentui/react-button';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { isSameAdministration } from '../../excel/tables/tableMemory.ts';
import { activeConnection, administrationOf, isIdentified, wordsFor } from '../connections/connections.ts';
import { explainError } from '../explainError.ts';
import { formatMoment } from '../locales/language.ts';
import { usePane } from '../paneContext.ts';
import { ErrorNotice } from '../views/ErrorNotice.tsx';
import { Notice } from '../views/Notice.tsx';
import {
  chooseForFormulas,
  chooseForName,
  formulaBooks,
  namesInFormulas,
  ofFormulas,
  recalculateFormulas,
  recalculateUnconnected,
} from './registerFormulas.ts';
import { connectionsNamed } from './workbookBooks.ts';

/** Says what cells with formulas cannot show: that their figures are old or missing, and whose books they are of. */
export function FormulaNotices() {
  const { language, messages, connections } = usePane();
  const asked = formulaBooks();
  const unanswered = useSyncExternalStore(asked.subscribe, asked.unanswered);
  const books = useSyncExternalStore(ofFormulas.subscribe, ofFormulas.known);
  const names = useSyncExternalStore(namesInFormulas.subscribe, namesInFormulas.known);
  const [failed, setFailed] = useState<{ error: unknown; again: () => void }>();
  const run = (work: () => Promise<void>): void =>
    void work().then(
      () => setFailed(undefined),
      (error: unknown) => setFailed({ error, again: () => run(work) }),
    );

  // Formulas that had no connection may have one now.
  const { all } = connections;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the connections is what matters.
  useEffect(() => run(recalculateUnconnected), [all]);

  const active = activeConnection(connections);
  const connected = active && administrationOf(active);
  const isOfOther = books !== undefined && connected !== undefined && !isSameAdministration(books, connected);
  // Names that mean other books now than where a formula first had them.
  const changed = names.flatMap(({ name, meant }) => {
    const { found, several } = connectionsNamed(all, name);
    const [now] = several ? [] : found.filter(isIdentified).map(administrationOf);
    return now === undefined || isSameAdministration(now, meant) ? [] : [{ name, meant, now }];
  });
  return (
    <>
      {unanswered.map(({ name, since, error }) => (
        <Notice key={name} intent="warning">
          {since === undefined
            ? `${messages.formulas.noFigures(name)} ${explainError(error, messages)}`
            : messages.formulas.old(name, formatMoment(language, new Date(since)))}
        </Notice>
      ))}
      {changed.map(({ name, meant, now }) => (
        <Notice key={`name ${name}`} intent="warning">
          <div>{messages.formulas.nameChanged(name, wordsFor(meant), wordsFor(now))}</div>
          <Button size="small" onClick={() => run(() => chooseForName(name, now))}>
            {messages.formulas.nameMeans(wordsFor(now), name)}
          </Button>
        </Notice>
      ))}
      {failed !== undefined && <ErrorNotice error={failed.error} onRetry={failed.again} />}
      {unanswered.length > 0 && (
        <Button onClick={() => run(recalculateFormulas)}>{messages.formulas.recalculate}</Button>
      )}
      {isOfOther && (
        <>
          <Notice intent="info">{messages.formulas.ofOther(wordsFor(books))}</Notice>
          <Button onClick={() => run(() => chooseForFormulas(connected))}>
            {messages.formulas.use(wordsFor(connected))}
          </Button>
        </>
      )}
    </>
  );
}
