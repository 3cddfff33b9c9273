import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Language, type Node, Parser } from 'web-tree-sitter';
import { version } from '../functions/administrations/version.ts';
import { readSettings } from '../functions/settings.ts';

/*
 * What can be said of the Bicep files without their compiler, which no package has: a grammar of the language reads them,
 * and their names fit each other and Azure's. The workflow of the project compiles them.
 */

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const files = [
  'infra/main.bicep',
  ...readdirSync(path.join(root, 'infra/modules')).map((name) => `infra/modules/${name}`),
];
const main = 'infra/main.bicep';
const trees = new Map<string, Node>();

beforeAll(async () => {
  await Parser.init();
  const grammar = createRequire(import.meta.url).resolve('tree-sitter-bicep/tree-sitter-bicep.wasm');
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  for (const file of files) trees.set(file, parser.parse(read(file))!.rootNode);
});

const childrenOf = (node: Node): Node[] => node.namedChildren.filter((child) => child !== null);
const treeOf = (file: string): Node => trees.get(file)!;
const nodesIn = (node: Node): Node[] => [node, ...childrenOf(node).flatMap(nodesIn)];
const nodesOf = (file: string, ...types: readonly string[]): Node[] =>
  nodesIn(treeOf(file)).filter(({ type }) => types.includes(type));
const nameOf = (declaration: Node): string => childrenOf(declaration)[0]!.text;
const textOf = (literal: Node | undefined): string => literal?.text.replace(/^'|'$/g, '') ?? '';

const declarations = [
  'parameter_declaration',
  'variable_declaration',
  'resource_declaration',
  'module_declaration',
  'output_declaration',
];

type Parameter = { name: string; type: string; isRequired: boolean; fallback: string };
const parametersOf = (file: string): Parameter[] =>
  nodesOf(file, 'parameter_declaration').map((declaration) => {
    const [name, type, fallback] = childrenOf(declaration);
    return { name: name!.text, type: type!.text, isRequired: fallback === undefined, fallback: textOf(fallback) };
  });
const outputsOf = (file: string): string[] => nodesOf(file, 'output_declaration').map(nameOf);

/** A property of an object literal, by its path; undefined when it has none. */
function propertyOf(object: Node | undefined, ...names: readonly string[]): Node | undefined {
  const [name, ...rest] = names;
  if (object === undefined || name === undefined) return object;
  const property = childrenOf(object).find(
    (one) => one.type === 'object_property' && textOf(childrenOf(one)[0]) === name,
  );
  return property && propertyOf(childrenOf(property)[1], ...rest);
}

/** The object of a resource or a module, of a condition or a loop as well. */
const bodyOf = (declaration: Node): Node => nodesIn(declaration).find(({ type }) => type === 'object')!;

/** The modules of main.bicep: by which name, from which file, with which parameters. */
const modules = () =>
  nodesOf(main, 'module_declaration').map((declaration) => {
    const [name, file] = childrenOf(declaration);
    const parameters = propertyOf(bodyOf(declaration), 'params')!;
    return {
      name: name!.text,
      file: path.posix.join('infra', textOf(file)),
      given: childrenOf(parameters).map((one) => childrenOf(one)[0]!.text),
    };
  });

