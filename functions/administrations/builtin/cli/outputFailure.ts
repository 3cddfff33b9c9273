import { reasonOf } from '../files/commandError.ts';

/**
 * Ends a command with 1, and says why, when its output is lost, as in a file on a full disk: the console is silent about
 * that. A reader that has read enough, such as `head`, loses nothing.
 */
export function reportLostOutput(complain: (line: string) => void): void {
  process.stdout.on('error', (failure: NodeJS.ErrnoException) => {
    if (failure.code === 'EPIPE') return;
    complain(`The output cannot be written: ${reasonOf(failure)}.`);
    process.on('exit', () => {
      process.exitCode ||= 1;
    });
  });
}
