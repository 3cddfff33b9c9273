import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BlobServiceClient } from '@azure/storage-blob';
import { openDatabase } from '../functions/administrations/builtin/sql/openDatabase.ts';
import { startAzurite } from '../functions/host/azurite.ts';
import { startScript } from '../testing/appProcess.ts';
import { inFolder, median, nodeOptionsOf, type Ratio } from './measure.ts';
import { fillRelations } from './relations.ts';

type Measured = { stages: Record<string, number>; whole: number; megabytes: number };

type Times = { ours: Measured[]; bare: { toFile: number; toStorage: number }[]; usual: Measured[] };

const RUNS = 3;

/**
 * V8's young generation, where garbage waits, doubles twice in the first seconds of a process that works hard: so the
 * process of a long export holds more than that of a short one, whatever it does. `npm run export` keeps it small.
 */
const OURS = nodeOptionsOf('functions/exports/command.ts');

/**
 * A full export of the built-in administration into Azurite, against the same rows read by the driver alone and written
 * to such an account, and to a file; and what its process holds at the most, as the administration grows.
 */
export const measureExports = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const measured = new Map<number, Times>();
    for (const count of [10_000, 100_000]) {
      const file = path.join(folder, `${count}.sqlite`);
      const db = await openDatabase(`sqlite:${file}`);
      await fillRelations(db, count);
      await db.destroy();
      const times: Times = { ours: [], bare: [], usual: [] };
      for (let run = 0; run < RUNS; run++) {
        times.bare.push(await bare(file, folder));
        times.ours.push(await exportOnce(file, folder, OURS));
        times.usual.push(await exportOnce(file, folder, []));
      }
      measured.set(count, times);
    }
    const [few, many] = [measured.get(10_000)!, measured.get(100_000)!];
    const middle = (of: (one: Measured) => number) => median(many.ours.map(of));
    const file = median(many.bare.map(({ toFile }) => toFile));
    const storage = median(many.bare.map(({ toStorage }) => toStorage));
    const jsonl = middle(({ stages }) => stages.workbook!);
    const whole = middle(({ whole }) => whole);
    const name = 'of 100,000 relations, against its SQL bare and the same relations.jsonl';
    return [
      { name: `relations.jsonl in storage ${name} in storage`, ours: jsonl, bare: storage, unit: 'ms', aim: 2 },
      { name: `relations.jsonl in storage ${name} in a file`, ours: jsonl, bare: file, unit: 'ms', aim: 2 },
      {
        name: `the whole export (changes, workbook, read back) ${name} in storage`,
        ours: whole,
        bare: storage,
        unit: 'ms',
        aim: 2,
      },
      memory('', few.ours, many.ours),
      memory(', with what V8 takes by itself', few.usual, many.usual),
    ];
  });

function memory(how: string, few: readonly Measured[], many: readonly Measured[]): Ratio {
  const [bare, ours] = [few, many].map((runs) => median(runs.map(({ megabytes }) => megabytes))) as [number, number];
  const name = `peak memory of an export of 100,000 relations, against one of 10,000${how}`;
  return { name, ours, bare, unit: 'MB', aim: 1.2 };
}

async function exportOnce(file: string, folder: string, nodeOptions: string[]): Promise<Measured> {
  // A new account each time: the export is full then.
  const azurite = await startAzurite(path.join(folder, `storage-${Date.now()}`));
  try {
    return await exportInto(file, azurite.connectionString, nodeOptions);
  } finally {
    await azurite.stop();
  }
}

/** One export of a database into a storage account, in a process of its own, by default as `npm run export` makes it. */
export async function exportInto(file: string, storage: string, nodeOptions = OURS): Promise<Measured> {
  const environment = { DATABASE_URL: `sqlite:${file}`, AzureWebJobsStorage: storage };
  const child = startScript('bench/exportOnce.ts', environment, { nodeOptions });
  const [, measured] = await child.line(/^measured (.*)$/);
  await child.kill('SIGTERM');
  return JSON.parse(measured!);
}

/** The responses as they are kept, in order, into a file, and that into a storage account of the same kind. */
async function bare(file: string, folder: string): Promise<{ toFile: number; toStorage: number }> {
  const azurite = await startAzurite(path.join(folder, `storage-${Date.now()}`));
  const database = new DatabaseSync(file, { readOnly: true });
  const rows = () =>
    Readable.from(
      linesOf(
        database
          .prepare('select answer from relation where administration_id = 1 order by guid')
          .iterate() as Iterable<unknown> as Iterable<{ answer: string }>,
      ),
      { objectMode: false },
    );
  const start = performance.now();
  await pipeline(rows(), createWriteStream(path.join(folder, 'relations.jsonl')));
  const toFile = performance.now() - start;
  const container = BlobServiceClient.fromConnectionString(azurite.connectionString).getContainerClient('bare');
  await container.createIfNotExists();
  const blob = container.getBlockBlobClient('relations.jsonl');
  const again = performance.now();
  await blob.uploadStream(rows());
  const toStorage = performance.now() - again;
  database.close();
  await azurite.stop();
  return { toFile, toStorage };
}

/** Some at a time: a stream costs more than a row. */
function* linesOf(rows: Iterable<{ answer: string }>): Generator<string> {
  let text = '';
  for (const { answer } of rows) {
    text += `${answer}\n`;
    if (text.length < 65_536) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}
