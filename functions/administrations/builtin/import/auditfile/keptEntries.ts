import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UnreadableFile } from '../../files/source.ts';
import { writingBack } from '../../sql/staging/writeBack.ts';
import { type Container, textOf, type XmlRecord } from './records.ts';
import type { OnRead } from './xml.ts';

/** Lines of one entry, which are held in memory together. */
const MAX_LINES = 100_000;

/** The elements of a line that an entry is made of, and those of its VAT. */
const ofLine = ['accID', 'amnt', 'amntTp', 'custSupID', 'invRef', 'docRef', 'cost', 'costID', 'desc'] as const;
const ofEntry = ['line', 'journalType', 'nr', 'date', 'description', 'lineCount'] as const;
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

/** No XML has this character. It is between the texts of an entry, and after each of them. */
const END = '\0';

/** Part of the kept entries: its bytes, in parts that are read together, and those of the file that were read for it. */
type Block = { parts: readonly number[]; length: number; bytesRead: number };

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
  const onWritten = writingBack(file);
  const blocks: Block[] = [];
  // Texts at once: many small objects would outlive collections of garbage.
  let entries: string[] = [];
  let lines: string[] = [];
  let lineCount = 0;
  let bytesRead = 0;
  return {
    line(record: XmlRecord): void {
      if (lineCount === MAX_LINES) {
        const expected = `expected at most ${MAX_LINES.toLocaleString('en')} lines in a transaction`;
        throw new UnreadableFile(record.line, expected);
      }
      lineCount++;
      for (const element of ofLine) lines.push(textOf(record, element));
      const vat = record.parts.find((part) => part.name === 'vat')?.values;
      lines.push(vat === undefined ? '' : 'vat');
      if (vat !== undefined) for (const element of ofVat) lines.push(vat.get(element) ?? '');
    },
    /** Ends the entry of the lines so far. */
    entry(transaction: Container, journal: Container | undefined): void {
      const texts = [
        String(transaction.line),
        journal === undefined ? '' : textOf(journal, 'jrnTp'),
        textOf(transaction, 'nr'),
        textOf(transaction, 'trDt'),
        textOf(transaction, 'desc'),
        String(lineCount),
        ...lines,
        '',
      ];
      entries.push(texts.join(END));
      lines = [];
      lineCount = 0;
    },
    onRead(bytes: number): void {
      bytesRead += bytes;
    },
    /** Writes the entries so far. */
    async store(): Promise<void> {
      if (entries.length === 0) return;
      const parts: Buffer[] = [];
      for (let start = 0; start < entries.length; start += MAX_TOGETHER) {
        parts.push(Buffer.from(entries.slice(start, start + MAX_TOGETHER).join('')));
      }
      entries = [];
      const content = Buffer.concat(parts);
      await file.writeFile(content);
      onWritten(content.length);
      blocks.push({ parts: parts.map((part) => part.length), length: content.length, bytesRead });
      bytesRead = 0;
    },
    /** All entries, some at a time, in the order of the file. @param onRead gets the bytes of the file once more */
    async *read(onRead: OnRead = () => {}): AsyncGenerator<KeptEntry[]> {
      let position = 0;
      for (const block of blocks) {
        onRead(block.bytesRead);
        const { buffer } = await file.read(Buffer.alloc(block.length), { position });
        position += block.length;
        let start = 0;
        for (const length of block.parts) {
          yield entriesOf(buffer.toString('utf8', start, start + length));
          start += length;
        }
      }
      onRead(bytesRead);
    },
    close: (): Promise<void> => file.close(),
  };
}

export type KeptEntries = Awaited<ReturnType<typeof keepEntries>>;

/** The entries of a text, as they were kept. */
function entriesOf(text: string): KeptEntry[] {
  const texts = text.split(END);
  const entries: KeptEntry[] = [];
  let at = 0;
  const next = <Names extends readonly string[]>({ length }: Names) => {
    at += length;
    return texts.slice(at - length, at) as TextsOf<Names>;
  };
  // The last text is what is behind the last END.
  while (at < texts.length - 1) {
    const [line, journalType, nr, date, description, lineCount] = next(ofEntry);
    const lines: KeptLine[] = [];
    while (lines.length < Number(lineCount)) {
      const ofOne = next(ofLine);
      lines.push({ texts: ofOne, vat: texts[at++] === '' ? undefined : next(ofVat) });
    }
    entries.push({ line: Number(line), journalType, nr, date, description, lines });
  }
  return entries;
}
