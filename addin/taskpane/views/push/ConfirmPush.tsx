import { Checkbox, Field, makeStyles, Radio, RadioGroup, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { MAX_PUSH_ROWS } from '../../../../shared/resources/push.ts';
import { formatDecimal, formatMoment } from '../../locales/language.ts';
import { usePane } from '../../paneContext.ts';
import { changesOf, type FieldChange, isUnusualPrice, totalsOf } from '../../push/previewRow.ts';
import type { SendableRow } from '../../push/readProductRow.ts';
import { ConfirmDialog } from '../ConfirmDialog.tsx';
import { Notice } from '../Notice.tsx';
import { useFormStyles } from '../ViewFrame.tsx';
import { ModeCounts } from './ModeCounts.tsx';
import type { Question } from './usePushQuestion.ts';

const useStyles = makeStyles({
  preview: { maxHeight: '14rem', overflowY: 'auto' },
  table: {
    width: '100%',
    borderCollapse: 'collapse',
    fontSize: tokens.fontSizeBase200,
    '& th, & td': {
      textAlign: 'start',
      verticalAlign: 'top',
      paddingBlock: tokens.spacingVerticalXXS,
      paddingInlineEnd: tokens.spacingHorizontalS,
      borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
      fontWeight: 'normal',
      overflowWrap: 'anywhere',
    },
  },
  unusual: { color: tokens.colorPaletteDarkOrangeForeground1, fontWeight: tokens.fontWeightSemibold },
});

/** The most rows of a preview; the totals count all rows. */
const MAX_PREVIEWED = 100;

type Props = {
  /** With hidden rows among the chosen ones. */
  question: Question;
  connectedTo: string;
  /** The administration that the sheet was made for, if it is another one. */
  madeFor: string | undefined;
  isFirst: boolean;
  onCancel: () => void;
  onConfirm: (rows: readonly SendableRow[]) => void;
};

/** The question before a push: the old and new values, their totals, and warnings. */
export function ConfirmPush({ question, connectedTo, madeFor, isFirst, onCancel, onConfirm }: Props) {
  const { messages } = usePane();
  const texts = messages.push;
  const { chosen, elsewhere } = question;
  const visible = chosen.filter(({ hidden }) => !hidden);
  const hidden = chosen.length - visible.length;
  const [scope, setScope] = useState<'visible' | 'all'>(visible.length > 0 ? 'visible' : 'all');
  const [isSure, setSure] = useState(false);
  const rows = (scope === 'all' ? chosen : visible).slice(0, MAX_PUSH_ROWS);
  const unusual = rows.filter(isUnusualPrice).length;
  return (
    <ConfirmDialog
      title={texts.confirmTitle(connectedTo)}
      confirm={texts.confirm}
      disabled={unusual > 0 && !isSure}
      onCancel={onCancel}
      onConfirm={() => onConfirm(rows)}
    >
      <Text>{texts.confirmText(rows.length, connectedTo)}</Text>
      {hidden > 0 && (
        <Field label={texts.hiddenRows(hidden, chosen.length)}>
          <RadioGroup value={scope} onChange={(_, { value }) => setScope(value as typeof scope)}>
            <Radio value="visible" disabled={visible.length === 0} label={texts.visibleOnly(visible.length)} />
            <Radio value="all" label={texts.hiddenToo(chosen.length)} />
          </RadioGroup>
        </Field>
      )}
      <ModeCounts rows={rows} />
      <Totals rows={rows} />
      {unusual > 0 && (
        <>
          <Notice intent="warning">{texts.unusualPrices(unusual)}</Notice>
          <Checkbox
            label={texts.unusualConfirmed}
            checked={isSure}
            onChange={(_, { checked }) => setSure(checked === true)}
          />
        </>
      )}
      <Preview rows={rows} />
      <Warnings
        rows={rows}
        elsewhere={elsewhere.filter((row) => rows.includes(row)).length}
        connectedTo={connectedTo}
        madeFor={madeFor}
        isFirst={isFirst}
      />
      <Text>{texts.confirmGoesOn}</Text>
    </ConfirmDialog>
  );
}

function Totals({ rows }: { rows: readonly SendableRow[] }) {
  const { messages, language } = usePane();
  const texts = messages.push;
  const { added, raised, lowered } = totalsOf(rows);
  return (
    <>
      {rows.some(({ mode }) => mode === 'Relative') && <Text>{texts.totalAdded(formatDecimal(language, added))}</Text>}
      {raised + lowered > 0 && <Text>{texts.totalPrices(raised, lowered)}</Text>}
    </>
  );
}

function Preview({ rows }: { rows: readonly SendableRow[] }) {
  const styles = useStyles();
  const form = useFormStyles();
  const { messages } = usePane();
  const texts = messages.push;
  return (
    <>
      <Subtitle2 as="h3" className={form.heading}>
        {texts.preview}
      </Subtitle2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must reach it to scroll it */}
      <section className={styles.preview} tabIndex={0} aria-label={texts.preview}>
        <table className={styles.table}>
          <tbody>
            {rows.slice(0, MAX_PREVIEWED).map((row) => (
              <tr key={row.number}>
                <th scope="row">{String(row.update.ArticleNumber ?? row.update.EAN)}</th>
                <td className={isUnusualPrice(row) ? styles.unusual : ''}>
                  {changesOf(row).map((change) => (
                    <div key={change.field}>
                      {messages.headings.products[change.field]}: <Change change={change} />
                    </div>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > MAX_PREVIEWED && texts.previewMore(rows.length - MAX_PREVIEWED)}
      </section>
    </>
  );
}

/** `10.00 › 12.50`, or `10 + 5 = 15`. */
function Change({ change: { field, before, after, added } }: { change: FieldChange }) {
  const { messages, language } = usePane();
  const texts = messages.push;
  const isPrice = field === 'NewSalePrice' || field === 'NewPurchasePrice';
  const isNumber = isPrice || field === 'NewStockQty' || field === 'NewVATPercentage';
  const shown = (text: string) => (isNumber ? formatDecimal(language, text, isPrice ? 2 : 0) : text);
  if (added !== undefined) {
    return before === undefined || after === undefined
      ? texts.stockAddedTo(shown(added))
      : texts.stockAdded(shown(before), shown(added), shown(after));
  }
  return before === undefined ? shown(after ?? '') : `${shown(before)} › ${shown(after ?? '')}`;
}

/** The warnings before a push. */
function Warnings({
  rows,
  elsewhere,
  isFirst,
  madeFor,
  connectedTo,
}: Pick<Props, 'isFirst' | 'madeFor' | 'connectedTo'> & { rows: readonly SendableRow[]; elsewhere: number }) {
  const { messages, language } = usePane();
  const texts = messages.push;
  const held = rows.filter(({ kind }) => kind === 'held').length;
  const repeated = rows.filter(({ kind }) => kind === 'repeated');
  const last = repeated
    .map(({ addedAt = '' }) => addedAt)
    .sort()
    .at(-1);
  return (
    <>
      {rows.length === MAX_PUSH_ROWS && <Text>{texts.onlyFirst(MAX_PUSH_ROWS)}</Text>}
      {isFirst && <Text>{texts.confirmFirst}</Text>}
      {held > 0 && <Text weight="semibold">{texts.confirmUnknown(held)}</Text>}
      {last !== undefined && (
        <Text weight="semibold">{texts.confirmRepeated(repeated.length, formatMoment(language, new Date(last)))}</Text>
      )}
      {elsewhere > 0 && <Text weight="semibold">{texts.confirmElsewhere(elsewhere)}</Text>}
      {madeFor !== undefined && <Text weight="semibold">{texts.confirmOther(madeFor, connectedTo)}</Text>}
    </>
  );
}
