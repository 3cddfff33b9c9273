import { randomUUID } from 'node:crypto';
import { InvocationContext } from '@azure/functions';

/** Takes a line for whoever runs the app. */
export type Log = (line: string) => void;

/** The context of one run of a function; information, warnings and errors it logs reach the log. */
export const newContext = (functionName: string, log: Log): InvocationContext =>
  new InvocationContext({
    invocationId: randomUUID(),
    functionName,
    logHandler: (level, ...parts) => {
      if (level !== 'trace' && level !== 'debug') log(parts.map(lineOf).join(' '));
    },
  });

const lineOf = (part: unknown): string => (part instanceof Error ? (part.stack ?? part.message) : String(part));
