import * as z from 'zod/mini';

/**
 * The unknown names in a request, such as `Order_Orderline[0].Colour`: they are ignored, and reported to the
 * caller. At most `most` of them.
 */
export function ignoredFields(schema: z.core.$ZodType, input: unknown, most = 50): string[] {
  const found: string[] = [];
  walk(schema, input, '', found, most);
  return found;
}

function walk(schema: z.core.$ZodType, input: unknown, path: string, found: string[], most: number): void {
  if (found.length >= most || typeof input !== 'object' || input === null) return;
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniDefault) {
    walk(schema.def.innerType, input, path, found, most);
  } else if (schema instanceof z.ZodMiniPipe) {
    walk(schema.def.out, input, path, found, most);
  } else if (schema instanceof z.ZodMiniArray && Array.isArray(input)) {
    input.forEach((item, index) => {
      walk(schema.def.element, item, `${path}[${index}]`, found, most);
    });
  } else if (schema instanceof z.ZodMiniObject) {
    for (const [name, value] of Object.entries(input)) {
      const member = path === '' ? name : `${path}.${name}`;
      const known = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.core.$ZodType) : undefined;
      if (known !== undefined) walk(known, value, member, found, most);
      else if (found.length < most) found.push(member);
    }
  }
}
