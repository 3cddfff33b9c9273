import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UnreadableFile } from '../../files/source.ts';
import { type Container, textOf, type XmlRecord } from './records.ts';
import type { OnRead } from './xml.ts';

/** Lines of one entry, which are held in memory together. */
const MAX_LINES = 100_000;

/** The elements of a line that an entry is made of, and those of its VAT. */
const ofLine = ['accID', 'amnt', 'amntTp', 'custSupID', 'invRef', 'docRef', 'cost', 'costID', 'desc'] as const;
const ofVat = ['vatID', 'vatPerc', 'vatAmnt', 'vatAmntTp'] as const;

/** The texts of elements in that order; "" for one that is not there. */
type TextsOf<Names extends readonly string[]> = { -readonly [Index in keyof Names]: string };
export type KeptLine = { texts: TextsOf<typeof ofLine>; vat: TextsOf<typeof ofVat> | undefined };

/** An entry of the file as texts, with the line on which it begins and the type of its journal. */
export type KeptEntry = {
  line: number;
  journalType: string;
  nr: string;
  date: string;
  description: string;
  lines: KeptLine[];
};

/** Entries that are read together. */
const MAX_TOGETHER = 100;

/** Part of the kept entries: its bytes, and those of the file that were read for it. */
type Block = { length: number; bytesRead: number };

/**
 * Keeps the entries of a file on disk while it is read, as what they are made of: relations and tax codes are known when
 * all of it was read, and reading it again would take far longer. Nobody but this process can open what is kept, and it
 * is gone when the process ends.
 */
export async function keepEntries() {
  const name = path.join(tmpdir(), `ledgerline-entries-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  // An open file without a name.
  await rm(name);
  const blocks: Block[] = [];
  let entries: KeptEntry[] = [];
  let lines: KeptLine[] = [];
  let bytesRead = 0;
  return {
    line(record: XmlRecord): void {
      if (lines.length === MAX_LINES) {
        const expected = `expected at most ${MAX_LINES.toLocaleString('en')} lines in a transaction`;
        throw new UnreadableFile(record.line, expected);
      }
      const vat = record.parts.find((part) => part.name === 'vat')?.values;
      lines.push({
        texts: ofLine.map((element) => textOf(record, element)) as KeptLine['texts'],
        vat: vat && (ofVat.map((element) => vat.get(element) ?? '') as KeptLine['vat']),
      });
    },
    /** Ends the entry of the lines so far. */
    entry(transaction: Container, journal: Container | undefined): void {
      entries.push({
        line: transaction.line,
        journalType: journal === undefined ? '' : textOf(journal, 'jrnTp'),
        nr: textOf(transaction, 'nr'),
        date: textOf(transaction, 'trDt'),
        description: textOf(transaction, 'desc'),
        lines,
      });
      lines = [];
    },
    onRead(bytes: number): void {
      bytesRead += bytes;
    },
    /** Writes the entries so far. */
    async store(): Promise<void> {
      if (entries.length === 0) return;
      // JSON has no line ends: each line is a part of the entries.
      const parts: string[] = [];
      for (let start = 0; start < entries.length; start += MAX_TOGETHER) {
        parts.push(JSON.stringify(entries.slice(start, start + MAX_TOGETHER)));
      }
      const content = Buffer.from(parts.join('\n'));
      entries = [];
      await file.writeFile(content);
      blocks.push({ length: content.length, bytesRead });
      bytesRead = 0;
    },
    /** All entries, some at a time, in the order of the file. @param onRead gets the bytes of the file once more */
    async *read(onRead: OnRead = () => {}): AsyncGenerator<KeptEntry[]> {
      let position = 0;
      for (const block of blocks) {
        onRead(block.bytesRead);
        const { buffer } = await file.read(Buffer.alloc(block.length), { position });
        position += block.length;
        for (const part of buffer.toString().split('\n')) yield JSON.parse(part);
      }
      onRead(bytesRead);
    },
    close: (): Promise<void> => file.close(),
  };
}

export type KeptEntries = Awaited<ReturnType<typeof keepEntries>>;
