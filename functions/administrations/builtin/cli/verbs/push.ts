import { hash, randomUUID } from 'node:crypto';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { type PushedName, pushedNames } from '../../../../../shared/api.ts';
import type { Credential } from '../../../../../shared/client/client.ts';
import { createPushClient } from '../../../../../shared/client/pushClient.ts';
import { Problem } from '../../../../../shared/problem.ts';
import { addDays } from '../../../../../shared/wire/calendarDate.ts';
import { readSettings } from '../../../../settings.ts';
import { issueKey, listKeys, revokeKey } from '../../credentials/keys.ts';
import { CommandError } from '../../files/commandError.ts';
import { refuseProblems } from '../../files/problems.ts';
import { type ReadFile, readPushFile } from '../../pushFile/readPushFile.ts';
import { beginResultFile, writeResultFile } from '../../pushFile/resultFile.ts';
import { mayGoOn, pushAndFollow } from '../../pushFile/sendFile.ts';
import { id } from '../arguments.ts';
import type { CommandContext } from '../context.ts';
import { addMappingOptions, type MappingOptions, mappingOf } from '../mappingOptions.ts';
import { openSource } from '../openSource.ts';

type PushOptions = MappingOptions & {
  endpoint: PushedName;
  administration?: bigint;
  url?: string;
  document?: string;
  results?: string;
  report?: string;
  anyOrder?: true;
  again?: true;
  yes?: true;
};

/** The user name of the key with which the command pushes to a built-in administration. */
const USERNAME = 'administration push';

export function addPush(program: Command, context: CommandContext): void {
  const command = program
    .command('push')
    .description(
      'Push the rows of a file to the running app: changed or new products, or documents of one or several rows. Each row is sent once: the same file again follows the push that it began.',
    )
    .argument('<file>', 'a CSV file in UTF-8 or an .xlsx workbook, with a line of headings: the fields of the endpoint')
    .addOption(new Option('--endpoint <name>', 'what each row is').choices(pushedNames).makeOptionMandatory())
    .option('--administration <id>', 'where to; left out: that of PUSH_API_KEY and PUSH_USERNAME', id)
    .option('--url <address>', 'of the app; left out: that of npm start')
    .option('--document <heading>', 'the column that says which rows are one document; left out: Document')
    .option('--results <file>', 'where to write the copy with results; left out: beside the file')
    .option('--report <file>', 'write all problems to a file')
    .option('--any-order', 'documents need not go to a remote administration one after the other')
    .option('--again', 'send a file again that was pushed before')
    .option('--yes', 'mail customers and begin periodic invoices without asking');
  addMappingOptions(command);
  command.action((file: string, options: PushOptions) =>
    withCredential(options.administration, context, (credential) => pushFile(file, options, credential, context)),
  );
}

/** Runs work with a credential: a key of its own, which ends with the push, or that of the environment. */
async function withCredential(
  administration: bigint | undefined,
  { env, seconds, today, withWritable }: CommandContext,
  work: (credential: Credential) => Promise<void>,
): Promise<void> {
  const { PUSH_API_KEY: apiKey = '', PUSH_USERNAME: username = '' } = env;
  if (administration === undefined) {
    if (apiKey !== '' && username !== '') return work({ apiKey, username });
    throw new CommandError('Expected --administration <id>, or PUSH_API_KEY and PUSH_USERNAME in the environment.');
  }
  await withWritable(administration, async (db) => {
    const label = `push ${randomUUID()}`;
    const key = { administrationId: administration, username: USERNAME, label, now: seconds() };
    // Where the app goes on with the push, because the command is killed or can no longer follow it, the key ends a day
    // later.
    const apiKey = await issueKey(db, { ...key, endsOn: addDays(today(), 1) });
    let goesOn = false;
    try {
      await work({ apiKey, username: USERNAME });
    } catch (failure) {
      goesOn = mayGoOn(failure);
      throw failure;
    } finally {
      if (!goesOn) {
        const issued = (await listKeys(db, administration)).find((one) => one.label === label);
        await revokeKey(db, { administrationId: administration, id: issued!.id, now: seconds() });
      }
    }
  });
}

