import { globSync, rmSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { dateIn } from '../../../shared/wire/calendarDate.ts';
import { buildPages } from './buildPages.ts';
import { compileCache } from './compileCache.ts';

/* Run by npm at the end of an installation. */

/** The oldest Node that every package here says it runs on. */
const MIN_NODE_VERSION = 22;

const version = Number(/\bnode\/v(\d+)/.exec(process.env.npm_config_user_agent ?? '')?.[1]);
if (version < MIN_NODE_VERSION)
  console.log(
    `Node ${version} will do, whatever npm warned of above (EBADENGINE): the commands here run on Node ${process.versions.node}, which was just installed.`,
  );
const root = path.resolve(import.meta.dirname, '../../..');

// The headers of Node are 67 MB, for add-ons in C++; nothing here compiles any.
for (const headers of globSync('node_modules/node/node_modules/node-*/include', { cwd: root })) {
  rmSync(path.join(root, headers), { recursive: true });
}

// So that `npm start` need not make them: the pages, what the app runs, and the demo.
const pages = buildPages(root);
enableCompileCache(compileCache);
await import('../localApp.ts');
const { demoDatabase } = await import('./demoDatabase.ts');
const { readSettings } = await import('../../settings.ts');
await demoDatabase(root, dateIn(readSettings({}).timeZone, new Date()));
await pages;
