import { createRequire } from 'node:module';
import { azuriteProgram } from './azurite.ts';

/* Azurite as a child process, which ends with its parent. */

process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// What it says then goes nowhere, which is no error of its own.
process.stdout.on('error', () => {});
// It then writes what it holds and closes; the channel to the parent alone must not keep it.
process.on('SIGTERM', () => process.channel?.unref());
createRequire(import.meta.url)(azuriteProgram());
