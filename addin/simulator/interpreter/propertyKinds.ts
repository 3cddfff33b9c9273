import { ExcelError } from '../workbook/cells/error.ts';
import type { Sheet } from '../workbook/sheet.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { collection, given, hostObject, type Kind, type Kinds } from './hostObject.ts';
import type { Entry, EntryTarget } from './targets.ts';

const fold = (key: unknown): string => String(key).toLowerCase();

const keyOf = (key: unknown): string => {
  if (given.text(key) === '' || (key as string).length > 255) throw new ExcelError('InvalidArgument');
  return key as string;
};

const forget = ({ entries, entry }: EntryTarget) => void entries.delete(fold(entry.key));

/** The three collections of key and value differ in what they take for a value. */
const entryKinds = <Owner>(
  itemName: 'CustomProperty' | 'Setting' | 'WorksheetCustomProperty',
  entriesOf: (owner: Owner) => Map<string, Entry>,
  check: (value: unknown, owner?: Owner) => unknown,
  typed: boolean,
): { item: Kind<EntryTarget>; collection: Kind<Owner> } => {
  const item: Kind<EntryTarget> = {
    id: ({ entry }) => entry.key,
    scalars: {
      Key: { get: ({ entry }) => entry.key },
      Value: {
        get: ({ entry }) => entry.value,
        set: ({ entry }, value) => {
          entry.value = check(value);
        },
      },
      ...(typed ? { Type: { get: ({ entry }: EntryTarget) => typeName(entry.value) } } : {}),
    },
    methods: { Delete: forget },
  };
  const shared = collection<Owner, typeof itemName>(
    itemName,
    (owner) => [...entriesOf(owner).values()].map((entry) => ({ entries: entriesOf(owner), entry })),
    (owner, key) => {
      const entry = entriesOf(owner).get(fold(key));
      return entry && { entries: entriesOf(owner), entry };
    },
  );
  const { GetCount, GetItemOrNullObject } = shared.methods;
  const all: Kind<Owner> = {
    items: shared.items!,
    item: shared.item!,
    methods: {
      GetCount,
      GetItemOrNullObject,
      Add: (owner, [key, value]) => {
        const entries = entriesOf(owner);
        const known = entries.get(fold(keyOf(key)));
        const entry = { key: known?.key ?? key, value: check(value, owner) };
        entries.set(fold(key), entry);
        return hostObject(itemName, { entries, entry });
      },
      ...(typed ? { DeleteAll: (owner: Owner) => entriesOf(owner).clear() } : {}),
    },
  };
  return { item, collection: all };
};

const typeName = (value: unknown): string => {
  if (typeof value === 'number') return Number.isInteger(value) ? 'Number' : 'Float';
  return typeof value === 'boolean' ? 'Boolean' : 'String';
};

const worksheetProperties = entryKinds<Sheet>(
  'WorksheetCustomProperty',
  ({ customProperties }) => customProperties as Map<string, Entry>,
  // The limit of a sheet is not documented; a workbook option lowers it.
  (value, sheet) => given.text(value).slice(0, sheet?.workbook.maxPropertyLength),
  false,
);

const customProperties = entryKinds<Workbook>(
  'CustomProperty',
  ({ customProperties }) => customProperties,
  (value) => {
    if (!['string', 'number', 'boolean'].includes(typeof value)) throw new ExcelError('InvalidArgument');
    // Excel's desktop editions cut longer texts off.
    return typeof value === 'string' ? value.slice(0, 255) : value;
  },
  true,
);

const settings = entryKinds<Workbook>(
  'Setting',
  ({ settings }) => settings as Map<string, Entry>,
  (value) => {
    if (value === undefined) throw new ExcelError('InvalidArgument');
    return value;
  },
  false,
);

const documentText = (name: string) => ({
  get: ({ properties }: Workbook) => properties[name] ?? '',
  set: ({ properties }: Workbook, value: unknown) => {
    properties[name] = given.text(value);
  },
});

const documentPropertiesKind: Kind<Workbook> = {
  scalars: {
    Author: documentText('author'),
    Category: documentText('category'),
    Comments: documentText('comments'),
    Company: documentText('company'),
    Keywords: documentText('keywords'),
    LastAuthor: { get: ({ properties }) => properties.author ?? '' },
    Manager: documentText('manager'),
    RevisionNumber: {
      get: ({ properties }) => properties.revision ?? 0,
      set: ({ properties }, value) => {
        properties.revision = given.whole(value);
      },
    },
    Subject: documentText('subject'),
    Title: documentText('title'),
  },
  children: { Custom: (workbook) => hostObject('CustomPropertyCollection', workbook) },
};

export const propertyKinds = {
  CustomProperty: customProperties.item,
  CustomPropertyCollection: customProperties.collection,
  DocumentProperties: documentPropertiesKind,
  Setting: settings.item,
  SettingCollection: settings.collection,
  WorksheetCustomProperty: worksheetProperties.item,
  WorksheetCustomPropertyCollection: worksheetProperties.collection,
} satisfies Partial<Kinds>;
