import { Button } from '@fluentui/react-components';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { isSameAdministration } from '../../excel/tables/tableMemory.ts';
import { activeConnection, administrationOf, wordsFor } from '../connections/connections.ts';
import { formatMoment } from '../locales/language.ts';
import { usePane } from '../paneContext.ts';
import { ErrorNotice } from '../views/ErrorNotice.tsx';
import { Notice } from '../views/Notice.tsx';
import {
  chooseForFormulas,
  formulaBooks,
  ofFormulas,
  recalculateFormulas,
  recalculateUnconnected,
} from './registerFormulas.ts';

/** Says what cells with formulas cannot show: that their figures are old, and whose books they are of. */
export function FormulaNotices() {
  const { language, messages, connections } = usePane();
  const { subscribe, oldFigures } = formulaBooks();
  const old = useSyncExternalStore(subscribe, oldFigures);
  const books = useSyncExternalStore(ofFormulas.subscribe, ofFormulas.known);
  const [failure, setFailure] = useState<unknown>();
  const run = (work: Promise<void>) => void work.then(() => setFailure(undefined), setFailure);

  // Formulas that had no connection may have one now.
  const { all } = connections;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the connections is what matters.
  useEffect(() => void recalculateUnconnected().catch(setFailure), [all]);

  const active = activeConnection(connections);
  const connected = active && administrationOf(active);
  const isOfOther = books !== undefined && connected !== undefined && !isSameAdministration(books, connected);
  return (
    <>
      {old.map(({ name, since }) => (
        <Notice key={name} intent="warning">
          {messages.formulas.old(name, formatMoment(language, new Date(since)))}
        </Notice>
      ))}
      <ErrorNotice error={failure} />
      {old.length > 0 && <Button onClick={() => run(recalculateFormulas())}>{messages.formulas.recalculate}</Button>}
      {isOfOther && (
        <>
          <Notice intent="info">{messages.formulas.ofOther(wordsFor(books))}</Notice>
          <Button onClick={() => run(chooseForFormulas(connected))}>
            {messages.formulas.use(wordsFor(connected))}
          </Button>
        </>
      )}
    </>
  );
}