async function pushFile(
  file: string,
  options: PushOptions,
  credential: Credential,
  { env, say, complain, show = () => {}, interruption, confirm }: CommandContext,
): Promise<void> {
  const { endpoint } = options;
  const source = await openSource(file, options);
  const read = await readPushFile(endpoint, source, mappingOf(options), options.document);
  await refuseProblems(read.problems, source.file, options.report, complain, 'pushed');
  const { applied: appliedBefore, unknown: unknownBefore } = read.sentBefore;
  if (appliedBefore > 0) complain(`${appliedBefore} were applied before, as the file says, and are not sent.`);
  if (unknownBefore > 0)
    complain(
      `Of ${unknownBefore} the outcome is unknown, as the file says, and they are not sent. Empty the Result of those that are not in the books.`,
    );
  if (read.requests.length === 0) throw new CommandError(`${source.file} has no rows to send: nothing was pushed.`);
  if (read.unknown.length > 0) complain(`These columns are unknown and were not pushed: ${read.unknown.join(', ')}`);
  const base = options.url ?? `http://localhost:${readSettings(env).port}`;
  const client = createPushClient({ base, credential, fetch });
  const rows = read.requests.map(({ request }, row) => ({ row, endpoint, request }));
  const io = { show, interrupted: interruption?.(), confirm: (question: string) => confirm(question, options.yes) };
  const key = options.again ? randomUUID() : keyOf(endpoint, rows);
  const choices = options.anyOrder ? { inOrder: false } : {};
  const results = options.results ?? resultsBeside(file);
  const withdrawResults = await beginResultFile(results);
  const done = await pushAndFollow(client, rows, key, choices, io).catch(async (failure: unknown) => {
    await withdrawResults();
    if (failure instanceof Problem) addRefusals(failure, read);
    await refuseProblems(read.problems, source.file, options.report, complain, 'pushed');
    throw failure;
  });
  show('');
  const counts = Object.entries(done.push.counts).filter(([, count]) => Number(count) > 0);
  say(`${endpoint}: ${counts.map(([state, count]) => `${count} ${state}`).join(', ')}.`);
  for (const { rows: count, totalExclTax, taxAmount, totalInclTax } of done.push.sums) {
    if (totalInclTax !== null)
      say(`${count} documents: ${totalExclTax ?? '?'} without tax, ${taxAmount ?? '?'} tax, ${totalInclTax} with tax.`);
  }
  await writeResultFile(results, source, read, done.rows);
  say(`Results: ${results}`);
  const { applied, total } = { ...done.push.counts, ...done.push };
  if (applied !== total) throw new CommandError('Not every row was applied: see the results.');
}

/** The key of a push: rows that are pushed again, by whatever run of the command, are one push. */
const keyOf = (endpoint: PushedName, rows: readonly object[]): string =>
  `file ${hash('sha256', `${endpoint}\n${JSON.stringify(rows)}`)}`;

const resultsBeside = (file: string): string => {
  const { dir, name } = path.parse(file);
  return path.join(dir, `${name}.results.csv`);
};

/** Adds the app's refusals of rows to the problems of the file. */
function addRefusals({ errors }: Problem, read: ReadFile): void {
  for (const error of errors) {
    const request = read.requests[Number(/^rows\[(\d+)\]/.exec(error.path)?.[1] ?? Number.NaN)];
    if (request === undefined) continue;
    const ofFields = error.code === 'ROW_REFUSED' ? error.params.errors : [{ path: '', message: error.message }];
    for (const { path: field, message } of ofFields) {
      const { line, column } = read.placeOf(request, field);
      read.report(line, column, message);
    }
  }
}
