import { resultMembers } from '../../shared/pushRules.ts';
import { type Push, push as pushSchema } from '../../shared/resources/push.ts';
import { encode } from '../../shared/wire/encode.ts';
import type { OwnAdministrations } from '../administrations/administration.ts';
import type { PushSecrets } from './pushSecrets.ts';
import type { PushHead, PushStore, RowChange } from './pushStore.ts';
import { doneIn } from './sending/pushLog.ts';

/** Characters of rows in one response; further rows are in the next one. */
const MAX_ROWS_LENGTH = 2_000_000;

/** Pushes in one response. */
const MAX_LISTED = 100;

type AuthorReader = Pick<PushSecrets, 'authorIn'>;

const seconds = (moment: number | null): string | null => (moment === null ? null : String(Math.floor(moment / 1000)));

/** A push as the interface shows it. */
function responseOf(head: PushHead, { authorIn }: AuthorReader): Push {
  const by = head.by === undefined ? undefined : authorIn(head.by, `${head.owner}.${head.id}`);
  const { state, stopped, startedOn, endedOn, counts, sums = {} } = head;
  const perMinute = paceOf(head);
  const left = counts.waiting + counts.sending;
  const isExpected = state === 'running' && perMinute !== null && perMinute > 0;
  return {
    id: head.id,
    ...(by === undefined ? {} : { by }),
    state: state === 'receiving' ? 'waiting' : stopped !== '' && state !== 'ended' ? 'cancelling' : state,
    total: head.total,
    relative: head.relative,
    counts,
    createdOn: seconds(head.createdOn),
    startedOn: seconds(startedOn),
    endedOn: seconds(endedOn),
    perMinute: perMinute === null ? null : perMinute.toFixed(1),
    expectedEnd: isExpected ? seconds(Date.now() + (left / perMinute) * 60_000) : null,
    stopped,
    sums: Object.entries(sums).map(([endpoint, { rows, amounts }]) => ({ endpoint, rows, ...amounts }) as Sum),
  };
}

type Sum = Push['sums'][number];

/** Rows a minute: recently while it runs, on average when it has ended. */
function paceOf({ state, counts, startedOn, endedOn, milestones }: PushHead): number | null {
  const since = state === 'ended' ? { at: startedOn ?? 0, done: 0 } : milestones[0];
  if (since === undefined || startedOn === null) return null;
  const [rows, span] = [doneIn(counts) - since.done, (endedOn ?? Date.now()) - since.at];
  return rows > 0 && span > 0 ? (rows / span) * 60_000 : null;
}

/** JSON text of a push. @param form `bare`: without `{ "push": ... }` around it */
export function pushText(head: PushHead, secrets: AuthorReader, form: 'bare' | 'wrapped' = 'wrapped'): string {
  const text = encode(pushSchema, responseOf(head, secrets));
  return form === 'bare' ? text : `{"push":${text}}`;
}

/** JSON text of pushes, the latest first, from a cursor on. */
export function listText(heads: readonly PushHead[], secrets: AuthorReader, after: string): string {
  // Padded to one width, so that texts sort as their moments do.
  const all = heads.map((head) => ({ head, cursor: `${String(head.createdOn).padStart(15, '0')}.${head.id}` }));
  const rest = all
    .filter(({ head, cursor }) => head.state !== 'receiving' && (after === '' || cursor < after))
    .sort((a, b) => (a.cursor < b.cursor ? 1 : -1));
  const page = rest.slice(0, MAX_LISTED);
  const texts = page.map(({ head }) => pushText(head, secrets, 'bare'));
  const cursor = page.at(-1)?.cursor ?? after;
  return `{"pushes":[${texts.join(',')}],"cursor":"${cursor}","more":${rest.length > page.length}}`;
}

/** JSON text of a push with the rows that changed after an entry of its log, and the next cursor. */
export async function changesText(
  store: PushStore,
  secrets: AuthorReader,
  head: PushHead,
  after: number,
): Promise<string> {
  const latest = new Map<number, string>();
  let cursor = after;
  let length = 0;
  // Who asks again and again mostly has all there is.
  const entries = after < head.sequence ? store.entries(head.owner, head.id, after) : [];
  for await (const { sequence, changes } of entries) {
    if (sequence > head.sequence || length > MAX_ROWS_LENGTH) break;
    for (const change of changes) {
      const text = rowText(change);
      length += text.length;
      latest.set(change.index, text);
    }
    cursor = sequence;
  }
  const rows = [...latest.values()].join(',');
  return `{"push":${pushText(head, secrets, 'bare')},"rows":[${rows}],"cursor":"${cursor}","more":${cursor < head.sequence}}`;
}

/** What applied writes changed, as it was before. @param period in seconds since 1970 */
type ReadBefore = (
  period: { from: number; until: number },
  writes: Parameters<OwnAdministrations['valuesBefore']>[2],
) => ReturnType<OwnAdministrations['valuesBefore']>;

/**
 * JSON text of a push with its rows as they were pushed, from a number of rows on, and the next cursor.
 * @param readBefore left out where that is not recorded
 */
export async function rowsText(
  store: PushStore,
  secrets: AuthorReader,
  head: PushHead,
  after: number,
  readBefore: ReadBefore | undefined,
): Promise<string> {
  const outcomes = new Map<number, ReturnType<typeof outcomeOf>>();
  const shown = new Map<number, string>();
  for await (const { sequence, changes } of store.entries(head.owner, head.id, 0)) {
    if (sequence > head.sequence) break;
    for (const change of changes) {
      outcomes.set(change.index, outcomeOf(change));
      for (const member of resultMembers) if (change[member] !== undefined) shown.set(change.index, change[member]);
    }
  }
  const texts: string[] = [];
  let length = 0;
  const writes = await store.rows(head.owner, head.id);
  const applied = [...writes.keys()].filter((index) => outcomes.get(index)?.state === 'applied');
  const period = {
    from: Math.floor((head.startedOn ?? head.createdOn) / 1000),
    until: Math.ceil((head.endedOn ?? Date.now()) / 1000),
  };
  const before = await readBefore?.(
    period,
    applied.map((index) => ({ ...writes[index]!, shown: shown.get(index) })),
  );
  const beforeOf = new Map(applied.map((index, place) => [index, before?.[place]]));
  for (const [index, { row, name, request }] of writes.entries()) {
    if (index < after) continue;
    if (length > MAX_ROWS_LENGTH) break;
    const outcome = outcomes.get(index) ?? outcomeOf({ state: 'waiting' });
    const text = JSON.stringify({ row, endpoint: name, request, before: beforeOf.get(index), ...outcome });
    length += text.length;
    texts.push(text);
  }
  const cursor = after + texts.length;
  const more = texts.length > 0 && cursor < head.total;
  return `{"push":${pushText(head, secrets, 'bare')},"rows":[${texts.join(',')}],"cursor":"${cursor}","more":${more}}`;
}

/** What a row's latest change says of it. */
const outcomeOf = ({
  state,
  code = '',
  message = '',
  errors = [],
}: Omit<RowChange, 'index' | 'row' | 'attempts' | 'doubtful'>) => ({
  state,
  errorCode: code,
  errorMessage: message,
  errors,
});

function rowText({ row, ...change }: RowChange): string {
  const text = JSON.stringify({ row, ...outcomeOf(change) });
  // What is shown is JSON text already, and has every digit.
  const shown = resultMembers.flatMap((member) =>
    change[member] === undefined ? [] : [`,"${member}":${change[member]}`],
  );
  return `${text.slice(0, -1)}${shown.join('')}}`;
}
