import { namedSheets, type Token, tokensOf } from './formulaTokens.ts';
import { readStructured } from './structured.ts';

/*
 * A formula as a tree, as far as it matters for which of its parts may be several values. Operators have no order here:
 * what they are between is several values if one of these is.
 */

/** A part of a formula, from one character up to another. */
export type Part = { start: number; end: number } & (
  | { kind: 'value' | 'cell' | 'cells' | 'array' | 'nothing' }
  | { kind: 'name'; name: string }
  /** `A1#`: the cells that the formula in A1 fills. */
  | { kind: 'spill'; anchor: string }
  /** `@A1:A9`: the one in the row or column of the formula. */
  | { kind: 'single'; operand: Part }
  | { kind: 'call'; name: string; args: Part[] }
  /** Operators, parentheses and ranges between parts. */
  | { kind: 'group'; parts: Part[]; isRange: boolean }
);

/** More parentheses in each other are not read: Excel takes 64 functions. */
const MAX_DEPTH = 200;

type Kind =
  | 'value'
  | 'array'
  | 'cell'
  | 'cells'
  | 'name'
  | 'call'
  | 'list'
  | 'open'
  | 'close'
  | 'at'
  | 'hash'
  | 'operator';
type Sign = { kind: Kind; text: string; start: number; end: number };

const signs: Readonly<Record<string, Kind | undefined>> = { '(': 'open', ')': 'close', '@': 'at', '#': 'hash' };

function kindOf({ kind, text, sheet, last, part, name }: Token): Kind {
  switch (kind) {
    case 'cells':
      return last === undefined && (sheet === undefined || namedSheets(sheet)?.last === undefined) ? 'cell' : 'cells';
    case 'structured': {
      const read = readStructured(part!);
      return read?.isThisRow && read.first !== undefined && read.last === undefined ? 'cell' : 'cells';
    }
    case 'name':
      return /^(?:TRUE|FALSE)$/i.test(text) || name === undefined ? 'value' : 'name';
    case 'array':
    case 'call':
    case 'list':
      return kind;
    default:
      return 'value';
  }
}

/** The tokens of a formula, and the operators and parentheses between them; undefined for what is neither. */
function signsOf(formula: string): Sign[] | undefined {
  const found: Sign[] = [];
  let end = 0;
  const between = (to: number): boolean => {
    for (const { 0: text, index } of formula.slice(end, to).matchAll(/\S/g)) {
      const kind = signs[text] ?? (/[-+*/^&=<>%:]/.test(text) ? 'operator' : undefined);
      if (kind === undefined) return false;
      found.push({ kind, text, start: end + index, end: end + index + 1 });
    }
    return true;
  };
  for (const token of tokensOf(formula)) {
    if (!between(token.index)) return undefined;
    end = token.index + token.text.length;
    const text = token.kind === 'call' ? token.name! : token.text;
    found.push({ kind: kindOf(token), text, start: token.index, end });
  }
  return between(formula.length) ? found : undefined;
}

/** The tree of a formula without its "="; undefined for what is no formula, or is not read. */
export function formulaTree(text: string): Part | undefined {
  const tokens = signsOf(text);
  if (tokens === undefined) return undefined;
  let at = 0;
  let depth = 0;

  /** Parts up to a comma or a closing parenthesis. */
  function group(): Part | undefined {
    const parts: Part[] = [];
    const start = tokens![at]?.start ?? text.length;
    let isRange = false;
    let end = start;
    while (at < tokens!.length) {
      const { kind, text: operator, end: ownEnd } = tokens![at]!;
      if (kind === 'list' || kind === 'close') break;
      end = ownEnd;
      if (kind === 'operator') {
        isRange ||= operator === ':';
        at += 1;
        continue;
      }
      const part = operand();
      if (part === undefined) return undefined;
      parts.push(part);
      end = part.end;
    }
    if (parts.length === 0) return { kind: 'nothing', start, end: start };
    const [only] = parts;
    return parts.length === 1 && only!.start === start && only!.end === end
      ? only
      : { kind: 'group', parts, isRange, start, end };
  }

  /** Parts with commas between them, up to the closing parenthesis. */
  function list(): Part[] | undefined {
    const parts: Part[] = [];
    depth += 1;
    if (depth > MAX_DEPTH) return undefined;
    for (;;) {
      const part = group();
      const next = tokens![at];
      if (part === undefined || next === undefined) return undefined;
      at += 1;
      parts.push(part);
      if (next.kind === 'close') break;
    }
    depth -= 1;
    return parts.length === 1 && parts[0]!.kind === 'nothing' ? [] : parts;
  }

  function operand(): Part | undefined {
    const { kind, text: inner, start, end } = tokens![at]!;
    at += 1;
    const place = { start, end };
    if (kind === 'cell' && tokens![at]?.kind === 'hash' && tokens![at]!.start === end) {
      at += 1;
      return { kind: 'spill', anchor: inner, start, end: end + 1 };
    }
    if (kind === 'value' || kind === 'array' || kind === 'cell' || kind === 'cells') return { kind, ...place };
    if (kind === 'name') return { kind, name: inner, ...place };
    if (kind === 'at') {
      const of = tokens![at] === undefined ? undefined : operand();
      return of && { kind: 'single', operand: of, start, end: of.end };
    }
    if (kind !== 'call' && kind !== 'open') return undefined;
    const parts = list();
    if (parts === undefined) return undefined;
    const last = tokens![at - 1]!.end;
    return kind === 'call'
      ? { kind, name: inner.toUpperCase().replace(/^_XLFN\.(?:_XLWS\.)?/, ''), args: parts, start, end: last }
      : { kind: 'group', parts, isRange: false, start, end: last };
  }

  const tree = group();
  return at === tokens.length ? tree : undefined;
}

/** The parts directly within a part. */
export function within(part: Part): readonly Part[] {
  if (part.kind === 'single') return [part.operand];
  if (part.kind === 'call') return part.args;
  return part.kind === 'group' ? part.parts : [];
}

/** The text of a part, with other texts for the parts directly within it. */
export function spliced(formula: string, part: Part, texts: readonly string[]): string {
  let [written, at] = ['', part.start];
  for (const [index, { start, end }] of within(part).entries()) {
    written += formula.slice(at, start) + texts[index]!;
    at = end;
  }
  return written + formula.slice(at, part.end);
}
