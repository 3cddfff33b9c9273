import { areaAddress } from '../workbook/cells/address.ts';
import type { Sheet } from '../workbook/sheet.ts';
import { type FormulaCell, mapOf, numberOf } from './dependencies.ts';
import type { SheetArea } from './formulaReferences.ts';

/** Formulas that the engine calculates at a time. */
const MAX_AT_ONCE = 5000;

/** The engine forgets what it parsed from the 10,001st formula on, and leaves the first ones without a result. */
const MAX_TOGETHER = 9000;

/** Formulas that are calculated at a time, those of them that may need their own result, and whether some are last. */
export type Portion = { formulas: FormulaCell[]; circular: Set<FormulaCell>; isLast: boolean };

/**
 * Formulas in portions: what they refer to is in the same portion or in an earlier one.
 * @param isLast whether a formula refers to cells that are not known, or depends on such a formula: it comes after those
 *   that do not
 * @returns the portions, and formulas that may need each other's results and are too many for one portion
 */
export function portionsOf(
  formulas: Iterable<FormulaCell>,
  isLast: (cell: FormulaCell) => boolean,
): { portions: Portion[]; tooMany: FormulaCell[] } {
  const portions: Portion[] = [];
  const tooMany: FormulaCell[] = [];
  const all = Map.groupBy(formulas, isLast);
  for (const areLast of [false, true]) {
    for (const { members, isCircular } of inOrder(all.get(areLast) ?? [])) {
      if (members.length > MAX_TOGETHER) {
        tooMany.push(...members);
        continue;
      }
      let portion = portions.at(-1);
      if (portion === undefined || portion.formulas.length + members.length > Math.max(MAX_AT_ONCE, members.length)) {
        portion = { formulas: [], circular: new Set(), isLast: areLast };
        portions.push(portion);
      }
      portion.isLast ||= areLast;
      for (const member of members) {
        portion.formulas.push(member);
        if (isCircular || areLast) portion.circular.add(member);
      }
    }
  }
  return { portions, tooMany };
}

/** Formulas that refer to each other, directly or through others; one that refers to no other alone. */
type Group = { members: FormulaCell[]; isCircular: boolean };

/** Groups of formulas, each after those that it refers to: Tarjan's strongly connected components. */
function inOrder(formulas: readonly FormulaCell[]): Group[] {
  const edges = edgesOf(formulas);
  const count = edges.length;
  const groups: Group[] = [];
  const [order, lowest, next] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  const isOpen = new Uint8Array(count);
  const open: number[] = [];
  let visited = 0;
  const close = (node: number) => {
    const members: FormulaCell[] = [];
    let size = 0;
    for (let one = -1; one !== node; size++) {
      one = open.pop()!;
      isOpen[one] = 0;
      if (one < formulas.length) members.push(formulas[one]!);
    }
    if (members.length > 0) groups.push({ members, isCircular: size > 1 || edges[node]!.includes(node) });
  };
  for (let first = 0; first < formulas.length; first++) {
    if (order[first] !== 0) continue;
    const path = [first];
    while (path.length > 0) {
      const node = path.at(-1)!;
      if (order[node] === 0) {
        order[node] = lowest[node] = ++visited;
        open.push(node);
        isOpen[node] = 1;
      }
      const to = edges[node]![next[node]!++];
      if (to === undefined) {
        path.pop();
        const before = path.at(-1);
        if (before !== undefined) lowest[before] = Math.min(lowest[before]!, lowest[node]!);
        if (lowest[node] === order[node]) close(node);
      } else if (order[to] === 0) path.push(to);
      else if (isOpen[to] === 1) lowest[node] = Math.min(lowest[node]!, order[to]!);
    }
  }
  return groups;
}

/** The formulas of a column, by rows, and the nodes of those between two rows: a segment tree. */
type Column = { rows: number[]; formulas: number[]; root: number | undefined };

/**
 * What each formula refers to, by numbers. The first numbers are the formulas; others stand for areas and parts of
 * columns, which many formulas share.
 */
function edgesOf(formulas: readonly FormulaCell[]): number[][] {
  const edges: number[][] = formulas.map(() => []);
  const columns = new Map<Sheet, Map<number, Column>>();
  const cells = new Map<Sheet, Map<number, number>>();
  const byRow = [...formulas.keys()].sort((a, b) => formulas[a]!.row - formulas[b]!.row);
  for (const index of byRow) {
    const { sheet, row, column } = formulas[index]!;
    mapOf(cells, sheet, () => new Map<number, number>()).set(numberOf({ row, column }), index);
    const ofSheet = mapOf(columns, sheet, () => new Map<number, Column>());
    const own = mapOf(ofSheet, column, (): Column => ({ rows: [], formulas: [], root: undefined }));
    own.rows.push(row);
    own.formulas.push(index);
  }

  /** The first node of the tree of a column: node k refers to nodes 2k and 2k + 1, and those from its size on are formulas. */
  const rootOf = (column: Column): number => {
    if (column.root !== undefined) return column.root;
    const { length } = column.formulas;
    const root = edges.length;
    column.root = root;
    const nodeAt = (at: number) => (at < length ? root + at : column.formulas[at - length]!);
    for (let at = 0; at < length; at++) edges.push(at === 0 ? [] : [nodeAt(2 * at), nodeAt(2 * at + 1)]);
    return root;
  };

  const areas = new Map<Sheet, Map<string, number>>();
  const areaNode = ({ sheet, area }: SheetArea): number =>
    mapOf(
      mapOf(areas, sheet, () => new Map<string, number>()),
      areaAddress(area),
      () => {
        const found: number[] = [];
        for (const [column, own] of columns.get(sheet) ?? []) {
          if (column < area.column || column >= area.column + area.columns) continue;
          const root = rootOf(own);
          const { length } = own.formulas;
          let from = countBelow(own.rows, area.row) + length;
          let to = countBelow(own.rows, area.row + area.rows) + length;
          const nodeAt = (at: number) => (at < length ? root + at : own.formulas[at - length]!);
          for (; from < to; from >>= 1, to >>= 1) {
            if (from & 1) found.push(nodeAt(from++));
            if (to & 1) found.push(nodeAt(--to));
          }
        }
        return edges.push(found) - 1;
      },
    );

  for (const [index, { references }] of formulas.entries()) {
    for (const reference of references.areas) {
      const { sheet, area } = reference;
      if (area.rows > 1 || area.columns > 1) edges[index]!.push(areaNode(reference));
      else {
        const to = cells.get(sheet)?.get(numberOf(area));
        if (to !== undefined) edges[index]!.push(to);
      }
    }
  }
  return edges;
}

/** How many of some ascending numbers are below a limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
