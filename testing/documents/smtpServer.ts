import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export type SmtpReceived = { from: string; to: string[]; content: string };
export type SmtpTestServer = Awaited<ReturnType<typeof startSmtpServer>>;

/** A real SMTP server that stores the received mails. */
export async function startSmtpServer(options: SMTPServerOptions = {}) {
  const received: SmtpReceived[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const to = envelope.rcptTo.map(({ address }) => address);
        received.push({ from, to, content: Buffer.concat(chunks).toString() });
        done();
      });
    },
    ...options,
  });
  // Tests break connections on purpose.
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    received,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
