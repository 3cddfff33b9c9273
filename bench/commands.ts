import path from 'node:path';
import { startScript } from '../testing/appProcess.ts';
import { inFolder, nodeOptionsOf, type Ratio } from './measure.ts';
import { writeShop } from './shop.ts';

/** Lines of the invoices that are compared: a busy shop, and one that sells a tenth of it. */
const [FEW, MANY] = [54_000, 540_000];

/** How long a command took, and the most that its process held. */
type Measured = { ms: number; megabytes: number };
const verbs = ['import', 'check', 'export', 'import all'] as const;
type Verb = (typeof verbs)[number];

/** Seconds in which half a million lines are to be done, on two quiet cores. */
const aims: Readonly<Record<Verb, number>> = { import: 20, check: 8, export: 12, 'import all': 35 };

/**
 * The commands that read or write all of an administration, with half a million lines of invoices: how their time and
 * their memory grow with the lines.
 */
export const measureCommands = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const few = await commandsWith(path.join(folder, 'few'), FEW);
    const many = await commandsWith(path.join(folder, 'many'), MANY);
    return verbs.flatMap((verb): Ratio[] => {
      const of = `${verb} of ${MANY} invoice lines, against ${FEW}`;
      const aim = `aim ${aims[verb]} s`;
      return [
        {
          name: `time of ${of} (${aim})`,
          ours: many[verb].ms,
          bare: few[verb].ms,
          unit: 'ms',
          aim: MANY / FEW,
        },
        {
          name: `peak memory of ${of}`,
          ours: many[verb].megabytes,
          bare: few[verb].megabytes,
          unit: 'MB',
          aim: 1.2,
        },
      ];
    });
  });

async function commandsWith(name: string, lines: number): Promise<Record<Verb, Measured>> {
  const database = `sqlite:${name}.sqlite`;
  const run = (...args: string[]) => measureCommand(database, args);
  const files = await writeShop(name, lines);
  await run('create', '--name', 'Bench', '--country', 'NL', '--years', '2026');
  await run('import', 'relations', files.relations, '--administration', '1');
  await run('import', 'products', files.products, '--administration', '1');
  return {
    import: await run('import', 'invoices', files.invoices, '--administration', '1'),
    check: await run('check', '--administration', '1'),
    export: await run('export', '--administration', '1', `${name}.archive`),
    'import all': await run('import', 'all', `${name}.archive`, '--name', 'Again'),
  };
}

/** A command line of `npm run administration` in a process of its own. */
export async function measureCommand(database: string, args: readonly string[]): Promise<Measured> {
  const start = performance.now();
  const nodeOptions = nodeOptionsOf('functions/administrations/builtin/cli/command.ts');
  const child = startScript('bench/commandOnce.ts', { DATABASE_URL: database }, { args, nodeOptions });
  const [code] = await child.ended;
  const measured = /^megabytes (.*)$/.exec(child.lines().at(-1) ?? '')?.[1];
  if (code !== 0 || measured === undefined) {
    throw new Error(`${args.join(' ')} ended with ${code}: ${child.errorOutput().slice(-2000)}`);
  }
  return { ms: performance.now() - start, megabytes: Number(measured) };
}
