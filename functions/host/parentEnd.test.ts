import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';

it('A parent that ended while the app started is noticed as well', async () => {
  const script = `
    const { onParentEnd } = await import(${JSON.stringify(path.join(import.meta.dirname, 'parentEnd.ts'))});
    const before = process.ppid;
    console.log('starting');
    while (process.ppid === before) await new Promise((resolve) => setTimeout(resolve, 10));
    const alive = setTimeout(() => console.log('not noticed'), 10_000);
    onParentEnd(() => {
      clearTimeout(alive);
      console.log('noticed');
    });
  `;
  const command = ['-c', '"$0" --input-type=module --eval "$1" & wait', process.execPath, script];
  const shell = spawn('sh', command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  for await (const line of createInterface({ input: shell.stdout })) {
    lines.push(line);
    if (line === 'starting') shell.kill('SIGTERM');
  }
  expect(lines).toEqual(['starting', 'noticed']);
});
