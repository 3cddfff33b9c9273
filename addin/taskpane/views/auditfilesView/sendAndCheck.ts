import type { AuditfileClient, NamedFile } from '../../../../shared/client/auditfileClient.ts';

/** Sends a file, further where it broke off, and has it checked. */
export async function sendAndCheck(
  client: AuditfileClient,
  file: NamedFile,
  report: (percent: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const same = (await client.list(signal)).filter(({ name, bytes }) => name === file.name && bytes === file.size);
  // The response of an earlier attempt may have been lost: the file is there then.
  const there = same.filter(({ state }) => state === 'checking' || state === 'checked');
  for (const one of there) if (await client.hasReceived(one, file)) return;
  const begun = same.find(({ state }) => state === 'receiving');
  const received = begun ?? (await client.receive(file, signal));
  await client.sendParts(received, file, (bytes) => report(Math.floor((100 * bytes) / file.size)), signal);
  await client.check(received.id, signal);
}