describe('the Bicep files', () => {
  it.each(files)('are sound: %s', (file) => {
    const wrong = nodesIn(treeOf(file)).filter((node) => node.isError || node.isMissing);
    expect(wrong.map(({ startPosition, text }) => [startPosition.row + 1, text])).toEqual([]);
    expect(treeOf(file).hasError).toBe(false);
  });

  it('are read by a grammar that knows what is wrong', () => {
    const parser = new Parser();
    parser.setLanguage(treeOf(main).tree.language);
    for (const wrong of ["param name string = 'x", 'var a = {', "resource 'x' = {}", 'output x string ='])
      expect([wrong, parser.parse(wrong)!.rootNode.hasError]).toEqual([wrong, true]);
  });

  it.each(files)('name what they declare, and functions of the language: %s', (file) => {
    const loops = nodesOf(file, 'for_statement').flatMap((loop) => {
      const [first] = childrenOf(loop);
      return first!.type === 'for_loop_parameters' ? childrenOf(first!).map(({ text }) => text) : [first!.text];
    });
    const declared = new Set([...nodesOf(file, ...declarations).map(nameOf), ...loops]);
    expect(nodesOf(file, ...declarations)).toHaveLength(
      new Set(nodesOf(file, ...declarations).map((one) => `${one.type} ${nameOf(one)}`)).size,
    );
    const functions = [
      ...[
        'concat',
        'empty',
        'environment',
        'guid',
        'items',
        'length',
        'loadJsonContent',
        'subscription',
        'subscriptionResourceId',
      ],
      ...['substring', 'toLower', 'union', 'uniqueString', 'uriComponent'],
      ...['allowed', 'description', 'maxLength', 'maxValue', 'minLength', 'minValue', 'secure'],
    ];
    const unknown = nodesOf(file, 'identifier').filter((identifier) => {
      const { parent, text } = identifier;
      const isFirst = parent !== null && childrenOf(parent)[0]!.id === identifier.id;
      if (parent?.type === 'object_property' && isFirst) return false;
      if (parent?.type === 'call_expression' && isFirst) return !functions.includes(text);
      return !declared.has(text);
    });
    expect(unknown.map(({ text, startPosition }) => [text, startPosition.row + 1])).toEqual([]);
  });

  it('give each module the parameters it has', () => {
    expect(modules()).toHaveLength(files.length - 1);
    for (const { name, file, given } of modules()) {
      const declared = parametersOf(file);
      expect([name, given.filter((parameter) => !declared.some((one) => one.name === parameter))]).toEqual([name, []]);
      const missing = declared.filter((one) => one.isRequired && !given.includes(one.name));
      expect([name, missing]).toEqual([name, []]);
    }
  });

  it('read outputs that modules have', () => {
    const used = [...read(main).matchAll(/(\w+)!?\.outputs\.(\w+)/g)];
    expect(used.length).toBeGreaterThan(10);
    for (const [, name, output] of used) {
      const { file } = modules().find((one) => one.name === name)!;
      expect([name, outputsOf(file)]).toEqual([name, expect.arrayContaining([output])]);
    }
  });

  it('use what they declare', () => {
    for (const file of files) {
      const used = nodesOf(file, 'identifier').map(({ text }) => text);
      for (const { type, ...one } of nodesOf(file, 'parameter_declaration', 'variable_declaration').map((node) => ({
        type: node.type,
        name: nameOf(node),
      }))) {
        expect([file, type, one.name, used.filter((name) => name === one.name).length > 1]).toEqual([
          file,
          type,
          one.name,
          true,
        ]);
      }
    }
  });

  it('get their parameters from the environment of azd, with the same defaults, and the README lists them', () => {
    const { parameters } = JSON.parse(read('infra/main.parameters.json')) as {
      parameters: Record<string, { value: string }>;
    };
    const given = Object.entries(parameters).map(([name, { value }]) => {
      const [, variable, fallback] = /^\$\{(\w+)(?:=(.*))?\}$/.exec(value)!;
      return { name, variable: variable!, fallback };
    });
    const declared = parametersOf(main);
    expect(given.map(({ name }) => name).sort()).toEqual(declared.map(({ name }) => name).sort());
    for (const { name, fallback } of given) {
      const one = declared.find((parameter) => parameter.name === name)!;
      expect([name, fallback]).toEqual([name, one.isRequired ? undefined : one.fallback]);
    }
    const listed = [...read('infra/README.md').matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, names]) =>
      [...names!.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!),
    );
    expect(listed.sort()).toEqual(given.map(({ variable }) => variable).sort());
    expect(declared.find(({ name }) => name === 'timeZone')?.fallback).toBe(readSettings({}).timeZone);
  });

  it('keep secrets out of what a deployment records', () => {
    for (const file of files) {
      const secure = nodesOf(file, 'decorators')
        .filter((decorators) => decorators.text.includes('@secure()'))
        .map((decorators) => nameOf(decorators.nextNamedSibling!));
      const secrets = parametersOf(file).filter(({ name }) => /key$|previous$|smtp|connectionString$/i.test(name));
      expect([file, secrets.map(({ name }) => name)]).toEqual([file, secure]);
    }
  });
});

/** The resources of a file: their type, the version of its interface, and what they are. */
const resourcesOf = (file: string) =>
  nodesOf(file, 'resource_declaration').map((declaration) => {
    const [type, version] = textOf(childrenOf(declaration)[1]).split('@');
    return { type: type!, version, body: bodyOf(declaration) };
  });

