import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The used bytes of the heap after a garbage collection. */
export function heldMemory(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
