import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { writingBack } from './writeBack.ts';

it('asks the disk for each eight megabytes of a file, once at a time', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'write-back-'));
  const handle = await open(path.join(folder, 'file'), 'w');
  const asked: Promise<void>[] = [];
  const disk = {
    datasync() {
      asked.push(handle.datasync());
      return asked.at(-1)!;
    },
  };
  const onWritten = writingBack(disk);
  const write = async (megabytes: number) => {
    await handle.writeFile(Buffer.alloc(megabytes * 1_000_000));
    onWritten(megabytes * 1_000_000);
  };

  await write(7);
  expect(asked).toHaveLength(0);
  await write(1);
  expect(asked).toHaveLength(1);
  // It may be under way still.
  onWritten(9_000_000);
  expect(asked).toHaveLength(1);
  await Promise.all(asked);
  await write(1);
  expect(asked).toHaveLength(2);

  await handle.close();
  await Promise.all(asked);
  await rm(folder, { recursive: true });
});

it('goes on after the disk failed', async () => {
  let asked = 0;
  const onWritten = writingBack({
    async datasync() {
      asked++;
      throw new Error('EIO');
    },
  });
  for (let time = 1; time <= 2; time++) {
    onWritten(8_000_000);
    expect(asked).toBe(time);
    await new Promise(setImmediate);
  }
});
