import { setTimeout as sleep } from 'node:timers/promises';
import { builtinAdministrations } from '../../functions/administrations/builtin/builtin.ts';
import { checkAdministration } from '../../functions/administrations/builtin/check/check.ts';
import { type Seeded, seeded } from '../../functions/administrations/builtin/setup/demo/seeded.ts';
import type { Database } from '../../functions/administrations/builtin/sql/database.ts';
import { openDatabase } from '../../functions/administrations/builtin/sql/openDatabase.ts';
import { startSmtpServer } from '../documents/smtpServer.ts';
import type { TestCredential } from '../fixtures/administration.ts';
import { fixturesOf } from '../fixtures/fixtures.ts';
import { secretKeyOf } from '../secretKey.ts';
import { exportFindings } from './exportFindings.ts';
import { addPeriodicCustomer, addTemplate, periodicFindings } from './periodic.ts';
import { callerRun } from './pushes/crashRuns.ts';
import { type Instances, startInstances } from './pushes/instances.ts';
import { builtinPlace } from './pushes/places.ts';
import { addInitialData, anyWrite, type CrashRun, compare, sendWrite, type Write } from './writes.ts';

const SENDERS = 6;
const PUSHES = 3;
/** The longest time after the load until all work is done, in milliseconds. */
const MAX_COMPLETION_MS = 600_000;

/**
 * Runs three instances under load on one database and one storage account, and kills and replaces them meanwhile: one
 * serves everything, one only HTTP, one only queues and timers. Then compares the stored data with the requests.
 * @param databaseUrl of a server, for this run only
 * @param storage connection string of a storage account for this run only
 * @param seconds the duration of the load
 */
export async function instancesRun(
  databaseUrl: string,
  storage: string,
  seed: number,
  seconds: number,
): Promise<CrashRun> {
  const db = await openDatabase(databaseUrl);
  const mailbox = await startSmtpServer();
  const pushed = await builtinPlace(databaseUrl);
  const written = await addInitialData(db, seed);
  const periodic = await addPeriodicCustomer(db, seed);
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
    findings.push(
      ...(await periodicFindings(db, periodic, templates.acknowledged, mailbox.received, MAX_COMPLETION_MS)),
    );
    findings.push(...(await exportFindings(builtinAdministrations(db), storage, MAX_COMPLETION_MS)));
    findings.push(...(await compare(db, written.administrationId, writes.sent)));
    for (const { administrationId } of [written, periodic]) {
      findings.push(...(await Array.fromAsync(checkAdministration(db, administrationId))));
    }
    findings.push(...instances.errors());
    const acknowledged = writes.sent.filter((write) => write.acknowledged).length;
    const applied = pushes.reduce((sum, { counts }) => sum + Number(counts.applied), 0);
    const mails = mailbox.received.length;
    const counts = { acknowledged, applied, templates: templates.acknowledged.length, mails, relations };
    return { seed, findings, counts };
  } finally {
    await instances.close();
    await pushed.close();
    await mailbox.close();
    await db.destroy();
  }
}

async function sendWrites(
  instances: Instances,
  { credential }: TestCredential,
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
        await sendWrite({ url: await instances.url(random) }, credential, write, findings);
      } catch {
        await sleep(50);
      }
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, index) => sender(seeded(seed * SENDERS + index))));
  return { sent, findings };
}

/** Adds templates whose invoices are due. @returns the references of those that were acknowledged */
async function addTemplates(
  instances: Instances,
  customer: TestCredential,
  seed: number,
  isOver: () => boolean,
): Promise<{ acknowledged: string[]; findings: string[] }> {
  const random = seeded(seed * 7);
  const acknowledged: string[] = [];
  const findings: string[] = [];
  for (let number = 1; !isOver(); number++) {
    const reference = `T${number}`;
    const response = await addTemplate(await instances.url(random), customer, reference).catch(() => undefined);
    if (response?.status === 200) acknowledged.push(reference);
    else if (response !== undefined)
      findings.push(`The response to a template is ${response.status}: ${response.text}`);
    await sleep(random.from(200, 1200));
  }
  return { acknowledged, findings };
}

/** Adds relations while they are exported. @returns their number */
async function addRelations(db: Database, administrationId: bigint, isOver: () => boolean): Promise<number> {
  const { addRelation } = fixturesOf(db, administrationId);
  let count = 0;
  while (!isOver()) {
    const now = Math.floor(Date.now() / 1000);
    await addRelation({ guid: BigInt(1_000_000 + count), name: `Added ${count}`, createdOn: now });
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
