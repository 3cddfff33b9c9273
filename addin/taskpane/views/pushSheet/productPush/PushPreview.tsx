import { Subtitle2 } from '@fluentui/react-text';
import { usePane } from '../../../paneContext.ts';
import { changesOf, type FieldChange } from '../../../productSheet/previewRow.ts';
import type { SendableRow } from '../../../productSheet/readProductRow.ts';
import { isPriceColumn, numberText } from '../../../sheetColumns/productTable.ts';

/** The most rows of a preview; the totals count all rows. */
const MAX_PREVIEWED = 100;

/** The changes of the rows of a push, product by product. */
export function PushPreview({ rows }: { rows: readonly SendableRow[] }) {
  const { messages } = usePane();
  const texts = messages.push;
  return (
    <>
      <Subtitle2 as="h3" className="heading">
        {texts.preview}
      </Subtitle2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must reach it to scroll it */}
      <section className="preview" tabIndex={0} aria-label={texts.preview}>
        <table className="changes">
          <tbody>
            {rows.slice(0, MAX_PREVIEWED).map((row) => (
              <tr key={row.number}>
                <th scope="row">
                  <div className="article">{String(row.update.ArticleNumber ?? row.update.EAN)}</div>
                </th>
                <td>
                  {row.newProduct !== undefined && <strong>{texts.newProduct}</strong>}
                  {changesOf(row).map((change) => (
                    <div key={change.field}>
                      {messages.labelled(messages.headings.products[change.field], '')}
                      <Change change={change} />
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

/** `10.00 › 12.50 (+2.50)`, `10 + 5 = 15`, or `10 - 5 = 5`. */
function Change({ change: { field, before, after, added, difference, isNew } }: { change: FieldChange }) {
  const { language, messages } = usePane();
  const { notRead } = messages.push;
  const shown = (text: string) => {
    if (field === 'Archived') return text === 'true' ? messages.yes : messages.no;
    return numberText(field, text, language);
  };
  const signed = (text: string, space = '') =>
    text.startsWith('-') ? `-${space}${shown(text.slice(1))}` : `+${space}${shown(text)}`;
  if (isNew) return shown(after ?? '');
  const unread = isPriceColumn(field) ? ` (${notRead.price})` : field === 'NewStockQty' ? ` (${notRead.stock})` : '';
  if (added !== undefined) {
    const step = signed(added, ' ');
    return before === undefined || after === undefined
      ? `${step}${unread}`
      : `${shown(before)} ${step} = ${shown(after)}`;
  }
  if (before === undefined) return `${shown(after ?? '')}${unread}`;
  const changed = difference === undefined || difference === '0' ? '' : ` (${signed(difference)})`;
  return `${shown(before)} › ${shown(after ?? '')}${changed}`;
}
