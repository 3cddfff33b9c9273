import { isPushedName } from '../../../shared/api.ts';
import type { PushClient } from '../../../shared/client/pushClient.ts';
import { DECIMAL_SCALE, decimalText, units } from '../../../shared/money.ts';
import type { Push, SentRow } from '../../../shared/resources/push.ts';
import type { TableSpec, Written } from '../../excel/tables/table.ts';
import type { Messages } from '../locales/en.ts';
import { formatMoment } from '../locales/language.ts';
import type { Language } from '../locales/words.ts';
import { refusalText } from '../push/rowStatus.ts';
import { beforeText, type SentValue, sentValues, stateWord } from '../push/sentValues.ts';
import { columnsOf, type Fields, widthOf } from '../sheetColumns/columns.ts';
import { requestSheets } from '../sheetColumns/requestSheets.ts';
import { filledFrom, pull } from './pull.ts';
import type { PullContext } from './pulls.ts';

/** A value of a pushed row, with its place among those of the row. */
type PushedValue = { sent: SentRow; place: number; value: SentValue | undefined };

const PUSHED_ROWS = 'pushedRows';

/** Brings the rows of a push into a sheet: a row for each value, with what it was before, or in words why not. */
export async function pullPushedRows(
  context: PullContext,
  client: Pick<PushClient, 'rows'>,
  push: Push,
  language: Language,
): Promise<Written[]> {
  const { messages, administration, retry } = context;
  const moment = formatMoment(language, new Date(Number(push.createdOn) * 1000));
  const specIn = (texts: Messages): TableSpec<PushedValue> => ({
    source: { view: PUSHED_ROWS, administration, endpoint: 'pushes', query: { Push: push.id } },
    // Excel allows no colon there.
    sheetName: texts.activity.sheet(moment.replaceAll(':', '.')),
    keys: ['Row', 'Place'],
    columns: columnsOf(fieldsIn(texts), texts.headings.pushedRows, texts),
  });
  const itemsOf = (sent: SentRow): PushedValue[] => {
    const values = sentValues(sent, messages, language);
    return values.length === 0
      ? [{ sent, place: 1, value: undefined }]
      : values.map((value, index) => ({ sent, place: index + 1, value }));
  };
  const table = filledFrom(specIn, messages, { itemsOf });
  return (await pull(pagesOf(client, push.id, retry?.signal), [table], context)).flat();
}

async function* pagesOf(
  client: Pick<PushClient, 'rows'>,
  id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<SentRow[], void> {
  for (let after = '', more = true; more; ) {
    const page = await client.rows(id, after, signal);
    yield page.rows;
    after = page.cursor;
    more = page.more === true;
  }
}

const fieldsIn = (messages: Messages): Fields<PushedValue, keyof Messages['headings']['pushedRows']> => ({
  Row: ['integer', 7, ({ sent }) => sent.row],
  What: ['text', widthOf(writeNames(messages)), ({ sent }) => endpointWord(sent.endpoint, messages)],
  Status: ['text', widthOf(Object.values(messages.status)), ({ sent }) => stateWord(sent.state, messages)],
  Message: ['text', 40, ({ sent }) => (sent.state === 'refused' ? refusalText(sent, messages) : '')],
  Field: ['text', 26, ({ value }) => value?.label],
  Before: ['text', 22, ({ sent, value }) => value && beforeText(sent, value, messages)],
  Sent: ['text', 22, ({ value }) => value?.text],
  Difference: ['decimal', 13, ({ sent, value }) => differenceOf(sent, value)],
  Place: ['integer', 7, ({ place }) => place],
});

/** Whatever rows are pushed for, in words. */
const writeNames = ({ documentSheets, products }: Messages): string[] => [
  products.title,
  ...Object.values(documentSheets.kinds).map(({ name }) => name),
];

/** What a row was pushed for, in words. */
function endpointWord(endpoint: string, messages: Messages): string {
  const sheet = Object.values(requestSheets).find((one) => one.endpoint === endpoint);
  if (sheet !== undefined) return messages.documentSheets.kinds[sheet.view].name;
  return isPushedName(endpoint) ? messages.products.title : endpoint;
}

/** How much a number changed; a quantity that is added is the difference itself. */
function differenceOf({ request, before }: SentRow, value: SentValue | undefined): string | undefined {
  if (value === undefined) return undefined;
  const [was, is] = [before?.[value.field], request[value.field]].map(String);
  if (![was, is].every((text) => /^-?\d+(\.\d+)?$/.test(text!))) return undefined;
  if (value.field === 'NewStockQty' && request.StockUpdateMode !== 'Absolute') return is;
  return decimalText(units(is!, DECIMAL_SCALE) - units(was!, DECIMAL_SCALE), DECIMAL_SCALE);
}
