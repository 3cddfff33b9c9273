import { SaxesParser } from 'saxes';

/** An element of an XML document, with its elements in order and its own text. */
export type XmlTree = {
  name: string;
  uri: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlTree[];
  text: string;
};

/** The root of an XML document. @throws Error when it is not well-formed */
export function xmlTree(document: string): XmlTree {
  const parser = new SaxesParser({ xmlns: true });
  const root: XmlTree = { name: '', uri: '', attributes: {}, children: [], text: '' };
  const open = [root];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    const values = Object.fromEntries(Object.entries(attributes).map(([name, { value }]) => [name, value]));
    const element: XmlTree = { name: local, uri, attributes: values, children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  const addText = (text: string) => {
    open.at(-1)!.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(document).close();
  return root.children[0]!;
}

/** The elements at a path of names, such as `company/periods/period`; those on the way may be several. */
export const elementsAt = (element: XmlTree, path: string): XmlTree[] =>
  path
    .split('/')
    .reduce((found, name) => found.flatMap(({ children }) => children.filter((one) => one.name === name)), [element]);

/** The text of a child; undefined when there is none. */
export const textIn = (element: XmlTree, name: string): string | undefined =>
  element.children.find((child) => child.name === name)?.text;
