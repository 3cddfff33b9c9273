import { once } from 'node:events';
import { type AddressInfo, connect, createServer, Socket } from 'node:net';
import fc from 'fast-check';
import type { SMTPServerOptions } from 'smtp-server';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type SmtpReceived, type SmtpTestServer, startSmtpServer } from '../../../../testing/documents/smtpServer.ts';
import { testCertificate } from '../../../../testing/testCertificate.ts';
import { type Mail, nextAttempt, smtpMailer } from './mailer.ts';

const servers: SmtpTestServer[] = [];
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  for (const end of ends.splice(0)) await end();
});

async function smtpServer(options: SMTPServerOptions = {}): Promise<SmtpTestServer> {
  const server = await startSmtpServer(options);
  servers.push(server);
  return server;
}

const mail = (more: Partial<Mail> = {}): Mail => ({
  to: 'inkoop@klant.example',
  subject: 'Factuur 20260117',
  text: 'Beste klant,\n\nIn de bijlage vindt u de factuur.',
  messageId: 'invoice-20260117@ledgerline',
  files: [{ name: 'factuur.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7') }],
  ...more,
});

async function send(url: string, more: Partial<Mail> = {}, requiresTls = false) {
  const mailer = smtpMailer(url, { from: 'Ledgerline <facturen@delinde.example>', requiresTls });
  try {
    return await mailer.send(mail(more));
  } finally {
    mailer.close();
  }
}

const refusing = (step: 'onConnect' | 'onMailFrom' | 'onRcptTo', responseCode: number): SMTPServerOptions => ({
  [step]: (...call: unknown[]) =>
    (call.at(-1) as (error?: Error) => void)(Object.assign(new Error('No'), { responseCode })),
});

