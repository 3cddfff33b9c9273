import { parseArea } from '../workbook/cells/address.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { findName, type NamedItem } from '../workbook/names.ts';
import { resolveReference } from '../workbook/reference.ts';
import { allTables, findTable } from '../workbook/table.ts';
import {
  collection,
  existing,
  given,
  type HostObject,
  hostObject,
  isOfKind,
  type Kind,
  type Kinds,
} from './hostObject.ts';
import { rangeOf, referenceTo } from './ranges.ts';
import type { NamesTarget, NameTarget } from './targets.ts';

const listOf = ({ workbook, scope }: NamesTarget): NamedItem[] => scope?.names ?? workbook.names;

const rangeNamed = ({ workbook, item }: NameTarget): HostObject | undefined => {
  const found = resolveReference(workbook, item.formula, item.scope ?? workbook.active);
  return found && rangeOf(found.sheet, found.area);
};

const meaningOf = (target: NameTarget): unknown => {
  const { formula } = target.item;
  if (rangeNamed(target)) return formula.slice(1);
  const constant = formula.slice(1);
  return constant !== '' && Number.isFinite(Number(constant)) ? Number(constant) : constant;
};

const nameKind: Kind<NameTarget> = {
  id: ({ item }) => item.name,
  scalars: {
    Name: { get: ({ item }) => item.name },
    Comment: {
      get: ({ item }) => item.comment,
      set: ({ item }, value) => {
        item.comment = given.text(value);
      },
    },
    Formula: {
      get: ({ item }) => item.formula,
      set: ({ item }, value) => {
        if (!given.text(value).startsWith('=')) throw new ExcelError('InvalidArgument');
        item.formula = value as string;
      },
    },
    Scope: { get: ({ item }) => (item.scope ? 'Worksheet' : 'Workbook') },
    Type: {
      get: (target) => {
        if (rangeNamed(target)) return 'Range';
        return typeof meaningOf(target) === 'number' ? 'Double' : 'String';
      },
    },
    Value: { get: meaningOf },
    Visible: {
      get: ({ item }) => item.visible,
      set: ({ item }, value) => {
        item.visible = given.truth(value);
      },
    },
  },
  children: {
    Worksheet: ({ item }) => hostObject('Worksheet', existing(item.scope)),
    WorksheetOrNullObject: ({ item }) => (item.scope ? hostObject('Worksheet', item.scope) : null),
  },
  methods: {
    Delete: ({ workbook, item }) => {
      if (item.scope) item.scope.names = item.scope.names.filter((other) => other !== item);
      else workbook.names = workbook.names.filter((other) => other !== item);
    },
    GetRange: (target) => existing(rangeNamed(target)),
    GetRangeOrNullObject: (target) => rangeNamed(target) ?? null,
  },
};

const names = collection<NamesTarget, 'NamedItem'>(
  'NamedItem',
  (target) => listOf(target).map((item) => ({ workbook: target.workbook, item })),
  (target, key) => {
    const item = findName(listOf(target), key);
    return item && { workbook: target.workbook, item };
  },
);

const meaning = (reference: unknown): string => {
  if (isOfKind(reference, 'Range')) return referenceTo(reference.target);
  const written = given.text(reference);
  return written.startsWith('=') ? written : `=${written}`;
};

const namedItemsKind: Kind<NamesTarget> = {
  items: names.items!,
  item: names.item!,
  methods: {
    GetCount: names.methods.GetCount,
    GetItemOrNullObject: names.methods.GetItemOrNullObject,
    Add: (target, [name, reference, comment]) => {
      const { workbook, scope } = target;
      const fits =
        /^[\p{L}_\\][\p{L}\p{N}_.\\?]{0,254}$/u.test(given.text(name)) && !parseArea(name) && !/^[rc]$/i.test(name);
      if (!fits || findTable(allTables(workbook), name)) throw new ExcelError('InvalidArgument');
      if (findName(listOf(target), name)) throw new ExcelError('ItemAlreadyExists');
      const item: NamedItem = {
        id: String(workbook.nextId()),
        name,
        formula: meaning(reference),
        comment: comment ?? '',
        visible: true,
        scope,
      };
      listOf(target).push(item);
      return hostObject('NamedItem', { workbook, item });
    },
  },
};

export const nameKinds = {
  NamedItem: nameKind,
  NamedItemCollection: namedItemsKind,
} satisfies Partial<Kinds>;
