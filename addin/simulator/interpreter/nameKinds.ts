import { parseArea } from '../workbook/cells/address.ts';
import { type CellValue, isErrorValue } from '../workbook/cells/entry.ts';
import { ExcelError } from '../workbook/cells/error.ts';
import { withSheet } from '../workbook/cells/formulas/formula.ts';
import { isNameText } from '../workbook/cells/formulas/formulaTokens.ts';
import { findName, type NamedItem } from '../workbook/names.ts';
import { resolveReference } from '../workbook/reference.ts';
import { allTables, findTable } from '../workbook/table.ts';
import type { Workbook } from '../workbook/workbook.ts';
import {
  argument,
  collection,
  existing,
  type HostObject,
  hostObject,
  isOfKind,
  type Kinds,
  stored,
  withNullObject,
} from './hostObject.ts';
import { rangeOf, referenceTo } from './ranges.ts';
import type { NamesTarget, NameTarget } from './targets.ts';

const listOf = ({ workbook, scope }: NamesTarget): NamedItem[] => scope?.names ?? workbook.names;

const rangeNamed = ({ workbook, item }: NameTarget): HostObject | undefined => {
  const found = resolveReference(workbook, item.formula, item.scope ?? workbook.active);
  return found && rangeOf(found.sheet, found.area);
};

/** The address of the cells that a name is for, or the values of its formula, which without a calculator is a text. */
const meaningOf = (target: NameTarget): string | CellValue[][] => {
  const { formula, scope } = target.item;
  if (rangeNamed(target)) return formula.slice(1);
  const constant = formula.slice(1);
  if (constant !== '' && Number.isFinite(Number(constant))) return [[Number(constant)]];
  return target.workbook.evaluate(formula, scope ?? target.workbook.active) ?? [[constant]];
};

const typeOf = (values: CellValue[][]): string => {
  const value = values[0]![0]!;
  if (values.length > 1 || values[0]!.length > 1) return 'Array';
  if (isErrorValue(value)) return 'Error';
  return ({ number: 'Double', boolean: 'Boolean', string: 'String' } as const)[typeof value as 'string'];
};

/** The formula of a name, from a range or a text: its cells are named with their sheet. */
const formulaFor = ({ workbook, scope }: NamesTarget, reference: unknown): string => {
  if (isOfKind(reference, 'Range')) return referenceTo(reference.target);
  const written = argument.text(reference);
  return withSheet(written.startsWith('=') ? written : `=${written}`, (scope ?? workbook.active).name);
};

const namesChanged = ({ workbook }: { workbook: Workbook }): void => workbook.emit({ kind: 'names' });

const itemOf = ({ item }: NameTarget): NamedItem => item;

export const nameKinds = {
  NamedItem: {
    id: ({ item }) => item.name,
    scalars: {
      Name: { get: ({ item }) => item.name },
      Comment: stored(itemOf, 'comment', argument.text),
      Formula: {
        get: ({ item }) => item.formula,
        set: ({ workbook, item }, value) => {
          if (!argument.text(value).startsWith('=')) throw new ExcelError('InvalidArgument');
          item.formula = formulaFor({ workbook, scope: item.scope }, value);
          namesChanged({ workbook });
        },
      },
      Scope: { get: ({ item }) => (item.scope ? 'Worksheet' : 'Workbook') },
      Type: {
        get: (target) => {
          const meaning = meaningOf(target);
          return typeof meaning === 'string' ? 'Range' : typeOf(meaning);
        },
      },
      Value: {
        get: (target) => {
          const meaning = meaningOf(target);
          return typeof meaning === 'string' ? meaning : meaning[0]![0];
        },
      },
      Visible: stored(itemOf, 'visible', argument.boolean),
    },
    children: {
      Worksheet: ({ item }) => hostObject('Worksheet', existing(item.scope)),
    },
    methods: {
      Delete: ({ workbook, item }) => {
        const owner = item.scope ?? workbook;
        owner.names = owner.names.filter((other) => other !== item);
        namesChanged({ workbook });
      },
      ...withNullObject('GetRange', rangeNamed),
    },
  },

  NamedItemCollection: collection(
    'NamedItem',
    (target) => listOf(target).map((item) => ({ workbook: target.workbook, item })),
    (target, key) => {
      const item = findName(listOf(target), key);
      return item && { workbook: target.workbook, item };
    },
    ['GetCount', 'GetItemOrNullObject'],
    {
      Add: (target, [name, reference, comment]) => {
        const { workbook, scope } = target;
        const isValid = isNameText(argument.text(name)) && !parseArea(name) && !/^[rc]$/i.test(name);
        if (!isValid || findTable(allTables(workbook), name)) throw new ExcelError('InvalidArgument');
        if (findName(listOf(target), name)) throw new ExcelError('ItemAlreadyExists');
        const item: NamedItem = {
          id: String(workbook.nextId()),
          name,
          formula: formulaFor(target, reference),
          comment: comment ?? '',
          visible: true,
          scope,
        };
        listOf(target).push(item);
        namesChanged(target);
        return hostObject('NamedItem', { workbook, item });
      },
    },
  ),
} satisfies Partial<Kinds>;
