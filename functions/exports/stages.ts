import { createHash } from 'node:crypto';
import { Problem } from '../../shared/problem.ts';
import { readRequest } from '../../shared/readRequest.ts';
import { type Relation, relation } from '../../shared/resources/relation.ts';
import { wholeListInOrder } from '../../shared/wholeList.ts';
import { encodeEach } from '../../shared/wire/encode.ts';
import type { Administration } from '../administrations/administration.ts';
import { abreast, BLOCK, blockStager, commit, countFile, linesIn, measure, writeBlob } from './blobs.ts';
import { type ExportFolder, isSame } from './folders.ts';
import { type Line, lineOf, merge } from './merge.ts';
import { relationsWorkbook } from './relationsWorkbook.ts';
import { afterPass, type Pass, type Run, watermarkOf } from './run.ts';
import { writtenRelation } from './writtenRelation.ts';

/*
 * An export comes about in stages. Each can be done again from its beginning and ends with a save; reading, which depends on
 * a service that may be slow, saves as it goes on.
 */

/** What the stages work with. */
export type Workplace = {
  folder: ExportFolder;
  open(signal: AbortSignal): Promise<Pick<Administration, 'listrelations'>>;
  /** Seconds since 1970. */
  now: () => number;
  /** Whose clock moments in the workbook are on. */
  zone: string;
  /** Aborted when another worker may have begun. */
  lost: AbortSignal;
  /** Aborted when it is time for another message to go on with it. */
  sliceEnd: AbortSignal;
  /** Keeps what a run has become. @returns it as it was kept @throws Overtaken */
  save(run: Run): Promise<Run>;
  onProgress(stage: Run['stage'], relations: number): void;
};

/** What was written before is not there any more, or not as it was written. */
export class Damaged extends Problem {
  /** The run from where it can be done again. */
  readonly repaired: Run;

  constructor(message: string, repaired: Run) {
    super('INTERNAL', message);
    this.repaired = repaired;
  }
}

/** Relations handed to the workbook at a time. */
const AT_A_TIME = 200;

/** Takes a run from stage to stage until it is published or the slice ends. */
export async function takeStages(run: Run, at: Workplace): Promise<void> {
  let current = run;
  while (current.stage !== 'published' && !at.sliceEnd.aborted) {
    at.lost.throwIfAborted();
    try {
      current = await take[current.stage](current, at);
    } catch (failure) {
      throw isGone(failure) ? new Damaged('What had been read is not there any more.', anew(current)) : failure;
    }
  }
}

const take: Record<Exclude<Run['stage'], 'published'>, (run: Run, at: Workplace) => Promise<Run>> = {
  reading: read,
  merging: mergeAll,
  workbook: writeWorkbook,
  publishing: publish,
};

/** Whether blocks, or a blob, that a checkpoint speaks of are missing. */
function isGone(failure: unknown): boolean {
  const { code, details } = Object(failure) as { code?: string; details?: { errorCode?: string } };
  return ['InvalidBlockList', 'InvalidBlockId', 'BlobNotFound', 'CannotVerifyCopySource'].includes(
    details?.errorCode ?? code ?? '',
  );
}

/** The same run from its beginning, in full: the export before may be what is missing. */
const anew = (run: Run): Run => {
  const [first] = run.passes as [Pass];
  const place = { position: 0, last: '', longest: 0 };
  const passes = [{ ...first, since: null, place, blocks: [], relations: 0, digest: '' }];
  return { ...run, full: true, base: null, stage: 'reading', passes };
};

const passFile = (index: number): string => `pass-${index + 1}.jsonl`;

/** The relations under their temporary name: what was read, when that is all of them and nothing changed meanwhile. */
function relationsFile({ full, passes }: Run): string {
  const [, ...catchUps] = passes;
  return full && catchUps.every(({ relations }) => relations === 0) ? passFile(0) : 'relations.jsonl';
}

