import { Readable } from 'node:stream';

type MailFile = { name: string; contentType: string; content: Uint8Array };

export type Mail = {
  to: string;
  subject: string;
  text: string;
  /** The Message-ID: the same mail always has the same one. */
  messageId: string;
  files: readonly MailFile[];
};

export type MailOutcome =
  | { kind: 'sent' }
  /** The server could not be reached, or refused it for a temporary reason. */
  | { kind: 'deferred'; reason: string }
  /** The server refused it finally. */
  | { kind: 'refused'; reason: string }
  /** It was sent, and it is not known whether the server accepted it. */
  | { kind: 'unknown'; reason: string }
  /** The signal ended the attempt before all of it was sent. */
  | { kind: 'interrupted'; reason: string };

export type Mailer = {
  /** @param signal ends the attempt: the connection is closed */
  send(mail: Mail, signal?: AbortSignal): Promise<MailOutcome>;
  close(): void;
};

/** How far the content of a mail is: the server has not got its end before all of it is sent. */
type Progress = 'waiting' | 'begun' | 'sent';

/** The part of a mail that the library passes to the plugin. */
type ContentListener = { onContent?: (progress: Progress) => void };

const CONNECT_MS = 60_000;
/**
 * How long the server may be silent. Many look at the whole mail before they reply to its content. RFC 5321 (4.5.3.2)
 * allows them five minutes for each step, and ten for this one; but the platform ends the worker after ten, with all that
 * it does.
 */
const REPLY_MS = 300_000;

/** Bytes that are passed on at a time: of a whole file at once it would not be known how much is sent. */
const PIECE = 65_536;

/**
 * Sends mail through an SMTP server.
 * @param url `smtp://user:password@host:port`, or smtps
 * @param options.from the address, or `Name <address>`, mail comes from
 * @param options.requiresTls mail and the password leave by TLS only
 */
export function smtpMailer(url: string, options: MailerOptions): Mailer {
  const secrets = secretsOf(url);
  let opened: ReturnType<typeof openTransport> | undefined;
  return {
    async send({ to, subject, text, messageId, files }, signal) {
      opened ??= openTransport(url, options);
      const transport = await opened;
      let progress: Progress = 'waiting';
      try {
        const content: ContentListener = {
          onContent: (reached) => {
            progress = reached;
          },
        };
        await transport.sendMail({
          ...content,
          ...(signal === undefined ? {} : { signal }),
          // As an object the address is always one recipient.
          to: { name: '', address: header(to) },
          subject: header(subject),
          text,
          messageId: `<${header(messageId)}>`,
          attachments: files.map(({ name, contentType, content }) => ({
            filename: header(name),
            contentType,
            content: Buffer.from(content),
          })),
        });
        return { kind: 'sent' };
      } catch (thrown) {
        return outcomeOf(thrown, secrets, { progress, isEnded: signal?.aborted ?? false });
      }
    },
    close: () => void opened?.then((transport) => transport.close()),
  };
}

type MailerOptions = { from: string; requiresTls: boolean };

async function openTransport(url: string, { from, requiresTls }: MailerOptions) {
  // Loaded only here: an app without a mail server does not need it.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(
    {
      url,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: REPLY_MS,
      // Attachments are in memory: no file or URL named in a text is read.
      disableFileAccess: true,
      disableUrlAccess: true,
      requireTLS: requiresTls,
    },
    { from: senderOf(from) },
  );
  // The server has accepted the envelope when the content is read. Once all is read, it may get the end of it, and then
  // a lost connection leaves it unknown; half a mail is discarded.
  transport.use('stream', ({ data, message }, done) => {
    message.processFunc((content) => Readable.from(announced(content, data as ContentListener), { objectMode: false }));
    done();
  });
  return transport;
}

/** The name and the address of a sender. As one text, signs such as (, : and ; in its name would be syntax. */
function senderOf(from: string): { name: string; address: string } {
  const at = from.lastIndexOf('<');
  const given = from.slice(0, Math.max(0, at)).trim();
  const address = from
    .slice(at + 1)
    .replace('>', '')
    .trim();
  const [, quoted] = /^"(.*)"$/.exec(given) ?? [];
  return { name: quoted?.replace(/\\(.)/g, '$1') ?? given, address };
}

async function* announced(
  content: AsyncIterable<Uint8Array>,
  { onContent }: ContentListener,
): AsyncGenerator<Uint8Array> {
  onContent?.('begun');
  for await (const block of content) {
    for (let at = 0; at < block.length; at += PIECE) yield block.subarray(at, at + PIECE);
  }
  onContent?.('sent');
}

/** The text of a header: one line, without control characters. The library encodes the rest. */
const header = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

/** The password of an address, and the forms in which it is sent. */
function secretsOf(url: string): string[] {
  const { username, password } = new URL(url);
  if (password === '') return [];
  const [user, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  const encoded = [secret, `\0${user}\0${secret}`].map((text) => Buffer.from(text).toString('base64'));
  return [secret, password, ...encoded];
}

type SmtpError = { code?: string; responseCode?: number; message?: string };

/**
 * The outcome after a failure: the reply of the server decides; without one, whether all of it was sent.
 * @param state.isEnded whether the signal ended the attempt
 */
function outcomeOf(
  thrown: unknown,
  secrets: readonly string[],
  state: { progress: Progress; isEnded: boolean },
): MailOutcome {
  const { code, responseCode, message = '' } = Object(thrown) as SmtpError;
  // A server may repeat the sign-in in any reply, and reasons are stored and logged.
  const isTelling = code === 'EAUTH' || secrets.some((secret) => message.includes(secret));
  const response = responseCode === undefined ? '' : ` (${responseCode})`;
  const reason = isTelling ? `The mail server refused the sign-in or a mail${response}.` : message.slice(0, 500);
  // Authentication and TLS concern the settings, not this mail; a greeting or 530 refuses every mail, as they do.
  const isOfSettings = code === 'EAUTH' || code === 'ENOAUTH' || code === 'ETLS' || responseCode === 530;
  const isOfConnection = (code === 'EPROTOCOL' || code === 'ECONNECTION') && responseCode !== undefined;
  if (isOfSettings || (isOfConnection && state.progress === 'waiting')) return { kind: 'deferred', reason };
  if (responseCode !== undefined && responseCode >= 500) return { kind: 'refused', reason };
  if (responseCode !== undefined && responseCode >= 400) return { kind: 'deferred', reason };
  if (code === 'EENVELOPE') return { kind: 'refused', reason };
  if (state.progress === 'sent') {
    // What the library says is as short as "Timeout".
    return { kind: 'unknown', reason: `The mail server did not say whether it accepted the mail (${reason}).` };
  }
  return { kind: state.isEnded ? 'interrupted' : 'deferred', reason };
}

/** Minutes after an invoice is made that its mail is due. */
export const DEFAULT_MAIL_DELAY_MINUTES = 30;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Seconds until a deferred mail is tried again, for each attempt; after the last it is not tried again. */
const backoff = [5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR];

/** The delay before the next attempt; `undefined` after the last attempt. @param attempts from 1 */
export const nextAttempt = (attempts: number): number | undefined => backoff[attempts - 1];
