import { ExcelError } from '../workbook/cells/error.ts';
import type { Sheet } from '../workbook/sheet.ts';
import type { Workbook } from '../workbook/workbook.ts';
import { argument, collection, hostObject, type Kind, type Kinds, stored } from './hostObject.ts';
import type { Entry, EntryTarget } from './targets.ts';

/** Excel's desktop editions cut off custom properties of the workbook at this length. */
const MAX_TEXT_LENGTH = 255;

const fold = (key: unknown): string => String(key).toLowerCase();

const keyArgument = (key: unknown): string => {
  const text = argument.text(key);
  if (text === '' || text.length > 255) throw new ExcelError('InvalidArgument');
  return text;
};

const typeOf = (value: unknown): string => {
  if (typeof value === 'number') return Number.isInteger(value) ? 'Number' : 'Float';
  return typeof value === 'boolean' ? 'Boolean' : 'String';
};

/** A collection of keys with values, and its items. Only the custom properties of the workbook have types. */
const entryKinds = <Owner>(
  itemName: 'CustomProperty' | 'Setting' | 'WorksheetCustomProperty',
  entriesOf: (owner: Owner) => Map<string, Entry>,
  check: (value: unknown, owner?: Owner) => unknown,
  isTyped: boolean,
): { item: Kind<EntryTarget>; all: Kind<Owner> } => ({
  item: {
    id: ({ entry }) => entry.key,
    scalars: {
      Key: { get: ({ entry }) => entry.key },
      Value: stored(({ entry }: EntryTarget) => entry, 'value', check),
      ...(isTyped ? { Type: { get: ({ entry }: EntryTarget) => typeOf(entry.value) } } : {}),
    },
    methods: { Delete: ({ entries, entry }) => void entries.delete(fold(entry.key)) },
  },
  all: collection(
    itemName,
    (owner) => [...entriesOf(owner).values()].map((entry) => ({ entries: entriesOf(owner), entry })),
    (owner, key) => {
      const entry = entriesOf(owner).get(fold(key));
      return entry && { entries: entriesOf(owner), entry };
    },
    ['GetCount', 'GetItemOrNullObject'],
    {
      Add: (owner, [key, value]) => {
        const entries = entriesOf(owner);
        const known = entries.get(fold(keyArgument(key)));
        const entry = { key: known?.key ?? key, value: check(value, owner) };
        entries.set(fold(key), entry);
        return hostObject(itemName, { entries, entry });
      },
      ...(isTyped ? { DeleteAll: (owner: Owner) => entriesOf(owner).clear() } : {}),
    },
  ),
});

const worksheetProperties = entryKinds<Sheet>(
  'WorksheetCustomProperty',
  ({ customProperties }) => customProperties as Map<string, Entry>,
  // The limit of a sheet is not documented; a workbook option lowers it.
  (value, sheet) => argument.text(value).slice(0, sheet?.workbook.maxPropertyLength),
  false,
);

const customProperties = entryKinds<Workbook>(
  'CustomProperty',
  ({ customProperties }) => customProperties,
  (value) => {
    if (!['string', 'number', 'boolean'].includes(typeof value)) throw new ExcelError('InvalidArgument');
    return typeof value === 'string' ? value.slice(0, MAX_TEXT_LENGTH) : value;
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

const documentTexts = ['Author', 'Category', 'Comments', 'Company', 'Keywords', 'Manager', 'Subject', 'Title'];

const documentText = (name: string) => ({
  get: ({ properties }: Workbook) => properties[name] ?? '',
  set: ({ properties }: Workbook, value: unknown) => {
    properties[name] = argument.text(value);
  },
});

export const propertyKinds = {
  CustomProperty: customProperties.item,
  CustomPropertyCollection: customProperties.all,
  DocumentProperties: {
    scalars: {
      ...Object.fromEntries(documentTexts.map((name) => [name, documentText(name)])),
      LastAuthor: { get: ({ properties }) => properties.Author ?? '' },
      RevisionNumber: {
        get: ({ properties }) => properties.RevisionNumber ?? 0,
        set: ({ properties }, value) => {
          properties.RevisionNumber = argument.integer(value);
        },
      },
    },
    children: { Custom: (workbook) => hostObject('CustomPropertyCollection', workbook) },
  },
  Setting: settings.item,
  SettingCollection: settings.all,
  WorksheetCustomProperty: worksheetProperties.item,
  WorksheetCustomPropertyCollection: worksheetProperties.all,
} satisfies Partial<Kinds>;
