import { elementsAt, textIn, type XmlTree, xmlTree } from './xmlTree.ts';

/** What an XML schema says of an element. */
export type Declaration = {
  name: string;
  min: number;
  max: number;
  /** The elements in it, in order; undefined: it has a text. */
  children: Declaration[] | undefined;
  base: string;
  facets: readonly { name: string; value: string }[];
};

/** A key or a reference to one: the path of its elements, and the element with the value. */
type Key = { name: string; refer: string; path: string; field: string };

type Schema = { namespace: string; root: Declaration; keys: Key[] };

/** Reads a schema of sequences, texts with limits, keys and references, as those of the audit file are. */
export function readSchema(xsd: string): Schema {
  const schema = xmlTree(xsd);
  const named = new Map(elementsAt(schema, 'simpleType').map((type) => [type.attributes.name, type]));
  const simple = (type: XmlTree) => {
    const [restriction] = elementsAt(type, 'restriction');
    const facets = restriction!.children.map(({ name, attributes }) => ({ name, value: attributes.value! }));
    return { base: restriction!.attributes.base!.replace(/^.*:/, ''), facets };
  };
  const declared = (element: XmlTree): Declaration => {
    const { name, minOccurs = '1', maxOccurs = '1', type = '' } = element.attributes;
    const [sequence] = elementsAt(element, 'complexType/sequence');
    const [inline] = elementsAt(element, 'simpleType');
    const typeName = type.replace(/^.*:/, '');
    const ofText = inline ?? named.get(typeName);
    return {
      name: name!,
      min: Number(minOccurs),
      max: maxOccurs === 'unbounded' ? Number.POSITIVE_INFINITY : Number(maxOccurs),
      children: sequence?.children.map(declared),
      ...(ofText === undefined ? { base: typeName, facets: [] } : simple(ofText)),
    };
  };
  const [root] = elementsAt(schema, 'element');
  const keys = root!.children
    .filter(({ name }) => name === 'key' || name === 'keyref')
    .map(({ attributes: { name, refer = '' }, children: [selector, field] }) => ({
      name: name!,
      refer,
      path: selector!.attributes.xpath!.replace('./', ''),
      field: field!.attributes.xpath!,
    }));
  return { namespace: schema.attributes.targetNamespace!, root: declared(root!), keys };
}

const forms: Readonly<Record<string, (text: string) => boolean>> = {
  string: () => true,
  token: () => true,
  decimal: (text) => /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(text),
  dateTime: (text) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/.test(text),
  time: (text) => /^\d{2}:\d{2}:\d{2}/.test(text),
  nonNegativeInteger: (text) => /^\+?\d+$/.test(text),
  date: (text) =>
    /^\d{4}-\d{2}-\d{2}$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(text).toISOString().startsWith(text),
};

/** The digits of a number before and after its point, without those that say nothing. */
const digitsOf = (text: string): [whole: string, fraction: string] => {
  const [whole = '', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  return [whole.replace(/^0+/, ''), fraction.replace(/0+$/, '')];
};

const limits: Readonly<Record<string, (text: string, value: string) => boolean>> = {
  length: (text, value) => [...text].length === Number(value),
  maxLength: (text, value) => [...text].length <= Number(value),
  totalDigits: (text, value) => digitsOf(text).join('').length <= Number(value),
  fractionDigits: (text, value) => digitsOf(text)[1].length <= Number(value),
  minInclusive: (text, value) => Number(text) >= Number(value),
  pattern: (text, value) => new RegExp(`^(?:${value})$`).test(text),
};

function problemOfText(text: string, { base, facets }: Declaration): string | undefined {
  const value = base === 'string' ? text : text.trim();
  if (!forms[base]!(value)) return `is no ${base}`;
  const allowed = facets.filter(({ name }) => name === 'enumeration').map((one) => one.value);
  if (allowed.length > 0 && !allowed.includes(value)) return `is none of ${allowed}`;
  const broken = facets.find(({ name, value: limit }) => name !== 'enumeration' && !limits[name]!(value, limit));
  return broken && `breaks ${broken.name} ${broken.value}`;
}

/** What a document has that a schema does not allow. */
export function schemaProblems({ namespace, root, keys }: Schema, document: XmlTree): string[] {
  const problems: string[] = [];
  const check = (element: XmlTree, declaration: Declaration, path: string) => {
    const { name, uri, children, text } = element;
    if (name !== declaration.name || uri !== namespace) problems.push(`${path}: ${uri} ${name}`);
    if (declaration.children === undefined) {
      if (children.length > 0) problems.push(`${path}: has elements`);
      const problem = problemOfText(text, declaration);
      if (problem !== undefined) problems.push(`${path}: "${text}" ${problem}`);
      return;
    }
    if (text.trim() !== '') problems.push(`${path}: has a text`);
    let next = 0;
    for (const part of declaration.children) {
      let count = 0;
      while (children[next]?.name === part.name) {
        check(children[next++]!, part, `${path}/${part.name}`);
        count++;
      }
      if (count < part.min || count > part.max) problems.push(`${path}: has ${count} ${part.name}`);
    }
    if (next < children.length) problems.push(`${path}: ${children[next]!.name} is not expected here`);
  };
  check(document, root, root.name);
  const valuesAt = ({ path, field }: Key) => elementsAt(document, path).map((element) => textIn(element, field));
  for (const key of keys) {
    const values = valuesAt(key);
    const target = keys.find(({ name }) => name === key.refer);
    if (target === undefined) {
      if (values.includes(undefined) || new Set(values).size < values.length)
        problems.push(`${key.name}: not once each`);
      continue;
    }
    const known = new Set(valuesAt(target));
    const unknown = values.find((value) => value !== undefined && !known.has(value));
    if (unknown !== undefined) problems.push(`${key.name}: ${unknown} is not defined`);
  }
  return problems;
}