/** Reads on with the last pass of a run, block by block. */
async function read(given: Run, { folder, open, now, lost, sliceEnd, save, onProgress }: Workplace): Promise<Run> {
  let run = given;
  const index = run.passes.length - 1;
  const blob = await folder.unfinished(run.date, passFile(index));
  const stage = blockStager(blob, lost);
  const signal = AbortSignal.any([lost, sliceEnd]);
  let pass = run.passes[index]!;
  const change = (changes: Partial<Pass>): Run => ({ ...run, passes: run.passes.with(index, { ...pass, ...changes }) });

  let lines: string[] = [];
  let length = 0;
  let { place, relations, digest } = pass;
  const uploads = abreast();
  let kept: Promise<void> = Promise.resolve();
  /** Puts away what was read, and then says that it was read, and all before it; reading goes on meanwhile. */
  const flush = async () => {
    if (lines.length === 0) return;
    const bytes = linesToBytes(lines, length);
    const reached = { place, relations, digest };
    lines = [];
    length = 0;
    await uploads.begin(() => {
      const before = kept;
      kept = (async () => {
        const block = await stage(bytes);
        await before;
        run = await save(change({ ...reached, blocks: [...pass.blocks, block] }));
        pass = run.passes[index]!;
      })();
      return kept;
    });
  };

  const administration = await open(signal);
  try {
    const pages = wholeListInOrder(
      (offset) => page(administration, pass.since, offset),
      ({ guid }) => guid,
      {
        place,
        signal,
      },
    );
    for await (const { rows, place: after } of pages) {
      for (const { text } of rows) {
        lines.push(text);
        length += Buffer.byteLength(text) + 1;
        if (index > 0) digest = createHash('sha256').update(digest).update(text).digest('hex');
      }
      relations += rows.length;
      place = after;
      onProgress('reading', relations);
      if (length >= BLOCK) await flush();
    }
  } catch (failure) {
    if (lost.aborted || !sliceEnd.aborted) {
      // Nothing more is to be kept of it once it is told that it failed.
      await uploads.end().catch(() => {});
      throw failure;
    }
    await flush();
    await uploads.end();
    return run;
  }
  await flush();
  await uploads.end();
  await commit(blob, pass.blocks, lost);
  run = change({ blocks: [] });
  return save({ ...run, ...afterPass(run, now()) });
}

/** Lines in UTF-8, without a text of them all in between. @param length what they come to */
function linesToBytes(lines: readonly string[], length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const line of lines) {
    at += bytes.write(line, at);
    at = bytes.writeUInt8(10, at);
  }
  return bytes;
}

/** The relations from an offset on. */
async function page(
  administration: Pick<Administration, 'listrelations'>,
  since: number | null,
  offset: number,
): Promise<Line[]> {
  const { request } = readRequest('listrelations', {
    Offset: offset,
    Limit: 200,
    Sorting: 'RelationGUID',
    SortDir: 'ASC',
    ...(since === null ? {} : { ChangedSince: since }),
  });
  const texts = encodeEach(relation, await administration.listrelations(request));
  return texts.map((text) => {
    try {
      return lineOf(text);
    } catch (cause) {
      throw new Problem('REMOTE_FAILED', 'The service answered a relation without a RelationGUID.', { cause });
    }
  });
}

async function* guided(lines: AsyncIterable<string>): AsyncGenerator<Line, void> {
  for await (const line of lines) yield lineOf(line);
}

async function* nothing(): AsyncGenerator<Line, void> {}

/** Writes what was read upon the export before: the relations, and what became of each. */
async function mergeAll(run: Run, { folder, lost, save, onProgress }: Workplace): Promise<Run> {
  const file = await folder.unfinished(run.date, relationsFile(run));
  const relations = relationsFile(run) === passFile(0) ? countFile() : writeBlob(file, true, lost);
  const changes = writeBlob(await folder.unfinished(run.date, 'changes.jsonl'), true, lost);
  const before =
    run.base === null ? nothing() : guided(linesIn(await folder.published(run.base, 'relations.jsonl'), lost));
  const passes = await Promise.all(
    run.passes.map(async (_, index) => guided(linesIn(await folder.unfinished(run.date, passFile(index)), lost))),
  );
  const counts = { relations: 0, added: 0, changed: 0, vanished: 0 };
  for await (const { guid, text, change } of merge(before, passes, run.full)) {
    if (text !== undefined) {
      await relations.write(`${text}\n`);
      counts.relations++;
      if (counts.relations % AT_A_TIME === 0) onProgress('merging', counts.relations);
    }
    if (change !== undefined && change !== null) {
      counts[change as 'added']++;
      await changes.write(`{"RelationGUID":${guid},"change":"${change}"}\n`);
    }
  }
  const files = { 'relations.jsonl': await relations.close(), 'changes.jsonl': await changes.close() };
  return save({ ...run, stage: 'workbook', outcome: { ...counts, cut: 0, files } });
}

