import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

/*
 * Has Node keep what it compiled, for commands: `--import` of this file. It is JavaScript, since what removes types takes
 * 17 MB, and then it is not loaded: what is kept has none. The folder is that of compileCache.ts.
 */

// Only the owner may read it.
process.umask(0o077);
enableCompileCache(fileURLToPath(new URL('../../../.cache/compiled', import.meta.url)));
