import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type ResourceName, resources } from '../import/resources.ts';
import { runCommand } from './command.ts';

async function helpOf(...words: string[]): Promise<string> {
  const said: string[] = [];
  const io = { env: {}, say: (line: string) => said.push(line), complain: () => {}, now: () => new Date(0) };
  expect(await runCommand([...words, '--help'], io)).toBe(0);
  return said.join('\n');
}

/** The columns in the documentation of a resource, and whether each is required there. */
function documented(resource: ResourceName): Map<string, boolean> {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../../../docs/import.md'), 'utf8');
  const section = text.split('\n## ').find((one) => one.includes(`\`import ${resource}\``))!;
  const rows = section.split('\n').filter((line) => /^\| (?!column)/.test(line) && line.split('|').length > 5);
  return new Map(
    rows.flatMap((row) => {
      const [, names = '', required = ''] = row.split('|').map((cell) => cell.trim());
      if (names.startsWith('Custom:')) return [];
      return names.split(', ').map((name): [string, boolean] => [name, required === 'required']);
    }),
  );
}

test.each(Object.keys(resources) as ResourceName[])(
  'import %s --help lists every column that is documented',
  async (resource) => {
    const lines = (await helpOf('import', resource)).split('\n');
    const columns = lines.slice(lines.findIndex((line) => line.startsWith('Columns')) + 1);
    const listed = new Map(columns.map((line) => [/^ {2}([^\s:]+)/.exec(line)![1]!, line]));
    for (const [name, required] of documented(resource)) {
      if (/^\w+2_/.test(name)) continue;
      expect({ name, isListed: listed.has(name) }).toEqual({ name, isListed: true });
      if (required && resources[resource].columns[name]!.required) expect(listed.get(name)).toMatch(/ required {2}\S/);
    }
    for (const name of Object.keys(resources[resource].columns)) expect(documented(resource).has(name)).toBe(true);
  },
);

test('the help of an import describes what each column holds', async () => {
  const accounts = await helpOf('import', 'accounts');
  expect(accounts).toMatch(/ {2}FiscalYear +required {2}a whole number from 1900 to 9999$/m);
  expect(accounts).toMatch(/ {2}DebetOrCredit +required {2}debet or credit$/m);
  expect(accounts).toMatch(/ {2}Countrycode {2,}NL or BE; must be that of the administration$/m);
  const invoices = await helpOf('import', 'invoices');
  expect(invoices).toMatch(/ {2}InvoiceDate +a date as dd-MM-yyyy or yyyy-MM-dd; required in the first row$/m);
  expect(invoices).toMatch(/ {2}TaxPc +a percentage from -1 to 100$/m);
  const relations = await helpOf('import', 'relations');
  expect(relations).toContain('Contact2_... to Contact99_...: further contacts');
  expect(await helpOf('import')).toMatch(/ {2}auditfile \[options\] <file>/);
  expect(await helpOf('import', 'auditfile')).toMatch(/ {2}--replace +replace the opening balance and the entries/);
});
