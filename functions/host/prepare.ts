import path from 'node:path';
import { buildPages } from './buildPages.ts';

/* Run by npm at the end of an installation. */

/** The oldest Node that every package here says it runs on. */
const OLDEST_UNWARNED = 22;

const version = Number(/\bnode\/v(\d+)/.exec(process.env.npm_config_user_agent ?? '')?.[1]);
if (version < OLDEST_UNWARNED)
  console.log(
    `Node ${version} will do, whatever npm warned of above (EBADENGINE): the commands here run on Node ${process.versions.node}, which was just installed.`,
  );
// `npm start` then has them.
await buildPages(path.resolve(import.meta.dirname, '../..'));
