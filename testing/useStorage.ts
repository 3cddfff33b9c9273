import { readSettings } from '../functions/settings.ts';
import { openStorage } from '../functions/storage/storage.ts';

/* Uses the storage account of its settings as the app does, in a process, and prints the results. */

const storage = openStorage(readSettings(process.env).storage!);
const table = storage.table('rows');
const row = { partition: 'a', key: 'b', values: { text: 'c' } };
const version = await table.insert(row);
await table.replace({ ...row, values: { text: 'd' } }, version!);
const blob = await storage.blobs('files').blob('folder/file');
await blob.commit([await blob.stage(Buffer.from('hello'))]);
const copy = await storage.blobs('files').blob('folder/copy');
await copy.copyFrom(blob);
await storage.queue('messages').send({ number: 1 });
const [message] = await storage.queue('messages').receive(1, 30);
const lease = await storage.lease('name');
console.log(
  `found ${JSON.stringify({
    row: (await table.get('a', 'b'))?.values.text,
    blob: Buffer.concat(await Array.fromAsync(copy.bytes())).toString(),
    paths: await Array.fromAsync(storage.blobs('files').list('folder/')),
    message: Buffer.from(message!.text, 'base64').toString(),
    isLeased: await storage.isLeased('name'),
  })}`,
);
await lease!.release();
