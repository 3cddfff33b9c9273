import { Checkbox } from '@fluentui/react-checkbox';
import { Text } from '@fluentui/react-text';
import { usePane } from '../../../paneContext.ts';
import type { SendableRow } from '../../../productSheet/readProductRow.ts';
import { explainUnusual } from '../../../productSheet/unusualPrice.ts';
import { Section } from '../../Section.tsx';

/** The most rows in the list: a sheet with the wrong column of prices has thousands. */
const MAX_LISTED = 100;

type Props = {
  rows: readonly SendableRow[];
  /** The numbers of the rows that the user allowed. */
  allowed: ReadonlySet<number>;
  onAllow: (rows: readonly SendableRow[], isAllowed: boolean) => void;
};

/** The rows that are held back for an unusual price, each with its reason, to be allowed one by one or all at once. */
export function HeldPrices({ rows, allowed, onAllow }: Props) {
  const { messages } = usePane();
  const texts = messages.push;
  const count = rows.filter(({ number }) => allowed.has(number)).length;
  return (
    <Section card title={texts.unusualTitle(rows.length)}>
      <Text>{texts.unusualMeaning}</Text>
      {rows.length > 1 && (
        <Checkbox
          className="allRows"
          label={texts.unusualAll(rows.length)}
          checked={count === rows.length ? true : count === 0 ? false : 'mixed'}
          onChange={(_, { checked }) => onAllow(rows, checked === true)}
        />
      )}
      <div className="heldRows">
        {rows.slice(0, MAX_LISTED).map((row) => (
          <Checkbox
            key={row.number}
            label={messages.labelled(
              String(row.update.ArticleNumber ?? row.update.EAN),
              explainUnusual(row.unusual, messages),
            )}
            checked={allowed.has(row.number)}
            onChange={(_, { checked }) => onAllow([row], checked === true)}
          />
        ))}
        {rows.length > MAX_LISTED && texts.unusualMore(rows.length - MAX_LISTED)}
      </div>
    </Section>
  );
}
