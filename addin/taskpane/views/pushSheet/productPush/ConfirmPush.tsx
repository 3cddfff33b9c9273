import { Checkbox } from '@fluentui/react-checkbox';
import { Field } from '@fluentui/react-field';
import { Radio, RadioGroup } from '@fluentui/react-radio';
import { Text } from '@fluentui/react-text';
import { useState } from 'react';
import { MAX_PUSH_ROWS } from '../../../../../shared/resources/push.ts';
import { timeOfSerial } from '../../../../../shared/spreadsheet.ts';
import type { Administration } from '../../../../excel/tables/tableMemory.ts';
import { AdministrationMark } from '../../../connections/AdministrationMark.tsx';
import { wordsFor } from '../../../connections/connections.ts';
import { formatDecimal, formatMoment } from '../../../locales/language.ts';
import { usePane } from '../../../paneContext.ts';
import { totalsOf } from '../../../productSheet/previewRow.ts';
import type { SendableRow } from '../../../productSheet/readProductRow.ts';
import { ConfirmDialog } from '../../ConfirmDialog.tsx';
import { HeldPrices } from './HeldPrices.tsx';
import { ModeCounts } from './ModeCounts.tsx';
import { PushPreview } from './PushPreview.tsx';
import type { Question } from './usePushQuestion.ts';

type Props = {
  /** Its chosen rows include hidden ones. */
  question: Question;
  administration: Administration;
  isFirst: boolean;
  onCancel: () => void;
  /** @param makesCategories whether categories that do not exist yet are made */
  onConfirm: (rows: readonly SendableRow[], makesCategories: boolean) => void;
};

/** The question before a push: the old and new values, their totals, and warnings. */
export function ConfirmPush(props: Props) {
  const { administration, onCancel, onConfirm } = props;
  const texts = usePane().messages.push;
  const connectedTo = wordsFor(administration);
  const { chosen } = props.question;
  const visible = chosen.filter(({ hidden }) => !hidden);
  const hidden = chosen.length - visible.length;
  const [scope, setScope] = useState<'visible' | 'all'>(visible.length > 0 ? 'visible' : 'all');
  const [allowed, setAllowed] = useState<ReadonlySet<number>>(new Set());
  const [makesCategories, setMakesCategories] = useState(false);
  const inScope = scope === 'all' ? chosen : visible;
  const unusual = inScope.filter(hasUnusualPrice);
  const wanted = inScope.filter((row) => !hasUnusualPrice(row) || allowed.has(row.number));
  const rows = wanted.slice(0, MAX_PUSH_ROWS);
  const made = rows.filter(({ newProduct }) => newProduct !== undefined).length;
  const hasCategory = rows.some(({ update }) => update.CategoryName !== undefined);
  const allow = (some: readonly SendableRow[], isAllowed: boolean) => {
    const next = new Set(allowed);
    for (const { number } of some) isAllowed ? next.add(number) : next.delete(number);
    setAllowed(next);
  };
  return (
    <ConfirmDialog
      title={texts.confirmTitle(connectedTo)}
      confirm={texts.confirm}
      disabled={rows.length === 0}
      onCancel={onCancel}
      onConfirm={() => onConfirm(rows, makesCategories)}
    >
      <div>
        <AdministrationMark administration={administration} />
      </div>
      <Text>{texts.confirmText(rows.length, connectedTo)}</Text>
      {made > 0 && <Text weight="semibold">{texts.newProducts(made)}</Text>}
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
      {unusual.length > 0 && <HeldPrices rows={unusual} allowed={allowed} onAllow={allow} />}
      <PushPreview rows={rows} />
      {hasCategory && (
        <Checkbox
          label={texts.makeCategories}
          checked={makesCategories}
          onChange={(_, { checked }) => setMakesCategories(checked === true)}
        />
      )}
      <ReadOn rows={rows} />
      {wanted.length > rows.length && <Text>{texts.onlyFirst(rows.length)}</Text>}
      <Warnings {...props} rows={rows} />
      <Text>{texts.confirmGoesOn}</Text>
    </ConfirmDialog>
  );
}

/** When the present values were read: the earliest of the rows that have them. */
function ReadOn({ rows }: { rows: readonly SendableRow[] }) {
  const { messages, language } = usePane();
  const earliest = rows.reduce((least, { readOn = least }) => Math.min(least, readOn), Number.POSITIVE_INFINITY);
  const local = timeOfSerial(earliest);
  if (local === undefined) return null;
  const instant = new Date(local + new Date(local).getTimezoneOffset() * 60_000);
  return <Text>{messages.push.presentReadOn(formatMoment(language, instant))}</Text>;
}

const hasUnusualPrice = ({ unusual }: SendableRow): boolean => unusual.length > 0;

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

/** The warnings before a push. */
function Warnings({ question, rows, isFirst }: Props & { rows: readonly SendableRow[] }) {
  const { messages, language } = usePane();
  const texts = messages.push;
  const sent = new Set(rows);
  const elsewhere = question.elsewhere?.filter((row) => sent.has(row)).length ?? 0;
  const isUnread = question.elsewhere === undefined && rows.some(({ mode }) => mode === 'Relative');
  const held = rows.filter(({ kind }) => kind === 'held').length;
  const repeated = rows.filter(({ kind }) => kind === 'repeated');
  const last = repeated
    .map(({ addedAt = '' }) => addedAt)
    .sort()
    .at(-1);
  return (
    <>
      {isFirst && <Text>{texts.confirmFirst}</Text>}
      {held > 0 && <Text weight="semibold">{texts.confirmUnknown(held)}</Text>}
      {last !== undefined && (
        <Text weight="semibold">{texts.confirmRepeated(repeated.length, formatMoment(language, new Date(last)))}</Text>
      )}
      {elsewhere > 0 && <Text weight="semibold">{texts.confirmElsewhere(elsewhere)}</Text>}
      {isUnread && <Text weight="semibold">{texts.confirmUnread}</Text>}
    </>
  );
}
