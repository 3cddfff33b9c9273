import { PassThrough } from 'node:stream';

export type MailFile = { name: string; contentType: string; content: Uint8Array };

export type Mail = {
  to: string;
  subject: string;
  text: string;
  /** Names the message for good: the same mail has the same. */
  messageId: string;
  files: readonly MailFile[];
};

/** What became of a mail that was given to the mail server. */
export type MailOutcome =
  | { kind: 'sent' }
  /** The server did not take it, for a reason that passes, or was not reached. */
  | { kind: 'put off'; reason: string }
  /** The server will not take it. */
  | { kind: 'refused'; reason: string }
  /** It was given, and it is not known whether the server took it. */
  | { kind: 'unknown'; reason: string };

export type Mailer = { send(mail: Mail): Promise<MailOutcome>; close(): void };

/** What the library hands to the plugin with the rest of a mail. */
type ContentListener = { onContent?: () => void };

const TIMEOUT_MS = 60_000;

/**
 * Sends mail through an SMTP server.
 * @param url `smtp://user:password@host:port`, or smtps
 * @param from the address, or `Name <address>`, mail comes from
 */
export function smtpMailer(url: string, from: string): Mailer {
  let opened: ReturnType<typeof openTransport> | undefined;
  return {
    async send({ to, subject, text, messageId, files }) {
      opened ??= openTransport(url, from);
      const transport = await opened;
      let isUnderWay = false;
      try {
        const content: ContentListener = {
          onContent: () => {
            isUnderWay = true;
          },
        };
        await transport.sendMail({
          ...content,
          // As an object the address is one recipient, whatever is in it.
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
        return outcomeOf(thrown, isUnderWay);
      }
    },
    close: () => void opened?.then((transport) => transport.close()),
  };
}

async function openTransport(url: string, from: string) {
  // Loaded only here: an app without a mail server does without.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport(
    {
      url,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // What is attached is in memory: nothing is read from disk or fetched because a text names it.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  // The content is asked for once the server has been greeted; when it was, a line that breaks leaves the outcome unknown.
  transport.use('stream', ({ data, message }, done) => {
    message.transform(() => {
      (data as ContentListener).onContent?.();
      return new PassThrough();
    });
    done();
  });
  return transport;
}

/** Text as a header can hold it: on one line, without control characters. What else is in it, the library encodes. */
const header = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();

type SmtpError = { code?: string; responseCode?: number; message?: string };

/** What a failure says of a mail: a reply of the server decides; without one, whether its content was under way. */
function outcomeOf(thrown: unknown, isUnderWay: boolean): MailOutcome {
  const { code, responseCode, message = '' } = Object(thrown) as SmtpError;
  const reason = message.slice(0, 500);
  // Who may send is a setting's matter, not this mail's fault.
  if (code === 'EAUTH' || code === 'ENOAUTH') return { kind: 'put off', reason };
  if (responseCode !== undefined && responseCode >= 500) return { kind: 'refused', reason };
  if (responseCode !== undefined && responseCode >= 400) return { kind: 'put off', reason };
  if (code === 'EENVELOPE') return { kind: 'refused', reason };
  return isUnderWay ? { kind: 'unknown', reason } : { kind: 'put off', reason };
}

/** Minutes after an invoice is made that its mail is due. */
export const DEFAULT_MAIL_DELAY_MINUTES = 30;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Seconds until a mail that was put off is tried again: growing, and in the end for good. */
const backoff = [5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR];

/** When to try again after so many attempts; `undefined` when there have been enough. @param attempts from 1 */
export const nextAttempt = (attempts: number): number | undefined => backoff[attempts - 1];
