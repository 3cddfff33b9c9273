import { readFileSync } from 'node:fs';
import path from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { OfficeAddinManifest } from 'office-addin-manifest';
import { expect, test } from 'vitest';
import { NAMESPACE } from '../taskpane/ledgerFormulas/declaration.ts';
import { actionOf } from '../taskpane/ribbonActions.ts';
import { viewGroups } from '../taskpane/viewNames.ts';
import { functionFiles } from './functionFiles.ts';
import { withTexts } from './manifestTexts.ts';

const file = path.join(import.meta.dirname, '../../manifest.xml');
const xml = readFileSync(file, 'utf8');
const development = 'https://localhost:7071';

type Element = { name: string; attributes: Record<string, string>; children: Element[]; text: string };

/** A node of XMLParser with `preserveOrder`: an object with its tag, and its attributes in `:@`. */
type Node = { ':@'?: Record<string, string>; '#text'?: string } & Record<string, unknown>;

const element = (node: Node): Element => {
  const name = Object.keys(node).find((key) => key !== ':@')!;
  const nodes = node[name] as Node[];
  return {
    name,
    attributes: node[':@'] ?? {},
    children: nodes.filter((child) => !('#text' in child)).map(element),
    text: nodes.map((child) => child['#text'] ?? '').join(''),
  };
};

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  ignoreDeclaration: true,
  parseTagValue: false,
  parseAttributeValue: false,
});
const officeApp = element(parser.parse(xml)[0]);

const everything = (of: Element): Element[] => [of, ...of.children.flatMap(everything)];
const named = (name: string, of = officeApp) => everything(of).filter((found) => found.name === name);
const only = (name: string, of = officeApp): Element => {
  const found = named(name, of);
  expect(found, `<${name}> once`).toHaveLength(1);
  return found[0]!;
};
const child = (of: Element, name: string) => of.children.find((candidate) => candidate.name === name)!;
const childNames = (of: Element) => of.children.map(({ name }) => name);

const versionOverrides = child(officeApp, 'VersionOverrides');
const resources = child(versionOverrides, 'Resources');
const resource = (id: string) => everything(resources).find(({ attributes }) => attributes.id === id);
const addresses = everything(officeApp).flatMap(({ name, attributes, text }) =>
  name === 'AppDomain' ? [text] : [attributes.DefaultValue ?? ''].filter((value) => value.includes('://')),
);

/** Width and height in a PNG's header: https://www.w3.org/TR/png-3/#11IHDR */
const pngSize = (address: string) => {
  const prefix = `${development}/taskpane/`;
  expect(address.startsWith(prefix), address).toBe(true);
  const png = readFileSync(path.join(import.meta.dirname, '../assets', address.slice(prefix.length)));
  expect(png.subarray(0, 8).toString('latin1'), address).toBe('\x89PNG\r\n\x1a\n');
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
};

test('Office reads the manifest as the Excel add-in Ledgerline', async () => {
  expect(XMLValidator.validate(xml)).toBe(true);
  expect(await OfficeAddinManifest.readManifestFile(file)).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    // Office refuses a version below 1.0, and Excel on the web refuses one without four numbers.
    version: expect.stringMatching(/^[1-9]\d*(\.\d+){3}$/),
    officeAppType: 'TaskPaneApp',
    hosts: ['Workbook'],
    permissions: 'ReadWriteDocument',
    defaultLocale: 'en-US',
    displayName: 'Ledgerline',
    providerName: 'Ledgerline',
    supportUrl: `${development}/taskpane/support.html`,
    defaultSettings: { sourceLocation: `${development}/taskpane/taskpane/index.html` },
  });
});

