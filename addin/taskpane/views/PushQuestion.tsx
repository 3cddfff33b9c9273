import { Checkbox, Field, makeStyles, Radio, RadioGroup, Subtitle2, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { MAX_PUSH_ROWS } from '../../../shared/resources/push.ts';
import { formatDecimal, formatMoment } from '../locales/language.ts';
import { usePane } from '../paneContext.ts';
import { changesOf, type FieldChange, isUnusualPrice, totalsOf } from '../push/previewRow.ts';
import type { SendableRow } from '../push/readProductRow.ts';
import type { StockMode } from '../tables/productTable.ts';
import { ConfirmDialog } from './ConfirmDialog.tsx';
import { Notice } from './Notice.tsx';
import { useFormStyles } from './ViewFrame.tsx';

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

/** Rows of a preview at the most; the totals are of all of them. */
const MAX_PREVIEWED = 100;

type Props = {
  /** The rows to send, hidden ones among them. */
  chosen: readonly SendableRow[];
  /** Of them, those that another push may have added already. */
  elsewhere: readonly SendableRow[];
  connectedTo: string;
  /** The administration the sheet was made for, when that is another one. */
  madeFor: string | undefined;
  isFirst: boolean;
  onCancel: () => void;
  onConfirm: (rows: readonly SendableRow[]) => void;
};

/** The question before a push: what changes, old and new, what it comes to, and what to think of. */
export function PushQuestion({ chosen, elsewhere, connectedTo, madeFor, isFirst, onCancel, onConfirm }: Props) {
  const { messages, count } = usePane();
  const texts = messages.push;
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
      <Text>{texts.confirmText(count(rows.length), rows.length === 1, connectedTo)}</Text>
      {hidden > 0 && (
        <Field label={texts.hiddenRows(count(hidden), count(chosen.length))}>
          <RadioGroup value={scope} onChange={(_, { value }) => setScope(value as typeof scope)}>
            <Radio
              value="visible"
              disabled={visible.length === 0}
              label={texts.visibleOnly(count(visible.length), visible.length === 1)}
            />
            <Radio value="all" label={texts.hiddenToo(count(chosen.length), chosen.length === 1)} />
          </RadioGroup>
        </Field>
      )}
      <ModeCounts rows={rows} />
      <Totals rows={rows} />
      {unusual > 0 && (
        <>
          <Notice intent="warning">{texts.unusualPrices(count(unusual), unusual === 1)}</Notice>
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

/** How many rows add to a stock, set it, or leave it alone. */
export function ModeCounts({ rows }: { rows: readonly SendableRow[] }) {
  const styles = useFormStyles();
  const { messages, count } = usePane();
  const texts = messages.push;
  const of = (mode: StockMode | null) => rows.filter((row) => row.mode === mode).length;
  const counts = [
    { number: of('Relative'), text: texts.relativeCount },
    { number: of('Absolute'), text: texts.absoluteCount },
    { number: of(null), text: texts.withoutStock },
  ];
  return (
    <ul className={styles.bullets}>
      {counts.map(({ number, text }) => number > 0 && <li key={text('')}>{text(count(number))}</li>)}
    </ul>
  );
}

function Totals({ rows }: { rows: readonly SendableRow[] }) {
  const { messages, language, count } = usePane();
  const texts = messages.push;
  const { added, raised, lowered } = totalsOf(rows);
  return (
    <>
      {rows.some(({ mode }) => mode === 'Relative') && <Text>{texts.totalAdded(formatDecimal(language, added))}</Text>}
      {raised + lowered > 0 && <Text>{texts.totalPrices(count(raised), count(lowered))}</Text>}
    </>
  );
}

function Preview({ rows }: { rows: readonly SendableRow[] }) {
  const styles = useStyles();
  const form = useFormStyles();
  const { messages, count } = usePane();
  const texts = messages.push;
  return (
    <>
      <Subtitle2 as="h3" className={form.heading}>
        {texts.preview}
      </Subtitle2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached without a mouse */}
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
        {rows.length > MAX_PREVIEWED &&
          texts.previewMore(count(rows.length - MAX_PREVIEWED), rows.length === MAX_PREVIEWED + 1)}
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

/** What to think of before a push, beside its numbers. */
function Warnings({
  rows,
  elsewhere,
  isFirst,
  madeFor,
  connectedTo,
}: Pick<Props, 'isFirst' | 'madeFor' | 'connectedTo'> & { rows: readonly SendableRow[]; elsewhere: number }) {
  const { messages, language, count } = usePane();
  const texts = messages.push;
  const held = rows.filter(({ kind }) => kind === 'held').length;
  const repeated = rows.filter(({ kind }) => kind === 'repeated');
  const last = repeated
    .map(({ addedAt = '' }) => addedAt)
    .sort()
    .at(-1);
  return (
    <>
      {rows.length === MAX_PUSH_ROWS && <Text>{texts.onlyFirst(count(MAX_PUSH_ROWS))}</Text>}
      {isFirst && <Text>{texts.confirmFirst}</Text>}
      {held > 0 && <Text weight="semibold">{texts.confirmUnknown(count(held), held === 1)}</Text>}
      {last !== undefined && (
        <Text weight="semibold">
          {texts.confirmRepeated(count(repeated.length), repeated.length === 1, formatMoment(language, new Date(last)))}
        </Text>
      )}
      {elsewhere > 0 && <Text weight="semibold">{texts.confirmElsewhere(count(elsewhere), elsewhere === 1)}</Text>}
      {madeFor !== undefined && <Text weight="semibold">{texts.confirmOther(madeFor, connectedTo)}</Text>}
    </>
  );
}
