import { Checkbox } from '@fluentui/react-checkbox';
import { Subtitle2, Text } from '@fluentui/react-text';
import { useState } from 'react';
import { type Confirmation, confirmations } from '../../../../../shared/pushRules.ts';
import { MAX_PUSH_ROWS, type PushChoices } from '../../../../../shared/resources/push.ts';
import type { Administration } from '../../../../excel/tables/tableMemory.ts';
import { AdministrationMark } from '../../../connections/AdministrationMark.tsx';
import { wordsFor } from '../../../connections/connections.ts';
import type { SendableRequest } from '../../../documentSheet/checkRequests.ts';
import { formatDecimal } from '../../../locales/language.ts';
import { usePane } from '../../../paneContext.ts';
import { ConfirmDialog } from '../../ConfirmDialog.tsx';
import { RequestTotalsText } from './RequestTotalsText.tsx';

/** The most documents of a preview; the totals count all. */
const MAX_PREVIEWED = 100;

/** What the user decided. */
export type Choice = { rows: readonly SendableRequest[]; choices: PushChoices };

type Props = {
  chosen: readonly SendableRequest[];
  administration: Administration;
  isRemote: boolean;
  isFirst: boolean;
  onCancel: () => void;
  onConfirm: (choice: Choice) => void;
};

/** The question before documents are made: their totals, and what cannot be taken back, each to be ticked. */
export function ConfirmRequests({ chosen, administration, isRemote, isFirst, onCancel, onConfirm }: Props) {
  const { messages } = usePane();
  const texts = messages.documentPush;
  const [withHidden, setWithHidden] = useState(false);
  const [ticked, setTicked] = useState<ReadonlySet<Confirmation>>(new Set());
  const [isInOrder, setInOrder] = useState(true);
  const hidden = chosen.filter((row) => row.hidden).length;
  const wanted = withHidden ? chosen : chosen.filter((row) => !row.hidden);
  const rows = wanted.slice(0, MAX_PUSH_ROWS);
  const countOf = (kind: SendableRequest['kind']) => rows.filter((row) => row.kind === kind).length;
  const needed = confirmations
    .map((one) => ({ one, count: rows.filter((row) => row.confirmations.includes(one)).length }))
    .filter(({ count }) => count > 0);
  const isConfirmed = needed.every(({ one }) => ticked.has(one));
  const confirm = () => {
    const confirmed = Object.fromEntries(needed.map(({ one, count }) => [one, count]));
    const order = isInOrder ? {} : { inOrder: false };
    onConfirm({ rows, choices: { ...order, ...(needed.length === 0 ? {} : { confirmed }) } });
  };
  const tick = (one: Confirmation, isTicked: boolean) => {
    const next = new Set(ticked);
    isTicked ? next.add(one) : next.delete(one);
    setTicked(next);
  };
  const name = wordsFor(administration);
  return (
    <ConfirmDialog
      title={messages.push.confirmTitle(name)}
      confirm={messages.push.confirm}
      disabled={rows.length === 0 || !isConfirmed}
      onCancel={onCancel}
      onConfirm={confirm}
    >
      <div>
        <AdministrationMark administration={administration} />
      </div>
      <Text>{texts.confirmText(rows.length, name)}</Text>
      <RequestTotalsText rows={rows} />
      {hidden > 0 && (
        <Checkbox
          label={texts.hiddenToo(hidden)}
          checked={withHidden}
          onChange={(_, { checked }) => setWithHidden(checked === true)}
        />
      )}
      {needed.map(({ one, count }) => (
        <Checkbox
          key={one}
          label={texts.confirms[one](count)}
          checked={ticked.has(one)}
          onChange={(_, { checked }) => tick(one, checked === true)}
        />
      ))}
      {isRemote && rows.length > 1 && (
        <Checkbox
          label={texts.severalAtOnce}
          checked={!isInOrder}
          onChange={(_, { checked }) => setInOrder(checked !== true)}
        />
      )}
      <Preview rows={rows} />
      {isFirst && <Text>{messages.push.confirmFirst}</Text>}
      {countOf('held') > 0 && <Text weight="semibold">{texts.confirmHeld(countOf('held'))}</Text>}
      {countOf('repeated') > 0 && <Text weight="semibold">{texts.confirmRepeated(countOf('repeated'))}</Text>}
      {wanted.length > rows.length && <Text>{texts.onlyFirst(rows.length)}</Text>}
      <Text>{messages.push.confirmGoesOn}</Text>
    </ConfirmDialog>
  );
}

function Preview({ rows }: { rows: readonly SendableRequest[] }) {
  const { messages, language } = usePane();
  const texts = messages.documentPush;
  return (
    <>
      <Subtitle2 as="h3" className="heading">
        {texts.preview}
      </Subtitle2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must reach it to scroll it */}
      <section className="preview" tabIndex={0} aria-label={texts.preview}>
        {rows.slice(0, MAX_PREVIEWED).map(({ number, key, totals: { totalExclTax, totalInclTax } }) => {
          const amount = totalInclTax ?? totalExclTax;
          return (
            <div key={number}>
              {amount === undefined ? key : messages.labelled(key, formatDecimal(language, amount, 2))}
              {amount !== undefined && ` (${messages.headings.documents[amountHeading(totalInclTax)]})`}
            </div>
          );
        })}
        {rows.length > MAX_PREVIEWED && texts.more(rows.length - MAX_PREVIEWED)}
      </section>
    </>
  );
}

const amountHeading = (totalInclTax: string | undefined) =>
  totalInclTax === undefined ? 'MadeTotalExclTax' : 'MadeTotalInclTax';