test('the elements are in the order of the schema', () => {
  expect(childNames(officeApp)).toEqual([
    'Id',
    'Version',
    'ProviderName',
    'DefaultLocale',
    'DisplayName',
    'Description',
    'IconUrl',
    'HighResolutionIconUrl',
    'SupportUrl',
    'AppDomains',
    'Hosts',
    'Requirements',
    'DefaultSettings',
    'Permissions',
    'VersionOverrides',
  ]);
  expect(versionOverrides.attributes).toMatchObject({
    xmlns: 'http://schemas.microsoft.com/office/taskpaneappversionoverrides',
    'xsi:type': 'VersionOverridesV1_0',
  });
  expect(childNames(versionOverrides)).toEqual(['Hosts', 'Resources']);
  expect(childNames(only('Host', versionOverrides))).toEqual(['Runtimes', 'AllFormFactors', 'DesktopFormFactor']);
  expect(childNames(child(only('AllFormFactors'), 'ExtensionPoint'))).toEqual([
    'Script',
    'Page',
    'Metadata',
    'Namespace',
  ]);
  expect(childNames(only('DesktopFormFactor'))).toEqual(['GetStarted', 'FunctionFile', 'ExtensionPoint']);
  expect(childNames(only('GetStarted'))).toEqual(['Title', 'Description', 'LearnMoreUrl']);
  expect(childNames(resources)).toEqual(['bt:Images', 'bt:Urls', 'bt:ShortStrings', 'bt:LongStrings']);

  expect(childNames(only('CustomTab')).join(' ')).toMatch(/^(Group )+Label$/);
  for (const group of named('Group')) expect(childNames(group).join(' ')).toMatch(/^Label Icon( Control)+$/);
  for (const control of named('Control')) expect(childNames(control)).toEqual(['Label', 'Supertip', 'Icon', 'Action']);
  for (const supertip of named('Supertip')) expect(childNames(supertip)).toEqual(['Title', 'Description']);
});

test('an Excel without the required set is not offered the add-in at all', () => {
  const requirements = child(officeApp, 'Requirements');
  expect(named('Set', requirements).map(({ attributes }) => attributes)).toEqual([
    { Name: 'ExcelApi', MinVersion: '1.13' },
  ]);
  expect(named('Requirements', versionOverrides)).toEqual([]);
});

test('every reference has a resource of the right kind, and every resource a reference', () => {
  const kinds: Record<string, string> = {
    'bt:Image': 'bt:Images',
    SourceLocation: 'bt:Urls',
    LearnMoreUrl: 'bt:Urls',
    Runtime: 'bt:Urls',
    FunctionFile: 'bt:Urls',
    Namespace: 'bt:ShortStrings',
    Label: 'bt:ShortStrings',
    Title: 'bt:ShortStrings',
    Description: 'bt:LongStrings',
  };
  const references = everything(versionOverrides).filter(({ attributes }) => 'resid' in attributes);
  for (const { name, attributes } of references) {
    const ids = child(resources, kinds[name]!).children.map((candidate) => candidate.attributes.id);
    expect(ids, `<${name}>`).toContain(attributes.resid);
  }

  const defined = resources.children.flatMap(({ children }) => children.map(({ attributes }) => attributes.id!));
  expect(new Set(defined).size).toBe(defined.length);
  expect(defined.filter((id) => !references.some(({ attributes }) => attributes.resid === id))).toEqual([]);
  expect(defined.filter((id) => id.length > 32)).toEqual([]);
});

test('every text exists in English, and in Dutch and French of the countries, within the lengths that Office allows', () => {
  const texts = [
    { limit: 125, of: [child(officeApp, 'DisplayName'), ...child(resources, 'bt:ShortStrings').children] },
    { limit: 250, of: [child(officeApp, 'Description'), ...child(resources, 'bt:LongStrings').children] },
  ];
  for (const { limit, of } of texts) {
    for (const { attributes, children } of of) {
      expect(children.map((override) => override.attributes.Locale)).toEqual(['nl-NL', 'nl-BE', 'fr-FR', 'fr-BE']);
      for (const text of [attributes.DefaultValue, ...children.map((override) => override.attributes.Value)]) {
        expect(text?.trim()).toBeTruthy();
        expect(text!.length, text).toBeLessThanOrEqual(limit);
      }
    }
  }
});

test('every text is the text of the language files', async () => {
  await expect(withTexts(xml)).toMatchFileSnapshot(file);
});

test('every icon is a PNG of the size in the manifest', () => {
  expect(pngSize(child(officeApp, 'IconUrl').attributes.DefaultValue!)).toEqual({ width: 32, height: 32 });
  expect(pngSize(child(officeApp, 'HighResolutionIconUrl').attributes.DefaultValue!)).toEqual({
    width: 64,
    height: 64,
  });

  for (const icon of named('Icon')) {
    expect(icon.children.map(({ attributes }) => attributes.size)).toEqual(['16', '32', '80']);
    for (const { attributes } of icon.children) {
      const size = Number(attributes.size);
      expect(pngSize(resource(attributes.resid!)!.attributes.DefaultValue!)).toEqual({ width: size, height: size });
    }
  }
});

