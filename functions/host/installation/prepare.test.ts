import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/** The output at the end of an installation with a version of Node. */
const installedOn = async (node: string): Promise<string> => {
  const npm_config_user_agent = `npm/11.6.0 node/${node} linux x64 workspaces/false`;
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, 'prepare.ts')], {
    env: { PATH: process.env.PATH, npm_config_user_agent },
  });
  return stdout;
};

it('an installation on Node 20 prints that this Node suffices, since npm warned about it', async () => {
  const lines = (await installedOn('v20.19.5')).split('\n').filter((line) => line.includes('EBADENGINE'));
  expect(lines).toEqual([expect.stringContaining(`Node 20 will do`)]);
  expect(lines[0]).toContain(`run on Node ${process.versions.node}`);
});

it.each(['v22.20.0', 'v24.1.0'])('an installation on Node %s prints nothing about it', async (node) => {
  expect(await installedOn(node)).not.toContain('EBADENGINE');
});