describe('a mail', () => {
  it('arrives with its files', async () => {
    const { url, received } = await smtpServer();
    expect(await send(url)).toEqual({ kind: 'sent' });
    expect(received).toHaveLength(1);
    const [{ from, to, content }] = received as [SmtpReceived];
    expect([from, to]).toEqual(['facturen@delinde.example', ['inkoop@klant.example']]);
    expect(content).toContain('Message-ID: <invoice-20260117@ledgerline>');
    expect(content).toMatch(/Content-Disposition: attachment; filename=factuur\.pdf/);
    expect(content).toContain(Buffer.from('%PDF-1.7').toString('base64'));
  });

  it.each([
    ['De Linde (Zeist) <facturen@delinde.example>', '"De Linde (Zeist)" <facturen@delinde.example>'],
    ['Facturen: De Linde <facturen@delinde.example>', '"Facturen: De Linde" <facturen@delinde.example>'],
    ['Linde; Zonen <facturen@delinde.example>', '"Linde; Zonen" <facturen@delinde.example>'],
    ['"Linde, Zonen" <facturen@delinde.example>', '"Linde, Zonen" <facturen@delinde.example>'],
    ['<facturen@delinde.example>', 'facturen@delinde.example'],
    [' facturen@delinde.example ', 'facturen@delinde.example'],
  ])('sent as %j comes from %j', async (from, header) => {
    const { url, received } = await smtpServer();
    const mailer = smtpMailer(url, { from, requiresTls: false });
    expect(await mailer.send(mail())).toEqual({ kind: 'sent' });
    mailer.close();
    expect(received.map((one) => [one.from, /^From: (.*)\r$/m.exec(one.content)?.[1]])).toEqual([
      ['facturen@delinde.example', header],
    ]);
  });

  it('gets no other headers or recipients from the text of its subject, name or address', async () => {
    const { url, received } = await smtpServer();
    const hostile = fc.string({
      unit: fc.constantFrom(
        '\r',
        '\n',
        '\r\n',
        'Bcc: a@b.example',
        ' ',
        ',',
        ';',
        '<',
        '>',
        '"',
        '\u0000',
        'é',
        '\u2028',
        ':',
        'x@y.example',
      ),
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, async (subject, name, reference) => {
        received.length = 0;
        await send(url, { subject, messageId: `${reference}@x`, files: [{ ...mail().files[0]!, name }] });
        for (const { to, content } of received) {
          expect(to).toEqual(['inkoop@klant.example']);
          const head = content.slice(0, content.indexOf('\r\n\r\n'));
          const names = [...head.matchAll(/^([A-Za-z-]+):/gm)].map(([, one]) => one!.toLowerCase());
          const usual = [
            'from',
            'to',
            'subject',
            'message-id',
            'content-transfer-encoding',
            'date',
            'mime-version',
            'content-type',
          ];
          expect(names.filter((one) => !usual.includes(one))).toEqual([]);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('goes to at most one recipient, for any address', async () => {
    const { url, received } = await smtpServer();
    for (const to of [
      'a@b.example, c@d.example',
      'a@b.example\r\nBcc: c@d.example',
      '"x" <a@b.example>, c@d.example',
    ]) {
      await send(url, { to });
    }
    for (const one of received) expect(one.to).not.toContain('c@d.example');
  });
});

describe('the outcome of a mail', () => {
  it.each([
    ['onMailFrom', 451, 'deferred'],
    ['onMailFrom', 550, 'refused'],
    ['onRcptTo', 450, 'deferred'],
    ['onRcptTo', 550, 'refused'],
  ] as const)('with the response to %s of status %i is %s', async (step, responseCode, kind) => {
    const { url } = await smtpServer(refusing(step, responseCode));
    expect(await send(url)).toMatchObject({ kind });
  });

  it.each([
    ['onConnect', 554],
    ['onMailFrom', 530],
  ] as const)('is deferred when the server takes no mail at all: %s, status %i', async (step, responseCode) => {
    const { url } = await smtpServer(refusing(step, responseCode));
    expect(await send(url)).toMatchObject({ kind: 'deferred' });
  });

  it.each([
    [452, 'deferred'],
    [554, 'refused'],
  ] as const)('with the response to the content of status %i is %s', async (responseCode, kind) => {
    const { url } = await smtpServer({
      onData(stream, _session, done) {
        stream.resume();
        stream.on('end', () => done(Object.assign(new Error('No'), { responseCode })));
      },
    });
    expect(await send(url)).toMatchObject({ kind });
  });

  it('without a server is deferred', async () => {
    expect(await send('smtp://127.0.0.1:1')).toMatchObject({ kind: 'deferred' });
  });

  /** A proxy that cuts the connection. @param cuts called with it, and with each part that the client sends */
  async function cutBy(url: string, cuts: (cut: () => void, sent: string) => void): Promise<string> {
    const proxy = createServer((client) => {
      const server = connect(Number(new URL(url).port), '127.0.0.1');
      const cut = () => [client, server].forEach((socket) => void socket.destroy());
      client.on('data', (sent) => cuts(cut, String(sent)));
      client.pipe(server);
      server.pipe(client);
      for (const socket of [client, server]) socket.on('error', () => {});
    });
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    ends.push(() => new Promise((resolve) => proxy.close(resolve)));
    return `smtp://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  }

  it('is deferred when the connection breaks before the content was sent', async () => {
    const { url } = await smtpServer();
    const cut = await cutBy(url, (end, sent) => sent.startsWith('MAIL FROM') && end());
    expect(await send(cut)).toMatchObject({ kind: 'deferred' });
  });

  describe('while its content is being sent', () => {
    /** More than the system takes of what nobody reads. */
    const scan = { name: 'scan.pdf', contentType: 'application/pdf', content: Buffer.alloc(32_000_000) };

    it('is deferred when the connection breaks', async () => {
      const { url } = await smtpServer();
      const cut = await cutBy(url, (end, sent) => sent.includes('Message-ID') && end());
      expect(await send(cut, { files: [scan] })).toMatchObject({ kind: 'deferred' });
    });

    it('is interrupted when its signal ends the attempt', async () => {
      const ended = new AbortController();
      // Reads the beginning, and nothing more.
      const { url, received } = await smtpServer({ onData: (stream) => stream.once('readable', () => ended.abort()) });
      const mailer = smtpMailer(url, { from: 'facturen@delinde.example', requiresTls: false });
      expect(await mailer.send(mail({ files: [scan] }), ended.signal)).toMatchObject({ kind: 'interrupted' });
      mailer.close();
      expect(received).toEqual([]);
    });
  });

  it('is unknown when the connection breaks after the content was sent', async () => {
    let cut = () => {};
    const { url } = await smtpServer({
      onData(stream) {
        stream.resume();
        stream.on('end', () => cut());
      },
    });
    const proxy = await cutBy(url, (end) => {
      cut = end;
    });
    expect(await send(proxy)).toMatchObject({
      kind: 'unknown',
      reason: expect.stringMatching(/^The mail server did not say whether it accepted the mail \(.+\)\.$/),
    });
  });

  it('is waited for while a server looks at it for minutes, and so is not unknown', async () => {
    const { url, received } = await smtpServer();
    const silences: number[] = [];
    const { setTimeout } = Socket.prototype;
    const watched = vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, ended) {
      if (this.remotePort === Number(new URL(url).port)) silences.push(ms);
      return setTimeout.call(this, ms, ended);
    });
    onTestFinished(() => watched.mockRestore());
    expect(await send(url)).toEqual({ kind: 'sent' });
    expect(received).toHaveLength(1);
    // 0 is without a limit.
    const limits = silences.filter((ms) => ms > 0);
    expect(limits.length).toBeGreaterThan(0);
    expect(Math.min(...limits)).toBeGreaterThanOrEqual(5 * 60_000);
  });

  it('leads to seven retries after growing pauses, within three days, and to none after the last', () => {
    const pauses = Array.from({ length: 9 }, (_, index) => nextAttempt(index + 1));
    const known = pauses.filter((pause) => pause !== undefined);
    expect(known).toEqual([...known].sort((a, b) => a - b));
    expect(known).toHaveLength(7);
    const hours = known.reduce((sum, pause) => sum + pause, 0) / 3600;
    expect(hours).toBeGreaterThan(48);
    expect(hours).toBeLessThan(72);
    expect(pauses.at(-1)).toBeUndefined();
  });
});

describe('the sign-in to the mail server', () => {
  const secret = 'zeer-geheim-1';
  const withSignIn = (url: string) => url.replace('//', `//anna:${secret}@`);

  it('is not sent without TLS where that is required', async () => {
    const seen: string[] = [];
    const { url, received } = await smtpServer({
      authMethods: ['PLAIN', 'LOGIN'],
      onAuth: ({ username }, _session, done) => {
        seen.push(username!);
        done(null, { user: username });
      },
    });
    const outcome = await send(withSignIn(url), {}, true);
    expect(outcome).toMatchObject({ kind: 'deferred', reason: expect.stringMatching(/TLS/) });
    expect([seen, received]).toEqual([[], []]);
    expect(await send(withSignIn(url), {})).toEqual({ kind: 'sent' });
    expect(seen).toEqual(['anna']);
  });

  it('goes out by STARTTLS where the server offers it', async () => {
    const { url, received } = await smtpServer({
      ...testCertificate,
      disabledCommands: [],
      onAuth: ({ username }, { secure }, done) => done(null, secure ? { user: username } : {}),
    });
    expect(await send(`${withSignIn(url)}?tls.rejectUnauthorized=false`, {}, true)).toEqual({ kind: 'sent' });
    expect(received).toHaveLength(1);
  });

  it.each(['PLAIN', 'LOGIN'])('is in no reason, if the server repeats it (%s)', async (method) => {
    for (const step of ['onAuth', 'onMailFrom'] as const) {
      const text = [secret, Buffer.from(secret), Buffer.from(`\0anna\0${secret}`)]
        .map((one) => (typeof one === 'string' ? one : one.toString('base64')))
        .join(' ');
      const failure = Object.assign(new Error(`No: ${text}`), { responseCode: step === 'onAuth' ? 535 : 550 });
      const { url } = await smtpServer({
        authMethods: [method],
        onAuth: ({ username }, _session, done) => done(step === 'onAuth' ? failure : null, { user: username }),
        ...(step === 'onMailFrom' ? { onMailFrom: (_address, _session, done) => done(failure) } : {}),
      });
      expect(await send(withSignIn(url))).toEqual({
        kind: step === 'onAuth' ? 'deferred' : 'refused',
        reason: `The mail server refused the sign-in or a mail (${step === 'onAuth' ? 535 : 550}).`,
      });
    }
  });
});
