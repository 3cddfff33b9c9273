import { makeStyles, tokens } from '@fluentui/react-components';
import { Fragment } from 'react';
import { type Administration, isOfEarlierVersion, isSameAdministration } from '../../excel/tables/tableMemory.ts';
import { usePane } from '../paneContext.ts';
import { activeConnection, administrationOf, wordsFor } from './connections.ts';
import { markColor, shortCode } from './markColor.ts';

const useStyles = makeStyles({
  mark: {
    display: 'inline-block',
    maxWidth: '100%',
    boxSizing: 'border-box',
    padding: `0 ${tokens.spacingHorizontalS}`,
    borderRadius: tokens.borderRadiusMedium,
    // Forced colours replace the background, and show the border.
    border: '1px solid transparent',
    color: '#FFFFFF',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
    overflowWrap: 'anywhere',
  },
  part: { whiteSpace: 'nowrap' },
  unknown: {
    color: tokens.colorNeutralForeground1,
    backgroundColor: tokens.colorNeutralBackground4,
    border: `1px dashed ${tokens.colorNeutralStrokeAccessible}`,
  },
});

/**
 * The mark of an administration: its name on its colour. A sheet of the administration that the pane is connected to has
 * the pane's own mark. Another one with the same name has a part of its id too.
 */
export function AdministrationMark({ administration }: { administration: Administration }) {
  const styles = useStyles();
  const { connections } = usePane();
  const active = activeConnection(connections);
  const current = active === undefined ? undefined : administrationOf(active);
  const isCurrent = current !== undefined && isSameAdministration(administration, current);
  const shown = isCurrent ? current : administration;
  if (isOfEarlierVersion(shown)) return <span className={`${styles.mark} ${styles.unknown}`}>{wordsFor(shown)}</span>;
  const others = connections.all.map(administrationOf);
  const hasNamesake = [...others, ...(current === undefined ? [] : [current])].some(
    (other) => wordsFor(other) === wordsFor(shown) && !isSameAdministration(other, shown),
  );
  return (
    <span className={styles.mark} style={{ backgroundColor: markColor(shown, current) }}>
      {wordsFor(shown)}
      {[shown.country, hasNamesake ? shortCode(shown) : undefined].filter(Boolean).map((part) => (
        <Fragment key={part}>
          {' '}
          <span className={styles.part}>· {part}</span>
        </Fragment>
      ))}
    </span>
  );
}
