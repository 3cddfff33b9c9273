import { XMLBuilder } from 'fast-xml-parser';
import { inXml } from '../import/relationFiles/textsOfAuditfiles.ts';
import type { Layout } from './layouts.ts';

/** Texts of elements. Empty and missing ones are left out, except those that are required. */
export type Values = { readonly [element: string]: string | undefined | Values | readonly Values[] };

type Built = { [element: string]: string | Built | Built[] };

const builder = new XMLBuilder({ format: true, indentBy: ' ' });

/**
 * Returns a function that writes values as XML, in the order of a layout and without what the layout does not have.
 * @param onCut called for each text that is longer than its element may be
 */
export function recordWriter(onCut: (element: string) => void) {
  const text = (element: string, value: string, longest: number): string => {
    const clean = inXml(value);
    if (longest === 0 || clean.length <= longest) return clean;
    const characters = [...clean];
    if (characters.length <= longest) return clean;
    onCut(element);
    return characters.slice(0, longest).join('');
  };
  const built = (layout: Layout, values: Values): Built => {
    const elements: Built = {};
    for (const [element, part] of Object.entries(layout)) {
      const value = values[element];
      if (value === undefined || value === '') continue;
      if (typeof part === 'number') elements[element] = text(element, value as string, part);
      else if (Array.isArray(value)) elements[element] = value.map((one: Values) => built(part, one));
      else elements[element] = built(part, value as Values);
    }
    return elements;
  };
  return (layout: Layout, values: Values): string => builder.build(built(layout, values));
}
