import { text } from 'node:stream/consumers';
import { Problem } from '../../../shared/problem.ts';
import type { Relation } from '../../../shared/resources/relation.ts';
import { isExportFile } from '../../../shared/resources/relationExport.ts';
import type { Language } from '../../../shared/wire/language.ts';
import { BlobGone } from '../../storage/blobs.ts';
import { fileWriter, isSame, linesIn, measure } from './exportFiles.ts';
import { type Line, lineOf, merge } from './merge.ts';
import { passFile, read, type StageContext } from './reading.ts';

export type { StageContext };

import { relationsWorkbook } from './relationsWorkbook.ts';
import { type Run, restarted, watermarkOf, workbookEnd } from './run.ts';
import { writtenRelation } from './writtenRelation.ts';

/*
 * An export is made in stages. Each can be repeated from its beginning and ends by storing the run; reading, which
 * depends on a service that may be slow, stores the run after each block.
 */

/** A file of an earlier stage is missing or damaged. */
export class Damaged extends Problem {
  /** The run at the stage to repeat. */
  readonly repaired: Run;

  constructor(message: string, repaired: Run) {
    super('INTERNAL', message);
    this.repaired = repaired;
  }
}

/** Relations in a batch for the workbook. */
const BATCH_SIZE = 200;

const stages: Record<Exclude<Run['stage'], 'published'>, (run: Run, context: StageContext) => Promise<Run>> = {
  reading: read,
  merging: mergeAll,
  workbook: writeWorkbook,
  publishing: publish,
};

/** Runs stage after stage until the export is published or the slice is over. */
export async function runStages(run: Run, context: StageContext): Promise<void> {
  let current = run;
  while (current.stage !== 'published' && !context.over.aborted) {
    context.lost.throwIfAborted();
    try {
      current = await stages[current.stage](current, context);
    } catch (failure) {
      if (!(failure instanceof BlobGone)) throw failure;
      throw new Damaged('What had been read is not there any more.', restarted(current));
    }
  }
}

/** The relations under their temporary name. When one pass read all of them, its file is used as it is. */
function relationsFile({ full, passes }: Run): string {
  const [, ...catchUps] = passes;
  return full && catchUps.every(({ relations }) => relations === 0) ? passFile(0) : 'relations.jsonl';
}

async function* toLines(texts: AsyncIterable<string>): AsyncGenerator<Line, void> {
  for await (const text of texts) yield lineOf(text);
}

async function* nothing(): AsyncGenerator<Line, void> {}

/** Merges the read relations with the previous export: writes the relations, and the changes. */
async function mergeAll(run: Run, { folder, lost, save, onProgress }: StageContext): Promise<Run> {
  const file = relationsFile(run);
  const isThere = file === passFile(0);
  const relations = fileWriter(true, lost, isThere ? undefined : await folder.unfinished(run.date, file));
  const changes = fileWriter(true, lost, await folder.unfinished(run.date, 'changes.jsonl'));
  const before =
    run.base === null ? nothing() : toLines(linesIn(await folder.published(run.base, 'relations.jsonl'), lost));
  const passes = await Promise.all(
    run.passes.map(async (_, index) => toLines(linesIn(await folder.unfinished(run.date, passFile(index)), lost))),
  );
  const counts = { relations: 0, added: 0, changed: 0, vanished: 0 };
  for await (const { guid, text, change } of merge(before, passes, run.full)) {
    if (text !== undefined) {
      await relations.write(`${text}\n`);
      counts.relations++;
      if (counts.relations % BATCH_SIZE === 0) onProgress('merging', counts.relations);
    }
    if (change !== undefined) {
      counts[change]++;
      await changes.write(`{"RelationGUID":${guid},"change":"${change}"}\n`);
    }
  }
  const files = { 'relations.jsonl': await relations.close(), 'changes.jsonl': await changes.close() };
  return save({ ...run, stage: 'workbook', outcome: { ...counts, cut: 0, files } });
}

async function writeWorkbook(run: Run, { folder, timeZone, lost, save, onProgress }: StageContext): Promise<Run> {
  const source = await folder.unfinished(run.date, relationsFile(run));
  async function* relations(): AsyncGenerator<readonly Relation[], void> {
    let some: Relation[] = [];
    let count = 0;
    for await (const line of linesIn(source, lost)) {
      some.push(writtenRelation(line));
      if (some.length < BATCH_SIZE) continue;
      count += some.length;
      onProgress('workbook', count);
      yield some;
      some = [];
    }
    if (some.length > 0) yield some;
  }
  const workbook = fileWriter(false, lost, await folder.unfinished(run.date, 'relations.xlsx'));
  let cut = 0;
  const onCut = () => void cut++;
  const ends = new Map<Language, Uint8Array>();
  const onEnd = (language: Language, end: Uint8Array) => void ends.set(language, end);
  for await (const piece of relationsWorkbook(relations(), { signal: lost, zone: timeZone, onCut, onEnd }))
    await workbook.write(piece);
  const written = await workbook.close();
  const files: Run['outcome']['files'] = { ...run.outcome.files, 'relations.xlsx': written };
  for (const [language, end] of ends) {
    if (language === 'en') continue;
    const writer = fileWriter(false, lost, await folder.unfinished(run.date, workbookEnd(language)));
    await writer.write(end);
    files[workbookEnd(language)] = await writer.close();
  }
  const untranslated = written.bytes - ends.get('en')!.length;
  return save({ ...run, stage: 'publishing', outcome: { ...run.outcome, cut, files, untranslated } });
}

/** Copies the files to their final names, reads them back, and writes the manifest, which publishes the export. */
async function publish(run: Run, { folder, now, lost, save, onProgress }: StageContext): Promise<Run> {
  onProgress('publishing', run.outcome.relations);
  const { files } = run.outcome;
  const manifest = await folder.published(run.date, 'manifest.json');
  // A worker may have crashed right after publishing: a published export must not change.
  if (!(await manifest.exists(lost))) {
    for (const [name, written] of Object.entries(files)) {
      const target = await folder.published(run.date, name);
      const source = await folder.unfinished(run.date, name === 'relations.jsonl' ? relationsFile(run) : name);
      await target.copyFrom(source, lost);
      if (isSame(await measure(target, written.lines !== null, lost), written)) continue;
      throw new Damaged(`${name} does not hold what was written.`, { ...run, stage: 'merging' });
    }
    const changes = linesIn(await folder.published(run.date, 'changes.jsonl'), lost);
    const writer = fileWriter(false, lost, manifest);
    await writer.write(Buffer.from(manifestOf(run, now(), await Array.fromAsync(vanishedIn(changes)))));
    await writer.close();
  }
  const { publishedOn } = JSON.parse(await text(manifest.bytes(lost)));
  const outcome = { ...run.outcome, files: { ...files, 'manifest.json': await measure(manifest, false, lost) } };
  return save({ ...run, stage: 'published', state: 'published', publishedOn, passes: [], outcome });
}

async function* vanishedIn(changes: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const line of changes) if (line.endsWith('"vanished"}')) yield String(lineOf(line).guid);
}

/** Identifiers are written as JSON numbers with every digit, as everywhere in the interface. */
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
      files: Object.fromEntries(Object.entries(files).filter(([name]) => isExportFile(name))),
    },
    undefined,
    2,
  );
  return `${text.slice(0, -2)},\n  "vanishedRelations": [${vanished.join(', ')}]\n}\n`;
}