describe('the resources', () => {
  it('are of the types and the versions that were compared with what Azure publishes', () => {
    const types = files.flatMap(resourcesOf).filter(({ version }) => version !== undefined);
    expect([...new Set(types.map(({ type, version }) => `${type}@${version}`))].sort()).toEqual([
      'Microsoft.Authorization/roleAssignments@2022-04-01',
      'Microsoft.DBforPostgreSQL/flexibleServers@2024-08-01',
      'Microsoft.Insights/actionGroups@2023-01-01',
      'Microsoft.Insights/components@2020-02-02',
      'Microsoft.Insights/scheduledQueryRules@2023-12-01',
      'Microsoft.KeyVault/vaults@2023-07-01',
      'Microsoft.ManagedIdentity/userAssignedIdentities@2023-01-31',
      'Microsoft.Network/privateDnsZones/virtualNetworkLinks@2024-06-01',
      'Microsoft.Network/privateDnsZones@2024-06-01',
      'Microsoft.Network/privateEndpoints/privateDnsZoneGroups@2024-05-01',
      'Microsoft.Network/privateEndpoints@2024-05-01',
      'Microsoft.Network/virtualNetworks@2024-05-01',
      'Microsoft.OperationalInsights/workspaces@2023-09-01',
      'Microsoft.Resources/resourceGroups@2024-03-01',
      'Microsoft.Storage/storageAccounts@2024-01-01',
      // The first whose description has updates that roll.
      'Microsoft.Web/serverfarms@2025-05-01',
      'Microsoft.Web/sites@2025-05-01',
    ]);
  });

  const app = () => resourcesOf('infra/modules/functionApp.bicep').find(({ type }) => type === 'Microsoft.Web/sites')!;
  const ofApp = (...names: string[]) => propertyOf(app().body, 'properties', ...names)?.text;

  it('run the app on Flex Consumption, on the Node of the package, and update it without ending what runs', () => {
    const [plan] = resourcesOf('infra/modules/functionApp.bicep');
    expect(propertyOf(plan!.body, 'sku')?.text).toBe("{ name: 'FC1', tier: 'FlexConsumption' }");
    const { devDependencies } = JSON.parse(read('package.json'));
    const [major] = devDependencies.node.split('.');
    expect(ofApp('functionAppConfig', 'runtime')).toBe(`{ name: 'node', version: '${major}' }`);
    expect(ofApp('functionAppConfig', 'siteUpdateStrategy', 'type')).toBe("'RollingUpdate'");
    expect(ofApp('functionAppConfig', 'scaleAndConcurrency', 'maximumInstanceCount')).toBe('maximumInstances');
    expect(ofApp('functionAppConfig', 'deployment', 'storage', 'type')).toBe("'blobContainer'");
  });

  it('let the app do everything with its one identity', () => {
    expect(propertyOf(app().body, 'identity')?.text).toBe(
      `{ type: 'UserAssigned', userAssignedIdentities: { '$${'{identityId}'}': {} } }`,
    );
    expect(ofApp('keyVaultReferenceIdentity')).toBe('identityId');
    expect(ofApp('functionAppConfig', 'deployment', 'storage', 'authentication')).toBe(
      "{ type: 'UserAssignedIdentity', userAssignedIdentityResourceId: identityId }",
    );
  });

  it('have no setting that Flex Consumption refuses', () => {
    const refused =
      /FUNCTIONS_EXTENSION_VERSION|FUNCTIONS_WORKER_(RUNTIME|PROCESS_COUNT)|WEBSITE_|SCM_DO_BUILD|ENABLE_ORYX|linuxFxVersion|alwaysOn|nodeVersion/;
    expect(read('infra/modules/functionApp.bicep')).not.toMatch(refused);
    expect(read(main)).not.toMatch(refused);
  });

  it('are closed to the public in a private network, each that holds something, and reached in it', () => {
    const closed = "privateNetwork ? 'Disabled' : 'Enabled'";
    for (const [file, property] of [
      ['storage', ['publicNetworkAccess']],
      ['keyVault', ['publicNetworkAccess']],
      ['database', ['network', 'publicNetworkAccess']],
    ] as const) {
      const [first] = resourcesOf(`infra/modules/${file}.bicep`);
      expect([file, propertyOf(first!.body, 'properties', ...property)?.text]).toEqual([file, closed]);
    }
    // What a private endpoint leads to, and the zone its name stands in, are Azure's own.
    const objects = nodesOf('infra/modules/privateEndpoints.bicep', 'object');
    const endpoints = objects.filter((object) => propertyOf(object, 'zone') !== undefined);
    expect(
      endpoints.map((one) => [
        textOf(propertyOf(one, 'group')),
        textOf(propertyOf(one, 'zone')).replace(/\$\{\w+\}/, 'SUFFIX'),
      ]),
    ).toEqual([
      ['blob', 'privatelink.blob.SUFFIX'],
      ['queue', 'privatelink.queue.SUFFIX'],
      ['table', 'privatelink.table.SUFFIX'],
      ['vault', 'privatelink.vaultcore.azure.net'],
      ['postgresqlServer', 'privatelink.postgres.database.azure.com'],
    ]);
    expect(ofApp('virtualNetworkSubnetId')).toBe('empty(subnetId) ? null : subnetId');
  });

  it('have the roles that Azure calls so', () => {
    const ids = files.flatMap((file) => [...read(file).matchAll(/(\w+)(?::| =) '(\w{8}(?:-\w{4}){3}-\w{12})'/g)]);
    expect(ids.map(([, name, id]) => [name, id]).sort()).toEqual([
      ['StorageBlobDataOwner', 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'],
      ['StorageQueueDataContributor', '974c5e8b-45b9-4653-ba55-5f855dd0fb88'],
      ['StorageTableDataContributor', '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3'],
      ['keyVaultSecretsUser', '4633458b-17de-408a-b874-0445c86b69e6'],
      ['monitoringMetricsPublisher', '3913510d-42f4-4e42-8a64-420c390055eb'],
    ]);
  });

  it('give the database server a tier for each size it may have', () => {
    const tiers = nodesOf('infra/modules/database.bicep', 'variable_declaration').find(
      (one) => nameOf(one) === 'tiers',
    )!;
    expect(childrenOf(tiers)[1]!.text).toBe("{ B: 'Burstable', D: 'GeneralPurpose', E: 'MemoryOptimized' }");
    expect(parametersOf(main).find(({ name }) => name === 'databaseSize')?.fallback).toMatch(/^Standard_[BDE]/);
  });
});

describe('azure.yaml', () => {
  const yaml = read('azure.yaml');

  it('names files and folders that are there, and deploys what was built', () => {
    const scripts = [...yaml.matchAll(/node (infra\S+)/g)].map(([, script]) => script!);
    const expected = ['infra/secretKey.mjs', 'infra/resourceProviders.mjs', 'infra/smokeTest.mjs'];
    expect(new Set(scripts)).toEqual(new Set(expected));
    for (const script of scripts) expect(read(script).length).toBeGreaterThan(100);
    expect(yaml).toMatch(/path: infra\n {2}module: main\n/);
    expect(read('vite.functions.config.ts')).toContain("outDir: path.join(root, 'dist')");
    expect(yaml).toMatch(/dist: dist\n[\s\S]*remoteBuild: false\n/);
  });

  it('shows what its hooks print, on every system', () => {
    expect(yaml.match(/interactive: true/g)).toHaveLength(yaml.match(/run: /g)!.length);
  });

  it('finds the app by the tag it has', () => {
    const [, service] = /^services:\n {2}(\w+):\n/m.exec(yaml)!;
    expect(read('infra/modules/functionApp.bicep')).toContain(`'azd-service-name': '${service}'`);
    const outputs = outputsOf(main);
    // What the smoke test reads from the environment of azd, which outputs become.
    const [, variables] = /const \{ (.*?) \} = process\.env/.exec(read('infra/smokeTest.mjs'))!;
    const asked = variables!.split(', ').filter((name) => !name.startsWith('SMOKE_'));
    // That one azd has by itself.
    outputs.push('AZURE_SUBSCRIPTION_ID');
    expect(outputs).toEqual(expect.arrayContaining(asked));
  });
});

describe('docs/deploy.md', () => {
  const guide = read('docs/deploy.md');

  it('names outputs, parameters and settings that exist', () => {
    const { parameters } = JSON.parse(read('infra/main.parameters.json')) as {
      parameters: Record<string, { value: string }>;
    };
    const asked = Object.values(parameters).map(({ value }) => /\w+/.exec(value)![0]);
    const ofAzd = [...outputsOf(main), ...asked];
    const used = (pattern: RegExp) => [...new Set([...guide.matchAll(pattern)].map(([, name]) => name!))];
    const values = used(/azd env (?:get-value|set) (\w+)/g);
    expect(values.length).toBeGreaterThan(4);
    expect(values.filter((name) => !ofAzd.includes(name))).toEqual([]);
    const described = `${ofAzd.join()} ${read('docs/settings.md')} ${read('infra/smokeTest.mjs')}`;
    const platform = read('infra/modules/functionApp.bicep');
    const names = used(/\b([A-Z]+(?:_[A-Z]+)+)\b/g).filter((name) => name !== 'FUNCTIONS_WORKER_RUNTIME');
    expect(names.filter((name) => !`${described} ${platform}`.includes(name))).toEqual([]);
  });
});

describe('the workflows', () => {
  it('run the script that everybody runs, compile the Bicep files, and publish the zip with its checksums', () => {
    const ci = read('.github/workflows/ci.yml');
    expect(ci).toContain('- run: bash .ci/run');
    expect(ci).toContain(`az bicep build --file ${main}`);
    const release = read('.github/workflows/release.yml');
    const { scripts } = JSON.parse(read('package.json'));
    const called = [...`${ci}\n${release}`.matchAll(/npm run (?:--silent )?(\w+)/g)].map(([, script]) => script!);
    expect(called).toEqual(expect.arrayContaining(['check', 'package', 'manifest']));
    expect(called.filter((script) => scripts[script] === undefined)).toEqual([]);
    // The app reports its own version.
    expect(version).toBe(JSON.parse(read('package.json')).version);
    for (const part of [
      '= "$GITHUB_REF_NAME"',
      'sha256sum * > SHA256SUMS',
      'npm sbom --sbom-format cyclonedx',
      'gh release create',
    ]) {
      expect(release).toContain(part);
    }
  });
});
