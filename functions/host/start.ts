import { enableCompileCache } from 'node:module';
import { compileCache } from './installation/compileCache.ts';

/* `npm start`. What the app needs is imported after this. */

// Only the owner may read the data, the files of Azurite and what is compiled.
process.umask(0o077);
enableCompileCache(compileCache);
const { run } = await import('./localApp.ts');
const { startError } = await import('./startError.ts');
run().catch((failure) => {
  console.error(startError(failure));
  // The storage may run by now; it ends with this process.
  process.exit(1);
});
