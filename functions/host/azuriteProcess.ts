import { createRequire } from 'node:module';
import { azuriteProgram } from './azurite.ts';

/* Azurite as a child process, which ends with its parent. */

/** Milliseconds for writing its data when the parent has ended. */
const MAX_CLOSE_MS = 1500;

process.on('disconnect', () => {
  // Azurite waits for connections, and knows no SIGTERM while it starts.
  setTimeout(() => process.exit(), MAX_CLOSE_MS);
  process.kill(process.pid, 'SIGTERM');
});
// Its output can no longer be written then, which is no error.
process.stdout.on('error', () => {});
// It then writes its data and closes; the channel to the parent must not keep it running.
process.on('SIGTERM', () => process.channel?.unref());
createRequire(import.meta.url)(azuriteProgram());
