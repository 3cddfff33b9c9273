import { strFromU8, unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';

/*
 * What Excel requires of a workbook's file, read from its parts alone: with none of the code that writes or opens files.
 */

type Element = { name: string; attributes: Record<string, string>; text: string; within: readonly string[] };

/** The elements of a part, without prefixes, each before those in it. Attributes of another namespace keep theirs. */
function elementsOf(xml: string): Element[] {
  const found: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ local, attributes }) => {
    const own = Object.values(attributes).map(({ name, value }) => [name, value] as const);
    const element = {
      name: local,
      attributes: Object.fromEntries(own),
      text: '',
      within: open.map(({ name }) => name),
    };
    found.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    if (open.length > 0) open.at(-1)!.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return found;
}

type Place = { row: number; column: number };
type Box = { first: Place; last: Place };

const placeOf = (address: string): Place => {
  const [, letters = '', digits = ''] = /^\$?([A-Z]+)\$?(\d+)$/.exec(address) ?? [];
  return { row: Number(digits), column: [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) };
};
const boxOf = (ref: string): Box => {
  const [first = '', last = first] = ref.split(':');
  return { first: placeOf(first), last: placeOf(last) };
};
const overlap = (one: Box, other: Box): boolean =>
  one.first.row <= other.last.row &&
  other.first.row <= one.last.row &&
  one.first.column <= other.last.column &&
  other.first.column <= one.last.column;

const repeated = (values: readonly string[]): string[] => values.filter((value, at) => values.indexOf(value) !== at);

type Table = { name: string; sheet: string; box: Box; columns: string[] };
type Names = { sheets: readonly string[]; tables: readonly Table[]; names: ReadonlySet<string> };

const WORD = String.raw`[\p{L}_\\][\p{L}\p{M}\p{N}_.\\?]*`;
const reference = new RegExp(
  [
    String.raw`(?<sheet>'(?:[^']|'')+'|[\p{L}\p{N}_.]+)!`,
    String.raw`(?<table>${WORD})(?<part>\[(?:[^[\]']|'.|\[(?:[^[\]']|'.)*\])*\])`,
    String.raw`(?<own>\[(?:[^[\]']|'.|\[(?:[^[\]']|'.)*\])*\])`,
    String.raw`(?<call>${WORD})\s*\(`,
    String.raw`\$?[A-Z]{1,3}\$?\d{1,7}(?![\p{L}\p{N}_.])|\$?[A-Z]{1,3}:\$?[A-Z]{1,3}(?![\p{L}\p{N}_.])`,
    String.raw`\d[\d.]*(?:E[+-]?\d+)?`,
    `(?<name>${WORD})`,
  ].join('|'),
  'giu',
);

/** What a formula refers to that is not there. */
function missingIn(formula: string, { sheets, tables, names }: Names): string[] {
  const text = formula.replaceAll(/"(?:[^"]|"")*"/g, '""');
  const missing = /#REF!/.test(text) ? ['#REF!'] : [];
  for (const { groups = {} } of text.replaceAll(/#[A-Z/]+[!?]?/g, '0').matchAll(reference)) {
    const { sheet, table: tableName, part, own, name } = groups;
    if (sheet !== undefined) {
      const plain = sheet.replace(/^'(.*)'$/, '$1').replaceAll("''", "'");
      if (!sheets.includes(plain)) missing.push(`the sheet ${plain}`);
    } else if (tableName !== undefined) {
      const table = tables.find((one) => one.name.toLowerCase() === tableName.toLowerCase());
      if (table === undefined) missing.push(`the table ${tableName}`);
      else
        for (const column of columnsIn(part!))
          if (!table.columns.includes(column)) missing.push(`${tableName}[${column}]`);
    } else if (own !== undefined) missing.push(`a table for ${own}`);
    else if (name !== undefined && !/^(?:TRUE|FALSE|_xlpm\..+)$/i.test(name)) {
      const isTable = tables.some((one) => one.name.toLowerCase() === name.toLowerCase());
      if (!isTable && !names.has(name.toLowerCase())) missing.push(`the name ${name}`);
    }
  }
  return missing;
}

