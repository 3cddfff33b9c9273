import { runCommand } from '../functions/administrations/builtin/cli/command.ts';

/* One command line of `npm run administration`, and the most that its process held. */

process.exitCode = await runCommand(process.argv.slice(2), {
  env: process.env,
  say: () => {},
  complain: (line) => console.error(line),
  now: () => new Date(),
  interruption: () => new AbortController().signal,
});
console.log(`megabytes ${(process.resourceUsage().maxRSS / 1024).toFixed(0)}`);
