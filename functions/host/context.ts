import { randomUUID } from 'node:crypto';
import { InvocationContext } from '@azure/functions';

export type Log = (line: string) => void;

/** The context of one call of a function; its information, warnings and errors go to the log. */
export const newContext = (functionName: string, log: Log): InvocationContext =>
  new InvocationContext({
    invocationId: randomUUID(),
    functionName,
    logHandler: (level, ...parts) => {
      if (level !== 'trace' && level !== 'debug') log(parts.map(lineOf).join(' '));
    },
  });

const lineOf = (part: unknown): string => (part instanceof Error ? (part.stack ?? part.message) : String(part));
