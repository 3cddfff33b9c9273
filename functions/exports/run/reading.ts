import { createHash } from 'node:crypto';
import { setImmediate as otherWork } from 'node:timers/promises';
import { wholeListInOrder } from '../../../shared/client/wholeList.ts';
import { pauses } from '../../../shared/inSteps.ts';
import { Problem } from '../../../shared/problem.ts';
import { readRequest } from '../../../shared/readRequest.ts';
import { relation } from '../../../shared/resources/relation.ts';
import { encodeEach } from '../../../shared/wire/encode.ts';
import type { RelationSource } from '../../administrations/administration.ts';
import { BLOCK_BYTES, openUploads } from './exportFiles.ts';
import type { ExportFolder } from './folders.ts';
import { type Line, lineOf } from './merge.ts';
import { afterPass, type ReadingPass, type Run } from './run.ts';

/** The dependencies of the stages. */
export type StageContext = {
  folder: ExportFolder;
  open(signal: AbortSignal): Promise<RelationSource>;
  /** Seconds since 1970. */
  now: () => number;
  /** The time zone of moments in the workbook. */
  timeZone: string;
  /** Aborted when another worker may have begun. */
  lost: AbortSignal;
  /** Aborted when another message is to continue. */
  over: AbortSignal;
  /** Stores a run. @returns the stored run @throws Overtaken */
  save(run: Run): Promise<Run>;
  /** How many relations the export before had: a list without any is a failure then. 0: it is believed. */
  expected: number;
  onProgress(stage: Run['stage'], relations: number): void;
};

/** The name of the file of a pass. */
export const passFile = (index: number): string => `pass-${index + 1}.jsonl`;

/** Continues the last pass of a run, block by block. */
export async function read(
  started: Run,
  { folder, open, now, lost, over, save, expected, onProgress }: StageContext,
): Promise<Run> {
  let run = started;
  const index = run.passes.length - 1;
  const blob = await folder.unfinished(run.date, passFile(index));
  const signal = AbortSignal.any([lost, over]);
  let pass = run.passes[index]!;
  const change = (changes: Partial<ReadingPass>): Run => ({
    ...run,
    passes: run.passes.with(index, { ...pass, ...changes }),
  });

  let lines: string[] = [];
  let length = 0;
  let { place, relations, digest } = pass;
  const uploads = openUploads();
  let saved: Promise<void> = Promise.resolve();
  /** Uploads a block, then records that it and all earlier ones were read; reading continues meanwhile. */
  const flush = async () => {
    if (lines.length === 0) return;
    const bytes = linesToBytes(lines, length);
    const reached = { place, relations, digest };
    lines = [];
    length = 0;
    await uploads.begin(() => {
      const before = saved;
      saved = (async () => {
        const block = await blob.stage(bytes, lost);
        await before;
        run = await save(change({ ...reached, blocks: [...pass.blocks, block] }));
        pass = run.passes[index]!;
      })();
      return saved;
    });
  };

  const pageFrom = pagesOf(await open(signal), pass);
  // A page of our own database comes without a turn for others.
  const pause = pauses(otherWork);
  try {
    const pages = wholeListInOrder(pageFrom, ({ guid }) => guid, { place, signal });
    for await (const { rows, place: after } of pages) {
      for (const { text } of rows) {
        lines.push(text);
        length += Buffer.byteLength(text) + 1;
        if (index > 0) digest = createHash('sha256').update(digest).update(text).digest('hex');
      }
      relations += rows.length;
      place = after;
      onProgress('reading', relations);
      if (length >= BLOCK_BYTES) await flush();
      await pause();
    }
  } catch (failure) {
    if (lost.aborted || !over.aborted) {
      // Nothing more may be stored once the failure is recorded.
      await uploads.end().catch(() => {});
      throw failure;
    }
    await flush();
    await uploads.end();
    return run;
  }
  if (pass.since === null && relations === 0 && expected > 0) {
    // A service that fails for a moment may answer so, and all relations would have vanished until the next full export.
    throw new Problem('REMOTE_FAILED', `The service lists no relations; in the export before it had ${expected}.`);
  }
  await flush();
  await uploads.end();
  await blob.commit(pass.blocks, lost);
  run = change({ blocks: [] });
  return save({ ...run, ...afterPass(run, now()) });
}

/** Lines in UTF-8, without joining them to one text first. @param length of all lines, in bytes */
function linesToBytes(lines: readonly string[], length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const line of lines) {
    at += bytes.write(line, at);
    at = bytes.writeUInt8(10, at);
  }
  return bytes;
}

/** Reads the relations of a pass from an offset. When that is the last row read, its GUID is passed to find it. */
function pagesOf(source: RelationSource, { since, place }: ReadingPass): (offset: number) => Promise<Line[]> {
  let last = place.last === '' ? undefined : { offset: place.position - 1, guid: BigInt(place.last) };
  return async (offset) => {
    const lines = await page(source, since, offset, last?.offset === offset ? last.guid : undefined);
    if (lines.length > 0) last = { offset: offset + lines.length - 1, guid: lines.at(-1)!.guid };
    return lines;
  };
}

async function page(
  source: RelationSource,
  since: number | null,
  offset: number,
  from: bigint | undefined,
): Promise<Line[]> {
  const { request } = readRequest('listrelations', {
    Offset: offset,
    Limit: 200,
    Sorting: 'RelationGUID',
    SortDir: 'ASC',
    ...(since === null ? {} : { ChangedSince: since }),
  });
  const texts = encodeEach(relation, await source.listrelations(request, from));
  return texts.map((text) => {
    try {
      return lineOf(text);
    } catch (cause) {
      throw new Problem('REMOTE_FAILED', 'The service answered a relation without a RelationGUID.', { cause });
    }
  });
}
