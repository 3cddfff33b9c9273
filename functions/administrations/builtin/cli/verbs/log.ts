import { type Command, InvalidArgumentError } from 'commander';
import { calendarDate } from '../../../../../shared/wire/calendarDate.ts';
import { CommandError } from '../../files/commandError.ts';
import { type LoggedChange, loggedChanges } from '../../log/loggedChanges.ts';
import { changesOutside, headOf, type LogFilter, readLog } from '../../log/readLog.ts';
import type { LogRow } from '../../sql/logWriting/chain.ts';
import { id, oneAdministration } from '../arguments.ts';
import { type CommandContext, onOneLine } from '../context.ts';

type Options = {
  administration?: bigint;
  from?: bigint;
  until?: bigint;
  key?: bigint;
  action?: string;
  concerning?: { kind: string; subject?: string };
  json?: boolean;
  head?: boolean;
};

export function addLog(program: Command, { say, complain, withNamed }: CommandContext): void {
  program
    .command('log')
    .description('Show who changed what in an administration, the newest last.')
    .argument('[administration]', 'its number or its name')
    .option('--administration <id>', 'its number', id)
    .option('--from <moment>', 'from then on: 2026-03-31, or 2026-03-31T14:00:00Z', moment(0))
    .option('--until <moment>', 'until then; a day is included', moment(1))
    .option('--key <id>', 'by this API key, as key list numbers them', id)
    .option('--action <name>', 'by this endpoint or command, such as updateproduct or import')
    .option('--concerning <record>', 'of this kind, such as product, or this record, such as product:0100', concerning)
    .option('--json', 'a JSON object on each line')
    .option('--head', 'only where the log ends, to compare with later: its number of rows and the last hash')
    .action((name: string | undefined, { administration, concerning, json, head, ...options }: Options) =>
      withNamed(oneAdministration(name, administration), async (db, { id: administrationId }) => {
        if (head) {
          const end = await headOf(db, administrationId);
          if (end === undefined) throw new CommandError('The end of the log is missing: somebody removed it.');
          return say(`${end.sequence}:${end.hash}`);
        }
        const filter: LogFilter = { ...options, ...concerning };
        for await (const row of readLog(db, administrationId, filter)) say(json ? jsonLine(row) : textLine(row));
        for await (const sentence of changesOutside(db, administrationId)) complain(onOneLine(sentence));
      }),
    );
}

const isoTime = (at: bigint): string => new Date(Number(at) * 1000).toISOString().replace('.000', '');

const jsonLine = (row: LogRow): string =>
  JSON.stringify({
    sequence: String(row.sequence),
    at: isoTime(row.at),
    origin: row.origin,
    key: row.key_id === null ? null : String(row.key_id),
    action: row.action,
    kind: row.kind,
    subject: row.subject,
    relation: row.relation_guid === null ? null : String(row.relation_guid),
    changes: loggedChanges(row),
    hash: row.hash,
  });

function textLine(row: LogRow): string {
  const by = row.key_id === null ? row.origin : `${row.origin} key ${row.key_id}`;
  const changes = loggedChanges(row).map((change) =>
    'counts' in change ? `counts ${JSON.stringify(change.counts)}` : changeText(change),
  );
  const columns = [String(row.sequence), isoTime(row.at), by, row.action, `${row.kind} ${row.subject}`];
  return [...columns, changes.join('; ')].map(onOneLine).join('\t');
}

/** `update product: price 12.5 -> 13`. */
function changeText({ table, operation, old = {}, new: now = {} }: LoggedChange): string {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  const side = (values: Readonly<Record<string, unknown>>, name: string) =>
    values[name] === undefined ? [] : [JSON.stringify(values[name])];
  const values = names.map((name) => `${name} ${[...side(old, name), ...side(now, name)].join(' -> ')}`);
  return `${operation} ${table}${values.length === 0 ? '' : `: ${values.join(', ')}`}`;
}

/** A moment, or midnight some days after a day, in seconds since 1970. */
const moment =
  (days: number) =>
  (text: string): bigint => {
    const [, year, month, day, time] =
      /^(\d{4})-(\d{2})-(\d{2})(T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2}))?$/.exec(text) ?? [];
    const isDay = time === undefined;
    // Date.parse takes 30 February for 2 March.
    const isDate = calendarDate(Number(year), Number(month), Number(day)) !== undefined;
    const milliseconds = isDate ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(milliseconds)) {
      throw new InvalidArgumentError('Expected a day such as 2026-03-31, or a moment such as 2026-03-31T14:00:00Z.');
    }
    return BigInt(Math.floor(milliseconds / 1000)) + (isDay ? BigInt(days * 86_400) : 0n);
  };

function concerning(text: string): { kind: string; subject?: string } {
  const [, kind = '', subject] = /^([a-z_]+)(?::(.+))?$/s.exec(text) ?? [];
  if (kind === '') throw new InvalidArgumentError('Expected a kind, such as product, or product:0100.');
  return subject === undefined ? { kind } : { kind, subject };
}
