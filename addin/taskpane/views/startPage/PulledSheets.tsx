import { Text } from '@fluentui/react-text';
import { useCallback } from 'react';
import { isSameAdministration, type TableHandle } from '../../../excel/tables/tableMemory.ts';
import { AdministrationMark } from '../../connections/AdministrationMark.tsx';
import { administrationOf } from '../../connections/connections.ts';
import { OtherAdministration } from '../../connections/OtherAdministration.tsx';
import { formatMoment } from '../../locales/language.ts';
import { type Connected, usePane } from '../../paneContext.ts';
import { isStale } from '../../pull/isStale.ts';
import { readMarksChanges, storeMarksChanges } from '../../pull/marksChanges.ts';
import { canRefresh, refreshPull } from '../../pull/pulls.ts';
import { type AllProgress, questionCount, type RefreshedAll, refreshAll } from '../../pull/refreshAll.ts';
import { usePull } from '../../pull/usePull.ts';
import { askedText } from '../../pulledLists/askedText.ts';
import { PullStatus } from '../PullStatus.tsx';
import { WorkButton } from '../WorkButton.tsx';
import { RefreshStatus } from './RefreshStatus.tsx';
import { StoredChoice } from './StoredChoice.tsx';

type Props = Pick<Connected, 'connection'> & {
  tables: readonly TableHandle[] | undefined;
  onRefreshed: () => Promise<void>;
};

/** The sheets of the workbook that can be refreshed: what each asks for, its age, and a button for it and for all. */
export function PulledSheets({ connection, tables, onRefreshed }: Props) {
  const { messages, language, reading } = usePane();
  const texts = messages.home;
  const one = usePull(connection);
  const all = usePull<RefreshedAll, AllProgress>(connection);
  const administration = administrationOf(connection);
  const refreshable = tables?.filter(({ memory }) => canRefresh(memory)) ?? [];
  const own = refreshable.filter(({ memory }) => isSameAdministration(memory.administration, administration));

  const refresh = ({ memory }: TableHandle) => {
    all.reset();
    return one.start((context) => refreshPull(context, memory), { after: onRefreshed });
  };
  const refreshOwn = () => {
    one.reset();
    return all.start((context) => refreshAll(context, own), { after: onRefreshed });
  };
  const readMarks = useCallback(() => readMarksChanges(reading), [reading]);
  const storeMarks = useCallback((chosen: boolean) => storeMarksChanges(chosen, reading), [reading]);
  const now = new Date();
  return (
    <>
      {questionCount(own) > 1 && <WorkButton onClick={refreshOwn}>{texts.refreshAll}</WorkButton>}
      {own.length > 0 && <StoredChoice label={texts.markChanges} read={readMarks} store={storeMarks} />}
      <PullStatus job={one.job} onCancel={one.cancel} />
      <RefreshStatus job={all.job} onCancel={all.cancel} />
      {tables !== undefined && refreshable.length === 0 && <Text className="muted">{texts.nothingYet}</Text>}
      <ul className="list">
        {refreshable.map((table) => {
          const { memory } = table;
          const asked = askedText(memory, messages);
          return (
            <li key={table.sheetId} className="entry">
              <Text weight="semibold">{table.sheetName}</Text>
              {asked !== '' && <Text size={200}>{asked}</Text>}
              <Text size={200} className="muted">
                {texts.pulledAt(formatMoment(language, new Date(memory.pulledAt)))}
                {memory.dataAt !== undefined && `, ${texts.ofExport(formatMoment(language, new Date(memory.dataAt)))}`}{' '}
                {isStale(memory, now) && <span className="badge warning">{texts.stale}</span>}
              </Text>
              {own.includes(table) ? (
                <>
                  <div>
                    <AdministrationMark administration={memory.administration} />
                  </div>
                  <WorkButton
                    size="small"
                    aria-label={messages.named(texts.refresh, table.sheetName)}
                    onClick={() => refresh(table)}
                  >
                    {texts.refresh}
                  </WorkButton>
                </>
              ) : (
                <OtherAdministration
                  administration={memory.administration}
                  text={messages.otherAdministration.refresh}
                  sheetName={table.sheetName}
                />
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}
