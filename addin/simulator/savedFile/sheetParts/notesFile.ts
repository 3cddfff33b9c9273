import { strFromU8 } from 'fflate';
import { type Position, parseArea } from '../../workbook/cells/address.ts';
import type { Note } from '../../workbook/sheet.ts';
import { elements, type ReadPart, relatedParts, withContents } from '../fileParts.ts';

/* Notes of cells in a file. The library writes them, but reads none of cells that are empty besides. */

type FoundNote = { at: Position; note: Note };

/** The notes of a sheet, its threaded comments among them: each of these is a note, with its replies as lines. */
export function notesIn(sheet: string, read: ReadPart): FoundNote[] {
  const threads = relatedParts(sheet, 'threadedComment', read).flatMap((path) => threadsIn(path, read));
  const inThreads = new Set(threads.map(({ at }) => `${at.row} ${at.column}`));
  const notes = relatedParts(sheet, 'comments', read).flatMap((path) => plainNotesIn(path, read));
  // Excel writes each thread once more as a note, for programs that do not know threads.
  return [...notes.filter(({ at }) => !inThreads.has(`${at.row} ${at.column}`)), ...threads];
}

function plainNotesIn(path: string, read: ReadPart): FoundNote[] {
  const xml = strFromU8(read(path) ?? new Uint8Array());
  const authors = withContents(xml, 'author').map(({ text }) => text);
  return withContents(xml, 'comment').flatMap(({ attributes: { ref = '', authorId }, contents }) => {
    const at = parseArea(ref);
    // A pronunciation has texts of its own.
    const spoken = contents.replace(/<(?:\w+:)?rPh\b.*?<\/(?:\w+:)?rPh>/gs, '');
    const text = withContents(spoken, 't')
      .map((part) => part.text)
      .join('');
    const author = authors[Number(authorId)]?.trim();
    return at === undefined ? [] : [{ at, note: { text, ...(author ? { author } : {}) } }];
  });
}

function threadsIn(path: string, read: ReadPart): FoundNote[] {
  const persons = elements(strFromU8(read('xl/persons/person.xml') ?? new Uint8Array()), 'person');
  const nameOf = (id: string | undefined) => persons.find((person) => person.id === id)?.displayName;
  const found = new Map<string, FoundNote>();
  for (const { attributes, contents } of withContents(strFromU8(read(path) ?? new Uint8Array()), 'threadedComment')) {
    const at = parseArea(attributes.ref ?? '');
    const text = withContents(contents, 'text')
      .map((part) => part.text)
      .join('');
    const author = nameOf(attributes.personId);
    const line = author === undefined ? text : `${author}: ${text}`;
    const before = found.get(attributes.ref ?? '');
    if (before !== undefined) before.note = { ...before.note, text: `${before.note.text}\n${line}` };
    else if (at) found.set(attributes.ref!, { at, note: { text: line, ...(author ? { author } : {}) } });
  }
  return [...found.values()];
}