/** The columns that a structured reference names. */
function columnsIn(part: string): string[] {
  const inner = part.slice(1, -1);
  const items = inner.startsWith('[')
    ? [...inner.matchAll(/\[((?:[^[\]']|'.)*)\]/g)].map(([, item]) => item!)
    : [inner.replace(/^@/, '')];
  return items.filter((item) => item !== '' && !item.startsWith('#')).map((item) => item.replaceAll(/'(.)/g, '$1'));
}

/** The cells with a value that lie under a chart, as `Sheet1!A1`. */
export function cellsUnderCharts(file: Uint8Array): string[] {
  const parts = unzipSync(file);
  const elements = (path: string) => (parts[path] === undefined ? [] : elementsOf(strFromU8(parts[path])));
  const related = (path: string, type: string): string[] =>
    elements(path.replace(/([^/]+)$/, '_rels/$1.rels'))
      .filter(({ name, attributes }) => name === 'Relationship' && attributes.Type!.endsWith(`/${type}`))
      .map(({ attributes }) => new URL(attributes.Target!, `http://file/${path}`).pathname.slice(1));
  const covered: string[] = [];
  for (const path of Object.keys(parts).filter((one) => /^xl\/worksheets\/[^/]+\.xml$/.test(one))) {
    const filled: string[] = [];
    let address = '';
    for (const { name, attributes, text } of elements(path)) {
      if (name === 'c') address = attributes.r!;
      else if ((name === 'v' || name === 't') && text !== '') filled.push(address);
    }
    for (const drawing of related(path, 'drawing')) {
      const numbers = (corner: string, part: string) =>
        elements(drawing)
          .filter(({ name, within }) => name === part && within.at(-1) === corner)
          .map(({ text }) => Number(text));
      const [left, top, right, bottom] = [
        numbers('from', 'col'),
        numbers('from', 'row'),
        numbers('to', 'col'),
        numbers('to', 'row'),
      ] as const;
      const [across, down] = [numbers('to', 'colOff'), numbers('to', 'rowOff')] as const;
      for (const [index, first] of left.entries()) {
        // It reaches into its last column and row, unless it ends where these begin.
        const last = {
          column: right[index]! + (across[index]! > 0 ? 1 : 0),
          row: bottom[index]! + (down[index]! > 0 ? 1 : 0),
        };
        const box = { first: { column: first + 1, row: top[index]! + 1 }, last };
        covered.push(...filled.filter((one) => overlap(boxOf(one), box)).map((one) => `${path} ${one}`));
      }
    }
  }
  return covered;
}

/** What Excel would not accept, or repair, in the file of a workbook; empty when there is nothing. */
export function workbookProblems(file: Uint8Array): string[] {
  const parts = unzipSync(file);
  const problems: string[] = [];
  const check = (isRight: boolean, problem: string) => {
    if (!isRight) problems.push(problem);
  };
  const paths = Object.keys(parts);
  const cache = new Map<string, Element[]>();
  const elements = (path: string): Element[] => {
    let found = cache.get(path);
    if (found === undefined) {
      found = parts[path] === undefined ? [] : elementsOf(strFromU8(parts[path]));
      cache.set(path, found);
    }
    return found;
  };
  const all = (path: string, name: string, parent?: string) =>
    elements(path).filter((one) => one.name === name && (parent === undefined || one.within.at(-1) === parent));
  const values = (path: string, name: string, attribute: string) =>
    all(path, name).flatMap(({ attributes }) => attributes[attribute] ?? []);

  const types = '[Content_Types].xml';
  const extensions = values(types, 'Default', 'Extension').map((one) => one.toLowerCase());
  const overrides = values(types, 'Override', 'PartName');
  for (const name of repeated(overrides)) problems.push(`${name} has two types`);
  for (const name of overrides) check(parts[name.slice(1)] !== undefined, `${name} has a type and is not there`);
  for (const path of paths.filter((one) => one !== types && !one.endsWith('/'))) {
    // What is only known as XML is none of the parts of a workbook.
    const isOfBook = path.startsWith('xl/') && path.endsWith('.xml');
    const isKnown = !isOfBook && extensions.includes(path.split('.').at(-1)!.toLowerCase());
    const hasType = overrides.includes(`/${path}`) || isKnown;
    check(hasType, `${path} has no type`);
  }

  /** The parts that a part is related to, by the ids. */
  const relations = (path: string): Map<string, string> => {
    const at = path.lastIndexOf('/') + 1;
    const own = `${path.slice(0, at)}_rels/${path.slice(at)}.rels`;
    return new Map(
      all(own, 'Relationship').map(({ attributes: { Id = '', Target = '', TargetMode } }) => [
        Id,
        TargetMode === 'External' ? '' : new URL(Target, `http://file/${path}`).pathname.slice(1),
      ]),
    );
  };
  for (const path of paths.filter((one) => /\.(?:xml|vml)$/.test(one) && one !== types)) {
    const related = relations(path);
    const ids = all(`${path.replace(/[^/]+$/, '')}_rels/${path.replace(/^.*\//, '')}.rels`, 'Relationship');
    check(ids.length === related.size, `${path} has two relations with the same id`);
    for (const [id, target] of related)
      check(target === '' || parts[target] !== undefined, `${path} ${id}: no ${target}`);
    for (const { name, attributes } of elements(path)) {
      for (const [attribute, id] of Object.entries(attributes)) {
        if (/^r:(?:id|embed|link|pict)$/.test(attribute))
          check(related.has(id), `${path}: ${name} has no relation ${id}`);
      }
    }
  }

  const book = 'xl/workbook.xml';
  const ofBook = relations(book);
  const sheets = all(book, 'sheet', 'sheets').map(({ attributes }) => ({
    name: attributes.name!,
    id: attributes.sheetId!,
    path: ofBook.get(attributes['r:id']!) ?? '',
  }));
  for (const name of repeated(sheets.map((one) => one.name.toLowerCase()))) problems.push(`two sheets ${name}`);
  for (const id of repeated(sheets.map((one) => one.id))) problems.push(`two sheets with the id ${id}`);
  for (const { name } of sheets) check(/^(?!')[^\\/?*[\]:]{1,31}(?<!')$/.test(name), `the name of the sheet ${name}`);

  const shared = all('xl/sharedStrings.xml', 'si', 'sst');
  const texts = elements('xl/sharedStrings.xml');
  const textOfShared: string[] = [];
  for (const element of texts) {
    if (element.name === 'si') textOfShared.push('');
    else if (element.name === 't' && !element.within.includes('rPh'))
      textOfShared[textOfShared.length - 1] += element.text;
  }

  const styles = 'xl/styles.xml';
  const count = (name: string, parent: string) => all(styles, name, parent).length;
  const counts = {
    fontId: count('font', 'fonts'),
    fillId: count('fill', 'fills'),
    borderId: count('border', 'borders'),
    xfId: count('xf', 'cellStyleXfs'),
  };
  const cellFormats = count('xf', 'cellXfs');
  const formats = count('dxf', 'dxfs');
  const numberFormats = new Set(values(styles, 'numFmt', 'numFmtId'));
  for (const { attributes, within } of all(styles, 'xf')) {
    for (const [name, most] of Object.entries(counts)) {
      if (name === 'xfId' && within.at(-1) === 'cellStyleXfs') continue;
      check(Number(attributes[name] ?? 0) < Math.max(1, most), `a style has no ${name} ${attributes[name]}`);
    }
    const format = attributes.numFmtId ?? '0';
    check(Number(format) < 164 || numberFormats.has(format), `a style has no number format ${format}`);
  }

  const tables: Table[] = [];
  const tableIds: string[] = [];
  const cells = new Map<string, Map<string, string>>();
  for (const { name: sheet, path } of sheets) {
    const shown = new Map<string, string>();
    cells.set(sheet, shown);
    let [cell, before]: [Element | undefined, Place] = [undefined, { row: 0, column: 0 }];
    for (const element of elements(path)) {
      const { name, attributes, text } = element;
      const style = attributes[name === 'col' ? 'style' : 's'];
      if (['c', 'row', 'col'].includes(name) && style !== undefined)
        check(Number(style) < cellFormats, `${sheet}: no style ${style}`);
      if (name === 'c') {
        const place = placeOf(attributes.r!);
        const isNext = place.row > before.row || (place.row === before.row && place.column > before.column);
        check(isNext, `${sheet}!${attributes.r} comes after a later cell`);
        [cell, before] = [element, place];
      } else if (name === 'v' && cell?.attributes.t === 's') {
        check(Number(text) < shared.length, `${sheet}!${cell.attributes.r} has no text ${text}`);
        shown.set(cell.attributes.r!, textOfShared[Number(text)] ?? '');
      } else if ((name === 'v' || name === 't') && cell !== undefined) shown.set(cell.attributes.r!, text);
      if (name === 'cfRule' && attributes.dxfId !== undefined)
        check(Number(attributes.dxfId) < formats, `${sheet}: no format ${attributes.dxfId}`);
    }
    const merged = values(path, 'mergeCell', 'ref').map(boxOf);
    for (const [index, one] of merged.entries())
      check(!merged.slice(0, index).some((other) => overlap(one, other)), `${sheet}: merged cells overlap`);
    const related = relations(path);
    for (const id of values(path, 'tablePart', 'r:id')) {
      const part = related.get(id) ?? '';
      const [table] = all(part, 'table');
      if (table === undefined) continue;
      const { ref = '', displayName = '', name = '', id: tableId = '', headerRowCount = '1' } = table.attributes;
      const box = boxOf(ref);
      const columns = values(part, 'tableColumn', 'name');
      check(name === displayName, `the table ${name} is shown as ${displayName}`);
      check(
        columns.length === box.last.column - box.first.column + 1,
        `${name} has ${columns.length} columns in ${ref}`,
      );
      check(repeated(columns.map((one) => one.toLowerCase())).length === 0, `${name} has two columns of a name`);
      check(repeated(values(part, 'tableColumn', 'id')).length === 0, `${name} has two columns of an id`);
      check(all(part, 'tableColumns')[0]?.attributes.count === String(columns.length), `${name} counts its columns`);
      for (const [index, column] of columns.entries()) {
        const address = `${lettersOf(box.first.column + index)}${box.first.row}`;
        const heading = shown.get(address);
        const written = column.replaceAll(/_x000A_/gi, '\n');
        check(headerRowCount === '0' || heading === written, `${name}: ${heading} stands above ${column}`);
      }
      for (const filter of values(part, 'autoFilter', 'ref')) check(overlap(boxOf(filter), box), `${name}: its filter`);
      const beside = tables.find((other) => other.sheet === sheet && overlap(other.box, box));
      check(beside === undefined, `${name} and ${beside?.name} overlap`);
      check(!merged.some((one) => overlap(one, box)), `${name} has merged cells`);
      tables.push({ name, sheet, box, columns });
      tableIds.push(tableId);
    }
  }
  for (const id of repeated(tableIds)) problems.push(`two tables with the id ${id}`);

  const defined = all(book, 'definedName');
  const scoped = defined.map(({ attributes }) => `${attributes.localSheetId ?? ''} ${attributes.name!.toLowerCase()}`);
  for (const name of repeated(scoped)) problems.push(`two names ${name}`);
  for (const { attributes } of defined) {
    const { localSheetId } = attributes;
    check(localSheetId === undefined || Number(localSheetId) < sheets.length, `${attributes.name} is of no sheet`);
  }
  const ofWorkbook = new Set(defined.map(({ attributes }) => attributes.name!.toLowerCase()));
  for (const { name } of tables) check(!ofWorkbook.has(name.toLowerCase()), `a table and a name ${name}`);
  for (const name of repeated(tables.map((one) => one.name.toLowerCase()))) problems.push(`two tables ${name}`);

  const known: Names = { sheets: sheets.map(({ name }) => name), tables, names: ofWorkbook };
  const checkFormula = (where: string, formula: string) => {
    for (const missing of missingIn(formula, known)) problems.push(`${where}: ${missing} is missing in ${formula}`);
  };
  for (const { attributes, text } of defined) checkFormula(`the name ${attributes.name}`, text);
  for (const { name: sheet, path } of sheets) {
    for (const { text } of all(path, 'f', 'c')) if (text !== '') checkFormula(sheet, text);
    for (const { text } of all(path, 'formula', 'cfRule')) checkFormula(`a format of ${sheet}`, text);
    for (const name of ['formula1', 'formula2']) {
      for (const { text } of all(path, name)) {
        if (text.startsWith('"')) check(text.length <= 257, `${sheet}: a list of ${text.length - 2} characters`);
        else checkFormula(`a validation of ${sheet}`, text);
      }
    }
  }
  for (const path of paths.filter((one) => /^xl\/charts\/chart[^/]*\.xml$/.test(one))) {
    for (const { text } of all(path, 'f')) checkFormula(path, text);
  }
  return problems;
}

const lettersOf = (column: number): string =>
  column === 0 ? '' : lettersOf(Math.floor((column - 1) / 26)) + String.fromCharCode(65 + ((column - 1) % 26));
