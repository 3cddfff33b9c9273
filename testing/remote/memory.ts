import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that are held, now that garbage has been collected. */
export function heldMemory(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
