import { setTimeout as sleep } from 'node:timers/promises';
import { builtinAdministrations } from '../../functions/administrations/builtin/builtin.ts';
import { checkAdministration } from '../../functions/administrations/builtin/check/check.ts';
import { type Seeded, seeded } from '../../functions/administrations/builtin/setup/demo/seeded.ts';
import type { Database } from '../../functions/administrations/builtin/sql/database.ts';
import { openDatabase } from '../../functions/administrations/builtin/sql/openDatabase.ts';
import { fixturesOf } from '../fixtures/fixtures.ts';
import { secretKeyOf } from '../secretKey.ts';
import { exportFindings } from './exportFindings.ts';
import { addTemplate, type PeriodicCustomer, periodicCustomer, periodicFindings, startMailbox } from './periodic.ts';
import { callerRun } from './pushes/crashRuns.ts';
import { type Instances, startInstances } from './pushes/instances.ts';
import { builtinPlace } from './pushes/places.ts';
import { addInitialData, anyWrite, compare, type InitialData, sendTo, type Write } from './writes.ts';

/** The result of several instances under load. */
export type InstancesRun = {
  /** The errors that were found, a sentence each. */
  findings: string[];
  /** The number of completed actions, by kind. */
  counts: Record<string, number>;
};

const SENDERS = 6;
const PUSHES = 3;
/** Milliseconds within which all that was begun is to be done once the load is over. */
const MAX_QUIET_MS = 120_000;

/**
 * Lets three instances do everything at the same time on one database and one storage account: one serves all, one HTTP
 * only, one queues and timers only. They are killed and replaced meanwhile. Then compares what is there with what was
 * asked.
 * @param databaseUrl of a database that several processes can use, and nobody else does
 * @param storage connection string of a storage account that nobody else uses
 * @param seconds how long the load lasts
 */
export async function instancesRun(
  databaseUrl: string,
  storage: string,
  seed: number,
  seconds: number,
): Promise<InstancesRun> {
  const db = await openDatabase(databaseUrl);
  const mailbox = await startMailbox();
  const pushed = await builtinPlace(databaseUrl);
  const written = await addInitialData(db, seed);
  const periodic = await periodicCustomer(db, seed);
  const instances = await startInstances(
    {
      DATABASE_URL: databaseUrl,
      AzureWebJobsStorage: storage,
      SECRET_KEY: secretKeyOf(seed),
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'facturen@delinde.example',
      MAIL_DELAY_MINUTES: '0',
      RELATION_EXPORT_SCHEDULE: '*/4 * * * * *',
      TIMER_SCHEDULE: '* * * * * *',
    },
    ['all', 'http', 'background'],
  );
  try {
    let ended = false;
    const isOver = () => ended;
    const load = Promise.all([
      sendWrites(instances, written, seed, isOver),
      addTemplates(instances, periodic, seed, isOver),
      addRelations(db, written.administrationId, isOver),
      Promise.all(Array.from({ length: PUSHES }, (_, index) => callerRun(pushed, instances, seed + index))),
      killInstances(instances, seeded(seed * 31), isOver),
    ]);
    await Promise.race([sleep(seconds * 1000), load]);
    ended = true;
    const [writes, templates, relations, pushes] = await load;

    const findings = pushes.flatMap(({ findings }) => findings);
    findings.push(...writes.findings, ...templates.findings);
    findings.push(...(await periodicFindings(db, periodic, templates.acknowledged, mailbox.received, MAX_QUIET_MS)));
    findings.push(...(await exportFindings(builtinAdministrations(db), storage, MAX_QUIET_MS)));
    findings.push(...(await compare(db, written.administrationId, writes.sent)));
    for (const { administrationId } of [written, periodic]) {
      findings.push(...(await Array.fromAsync(checkAdministration(db, administrationId))));
    }
    findings.push(...instances.complaints());
    const acknowledged = writes.sent.filter((write) => write.acknowledged).length;
    const applied = pushes.reduce((sum, { counts }) => sum + Number(counts.applied), 0);
    const mails = mailbox.received.length;
    return { findings, counts: { acknowledged, applied, templates: templates.acknowledged.length, mails, relations } };
  } finally {
    await instances.close();
    await pushed.close();
    await mailbox.close();
    await db.destroy();
  }
}

/** Writes of all kinds, through whichever instances are there. */
async function sendWrites(
  instances: Instances,
  { credential }: InitialData,
  seed: number,
  isOver: () => boolean,
): Promise<{ sent: Write[]; findings: string[] }> {
  const sent: Write[] = [];
  const findings: string[] = [];
  const sender = async (random: Seeded) => {
    while (!isOver()) {
      const write = anyWrite(random, `${seed}.${sent.length}`);
      sent.push(write);
      try {
        const { status, text } = await sendTo({ url: await instances.url(random) }, credential, write);
        write.acknowledged = status === 200;
        if (status !== 200) findings.push(`${write.endpoint} is answered ${status}: ${text}`);
      } catch {
        // The instance was killed before its response: the write was applied or not.
        await sleep(50);
      }
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, index) => sender(seeded(seed * SENDERS + index))));
  return { sent, findings };
}

/** Templates whose invoices are due, each acknowledged by its reference. */
async function addTemplates(
  instances: Instances,
  customer: PeriodicCustomer,
  seed: number,
  isOver: () => boolean,
): Promise<{ acknowledged: string[]; findings: string[] }> {
  const random = seeded(seed * 7);
  const acknowledged: string[] = [];
  const findings: string[] = [];
  for (let number = 1; !isOver(); number++) {
    const reference = `T${number}`;
    // Without a response it was added, or it was not.
    const response = await addTemplate(await instances.url(random), customer, reference).catch(() => undefined);
    if (response?.status === 200) acknowledged.push(reference);
    else if (response !== undefined) findings.push(`A template is answered ${response.status}: ${response.text}`);
    await sleep(random.from(200, 1200));
  }
  return { acknowledged, findings };
}

/** Relations that come in while they are exported. @returns how many */
async function addRelations(db: Database, administrationId: bigint, isOver: () => boolean): Promise<number> {
  const { addRelation } = fixturesOf(db, administrationId);
  let count = 0;
  while (!isOver()) {
    const now = Math.floor(Date.now() / 1000);
    await addRelation({ guid: BigInt(1_000_000 + count), name: `Came in ${count}`, createdOn: now });
    count++;
    await sleep(50);
  }
  return count;
}

async function killInstances(instances: Instances, random: Seeded, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await sleep(random.from(500, 3000));
    await instances.disturb(random);
  }
}