/** Writes the relations for people. */
async function writeWorkbook(run: Run, { folder, zone, lost, save, onProgress }: Workplace): Promise<Run> {
  const source = await folder.unfinished(run.date, relationsFile(run));
  async function* relations(): AsyncGenerator<readonly Relation[], void> {
    let some: Relation[] = [];
    let count = 0;
    for await (const line of linesIn(source, lost)) {
      some.push(writtenRelation(line));
      if (some.length < AT_A_TIME) continue;
      count += some.length;
      onProgress('workbook', count);
      yield some;
      some = [];
    }
    if (some.length > 0) yield some;
  }
  const workbook = writeBlob(await folder.unfinished(run.date, 'relations.xlsx'), false, lost);
  let cut = 0;
  const onCut = () => void cut++;
  for await (const piece of relationsWorkbook(relations(), { signal: lost, zone, onCut })) await workbook.write(piece);
  const files = { ...run.outcome.files, 'relations.xlsx': await workbook.close() };
  return save({ ...run, stage: 'publishing', outcome: { ...run.outcome, cut, files } });
}

/** Gives the files their names, reads them back, and puts the manifest beside them: from then on the export is there. */
async function publish(run: Run, { folder, now, lost, save, onProgress }: Workplace): Promise<Run> {
  onProgress('publishing', run.outcome.relations);
  const { files } = run.outcome;
  const manifest = await folder.published(run.date, 'manifest.json');
  // It may have been the last thing done before a crash: what is published does not change any more.
  if (!(await manifest.exists({ abortSignal: lost }))) {
    for (const [name, written] of Object.entries(files)) {
      const target = await folder.published(run.date, name);
      const source = await folder.unfinished(run.date, name === 'relations.jsonl' ? relationsFile(run) : name);
      const copy = await target.beginCopyFromURL(source.url, { abortSignal: lost, intervalInMs: 500 });
      await copy.pollUntilDone();
      if (isSame(await measure(target, written.lines !== null, lost), written)) continue;
      throw new Damaged(`${name} does not hold what was written.`, { ...run, stage: 'merging' });
    }
    const changes = linesIn(await folder.published(run.date, 'changes.jsonl'), lost);
    const writer = writeBlob(manifest, false, lost);
    await writer.write(Buffer.from(manifestOf(run, now(), await Array.fromAsync(vanishedIn(changes)))));
    await writer.close();
  }
  const { publishedOn } = JSON.parse((await manifest.downloadToBuffer()).toString('utf8'));
  const outcome = { ...run.outcome, files: { ...files, 'manifest.json': await measure(manifest, false, lost) } };
  return save({ ...run, stage: 'published', state: 'published', publishedOn, passes: [], outcome });
}

async function* vanishedIn(changes: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const line of changes) if (line.endsWith('"vanished"}')) yield String(lineOf(line).guid);
}

/** Identifiers go in with every digit: as numbers, as everywhere in the interface. */
function manifestOf(run: Run, publishedOn: number, vanished: readonly string[]): string {
  const { relations, added, changed, cut, files } = run.outcome;
  const text = JSON.stringify(
    {
      date: run.date,
      full: run.full,
      base: run.base,
      scheduledOn: run.scheduledOn,
      startedOn: run.startedOn,
      publishedOn,
      duration: publishedOn - run.startedOn,
      watermark: watermarkOf(run),
      relations,
      added,
      changed,
      vanished: vanished.length,
      textsCutInWorkbook: cut,
      files,
    },
    undefined,
    2,
  );
  return `${text.slice(0, -2)},\n  "vanishedRelations": [${vanished.join(', ')}]\n}\n`;
}
