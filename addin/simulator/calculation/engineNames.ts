import { tokensOf } from '../workbook/cells/formulas/formulaTokens.ts';
import { formulaTree, type Part, spliced, within } from '../workbook/cells/formulas/formulaTree.ts';

/*
 * Names for the engine. It skips the signs that it does not know: of `a?` and `\a` it reads `a`. And a name of the
 * workbook means to it what LET calls so where the name is used.
 */

/** Whether a formula has no other signs than those that the engine reads as Excel does. */
export const isPlain = (text: string): boolean =>
  !/[^A-Za-z0-9_$\s.,()+\-*/^&=<>%!]/.test(text.replaceAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'/g, ''));

const unread = /[^\p{L}0-9_.]|[\u{10000}-\u{10FFFF}]/u;

/** A name of the workbook by which the engine knows it. */
export const engineName = (name: string): string =>
  unread.test(name)
    ? `LL_${name.toLowerCase().replaceAll(new RegExp(unread, 'gu'), (sign) => `_X${sign.codePointAt(0)!.toString(16)}_`)}`
    : name;

const engineSheet = (sheet: string): string =>
  sheet.startsWith("'") || !unread.test(sheet.slice(0, -1)) ? sheet : `'${sheet.slice(0, -1)}'!`;

/** A formula with the engine's names. */
export function withEngineNames(text: string): string {
  if (isPlain(text)) return text;
  let [written, end] = ['', 0];
  for (const { kind, text: own, index, sheet = '', table, part, name } of tokensOf(text)) {
    const known = kind === 'structured' ? table : name;
    if (known === undefined || kind === 'error') continue;
    const rest = kind === 'structured' ? part! : own.slice(sheet.length + known.length);
    written += `${text.slice(end, index)}${engineSheet(sheet)}${engineName(known)}${rest}`;
    end = index + own.length;
  }
  return written + text.slice(end);
}

/** A formula in which what LET and LAMBDA name has names that no workbook has. */
export function withOwnNames(text: string): string {
  let count = 0;
  return withNamesOf(withNamedCalls(text), () => `LL_OWN${count++}`);
}

/** A formula in which a LAMBDA that is called where it stands has a name: the engine calls names only. */
function withNamedCalls(text: string): string {
  const tree = /LAMBDA\s*\(/i.test(text) && /\)\s*\(/.test(text) ? formulaTree(text) : undefined;
  const write = (part: Part): string => {
    const parts = within(part);
    const texts = parts.map(write);
    for (const [index, one] of parts.entries()) {
      if (one.kind !== 'call' || one.name !== 'LAMBDA') continue;
      for (let at = index + 1; parts[at]?.kind === 'group' && parts[at]!.start === parts[at - 1]!.end; at++) {
        texts[index] = `LET(LL_CALLED,${texts[index]},LL_CALLED${texts[at]})`;
        texts[at] = '';
      }
    }
    return spliced(text, part, texts);
  };
  return tree === undefined ? text : write(tree);
}

/** A formula in which what LET and LAMBDA name has other names. */
export function withNamesOf(text: string, ownName: (name: string) => string): string {
  const tree = /(?:LET|LAMBDA)\s*\(/i.test(text) ? formulaTree(text) : undefined;
  const textOf = ({ start, end }: Part) => text.slice(start, end);
  const write = (part: Part, names: ReadonlyMap<string, string>): string => {
    if (part.kind === 'name') return names.get(part.name.toLowerCase()) ?? textOf(part);
    if (part.kind !== 'call')
      return spliced(
        text,
        part,
        within(part).map((one) => write(one, names)),
      );
    const isLet = part.name === 'LET';
    const inner = new Map(names);
    /** What the next value is called. */
    let named: [name: string, own: string] | undefined;
    const written = part.args.map((arg, index) => {
      // A parameter that may be left out stands in brackets.
      const mayName = index < part.args.length - 1 && (isLet ? index % 2 === 0 : part.name === 'LAMBDA');
      if (mayName && arg.kind === 'name') {
        const name = arg.name.toLowerCase();
        const own = ownName(arg.name);
        if (isLet) named = [name, own];
        else inner.set(name, own);
        return own;
      }
      const value = write(arg, inner);
      // A value does not know the name that it gets.
      if (named !== undefined) inner.set(...named);
      named = undefined;
      return value;
    });
    const call = spliced(text, part, written);
    const own = names.get(/^[^(]*/.exec(call)![0].trim().toLowerCase());
    return own === undefined ? call : call.replace(/^[^(]*/, own);
  };
  return tree === undefined ? text : write(tree, new Map());
}