test('the tab has a button for the pane and others for its views, and all open the same pane', () => {
  const ids = ['CustomTab', 'Group', 'Control'].flatMap((name) => named(name).map(({ attributes }) => attributes.id));
  expect(new Set(ids).size).toBe(ids.length);

  const [open, ...others] = named('Action');
  // A shared runtime has one pane: an action with a TaskpaneId would open another.
  expect(named('TaskpaneId')).toEqual([]);
  expect(open!.attributes['xsi:type']).toBe('ShowTaskpane');
  expect(childNames(open!)).toEqual(['SourceLocation']);
  expect(others.map(({ attributes }) => attributes['xsi:type'])).toEqual(others.map(() => 'ExecuteFunction'));
  const names = others.map((action) => child(action, 'FunctionName').text);
  expect(names).toEqual([
    'showInvoices',
    'showRelations',
    'showAccounts',
    'showTaxCodes',
    'showMaterialBookings',
    'showExports',
    'showTrialBalance',
    'showAccountCard',
    'showOpenItems',
    'showVatReturn',
    'showAuditfiles',
    'showProducts',
    'showDocumentSheets',
    'showPush',
  ]);
  // The pane has an action for each of its views, and each has a button.
  expect(names).toEqual(Object.values(viewGroups).flat().map(actionOf));
});

test('the pane, its actions and the functions in cells share one page, which stays loaded', () => {
  const pane = child(named('Action')[0]!, 'SourceLocation').attributes.resid;
  expect(only('Runtime').attributes).toEqual({ resid: pane, lifetime: 'long' });
  expect(only('FunctionFile').attributes.resid).toBe(pane);
  expect(child(only('Page'), 'SourceLocation').attributes.resid).toBe(pane);
  expect(resource(pane!)!.attributes.DefaultValue).toBe(`${development}/taskpane/taskpane/index.html`);
});

test('Excel reads the functions in each language, in the namespace that formulas are written with', () => {
  const metadata = resource(child(only('Metadata'), 'SourceLocation').attributes.resid!)!;
  const files = [metadata.attributes.DefaultValue, ...metadata.children.map(({ attributes }) => attributes.Value)];
  const built = functionFiles();
  expect(files.map((file) => file!.slice(`${development}/taskpane/`.length))).toEqual([
    'functions/functions-en.json',
    'functions/functions-nl.json',
    'functions/functions-nl.json',
    'functions/functions-fr.json',
    'functions/functions-fr.json',
  ]);
  for (const file of files) expect([...built.keys()]).toContain(file!.slice(`${development}/taskpane/`.length));
  expect(resource(only('Namespace').attributes.resid!)!.attributes.DefaultValue).toBe(NAMESPACE);
});

test('the buttons are in groups that bring in, show the books, make and send, each group with a text of its own', () => {
  const groups = named('Group').map((group) => [
    resource(child(group, 'Label').attributes.resid!)!.attributes.DefaultValue,
    group.children.filter(({ name }) => name === 'Control').length,
  ]);
  expect(groups).toEqual([
    ['Administration', 1],
    ['Pull into the sheet', 6],
    ['Look into the books', 5],
    ['Make a sheet', 2],
    ['Push from the sheet', 1],
  ]);
});

test('all addresses have the same https origin', () => {
  expect(new Set(addresses.map((address) => new URL(address).origin))).toEqual(new Set([development]));
  // An AppDomain is a bare origin, without a path or closing slash.
  expect(named('AppDomain').map(({ text }) => text)).toEqual([development]);
});

test('the support page is one of the served files', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../assets/support.html'), 'utf8');
  for (const [, link] of page.matchAll(/(?:href|src)="(icons\/[^"]+)"/g)) {
    expect(readFileSync(path.join(import.meta.dirname, '../assets', link!)).length).toBeGreaterThan(0);
  }
  for (const [, anchor] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${anchor}"`);
});
