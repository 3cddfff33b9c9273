import type { Command } from 'commander';
import { makeDemo } from '../../setup/demo/demo.ts';
import type { CommandContext } from '../context.ts';

export function addDemo(program: Command, { say, today, seconds, withDatabase }: CommandContext): void {
  program
    .command('demo')
    .description('Make a Dutch and a Belgian demo administration, and print new keys for them. They are shown once.')
    .action(() =>
      withDatabase(async (db) => {
        const credentials = await makeDemo(db, { today: today(), now: seconds(), hasRandomKeys: true });
        for (const [country, { username, apiKey }] of Object.entries(credentials)) {
          say(`${country}\tUsername: ${username}\tApiKey: ${apiKey}`);
        }
      }),
    );
}
