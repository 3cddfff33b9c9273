import { isIP } from 'node:net';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { Cron } from 'croner';
import { z } from 'zod';
import { DEFAULT_MAIL_DELAY_MINUTES } from './administrations/documents/mail/mailer.ts';
import type { RemoteSettings } from './administrations/remote/remote.ts';
import { addressesOf, type StorageAccount } from './storage/account.ts';

/** A variable that is empty counts as not set. */
const variable = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

const port = 'expected a port: a whole number from 0 to 65535';

/** Relations are exported at two every night, unless the settings say otherwise. */
export const DEFAULT_EXPORT_SCHEDULE = '0 0 2 * * *';

const schema = z.object({
  /** Where `npm start` listens. */
  PORT: variable(z.coerce.number(port).int(port).min(0, port).max(65_535, port).default(7071)),
  /** The address `npm start` listens at: this machine's own, unless others on the network are to reach it. */
  HOST: variable(
    z
      .string()
      .refine(isHost, 'expected an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them')
      .default('127.0.0.1'),
  ),
  /** Where `npm start` keeps its data. */
  DATA_DIR: variable(z.string().default('.data')),
  DATABASE_URL: variable(
    // The message does not repeat the value: it may hold a password.
    z
      .string()
      .refine(isDatabaseUrl, 'expected sqlite: and the path of a file, or postgres://user:password@host:port/database')
      .refine(isPrivateConnection, 'expected sslmode=verify-full (or require) for a server that is not on this machine')
      .optional(),
  ),
  ADMINISTRATION_URL: variable(
    z
      .string()
      .refine(
        isServiceAddress,
        'expected the https address of a service, without user, query and fragment; http for this machine only',
      )
      .optional(),
  ),
  /** Requests of one credential to a remote service; 0 is without limit. */
  REMOTE_PER_SECOND: variable(wholeNumber(0, 10_000).default(2)),
  REMOTE_PER_MINUTE: variable(wholeNumber(0, 600_000).default(50)),
  /** What a caller waits for its turn, and then again for its answer: twice this must fit in the 230 s Azure allows. */
  REMOTE_TIMEOUT_MS: variable(wholeNumber(1, 110_000).default(30_000)),
  /** Writes of a push that may be under way at a time. */
  REMOTE_AT_A_TIME: variable(wholeNumber(1, 32).default(4)),
  /** Where "today" is. */
  TIME_ZONE: variable(
    z
      .string()
      .refine(isTimeZone, 'expected the name of a time zone, such as Europe/Amsterdam')
      .default('Europe/Amsterdam'),
  ),
  /** The storage account of pushes and exports. */
  AzureWebJobsStorage: variable(
    // The message does not repeat the value: it holds a key.
    z.string().refine(isConnectionString, 'expected the connection string of a storage account').optional(),
  ),
  /** The same without a key, as the platform names it: by the identity of the app. */
  AzureWebJobsStorage__accountName: variable(
    z
      .string()
      .regex(/^[a-z0-9]{3,24}$/, 'expected the name of a storage account')
      .optional(),
  ),
  AzureWebJobsStorage__blobServiceUri: serviceUri(),
  AzureWebJobsStorage__queueServiceUri: serviceUri(),
  AzureWebJobsStorage__tableServiceUri: serviceUri(),
  AzureWebJobsStorage__credential: variable(z.literal('managedidentity', 'expected managedidentity').optional()),
  AzureWebJobsStorage__clientId: variable(z.string().optional()),
  /** Encrypts credentials that wait in storage. */
  SECRET_KEY: secretKey(),
  /** The one before it, under which credentials may still wait. */
  SECRET_KEY_PREVIOUS: secretKey(),
  /** Days a push that ended, and an export, are kept. */
  PUSH_DAYS: variable(wholeNumber(1, 3650).default(30)),
  EXPORT_DAYS: variable(wholeNumber(1, 3650).default(90)),
  /** When relations are exported; read in TIME_ZONE. */
  RELATION_EXPORT_SCHEDULE: variable(
    z
      .string()
      .refine(isSchedule, 'expected six fields, from seconds to day of the week, such as 0 0 2 * * *')
      .default(DEFAULT_EXPORT_SCHEDULE),
  ),
  /** Which administrations are exported: all, or a list of { name, apiKey, username }. */
  EXPORT_ADMINISTRATIONS: variable(exportAdministrations().default('all')),
  /** The mail server that invoices are mailed through, and who they come from. */
  SMTP_URL: variable(
    // What is refused is not told back: it may hold a password.
    z.string().refine(isSmtpUrl, 'expected smtp://user:password@host:port, or smtps://').optional(),
  ),
  MAIL_FROM: variable(
    z.string().refine(isMailFrom, 'expected an e-mail address, or a name and an address in <>').optional(),
  ),
  MAIL_DELAY_MINUTES: variable(wholeNumber(0, 10_080).default(DEFAULT_MAIL_DELAY_MINUTES)),
  /** Shows the detail of `/health` to whoever sends it. */
  HEALTH_KEY: variable(z.string().min(16, 'expected at least 16 characters').optional()),
  /** Ports that attachments may be downloaded from. */
  ATTACHMENT_PORTS: variable(ports().default([80, 443])),
  /** Set by Azure for every app that runs there; on Flex Consumption only the second. */
  WEBSITE_INSTANCE_ID: variable(z.string().optional()),
  WEBSITE_SITE_NAME: variable(z.string().optional()),
});

function serviceUri() {
  return variable(z.string().refine(isServiceAddress, 'expected the https address of a storage service').optional());
}

/** The storage account, by whichever settings name it. @throws WrongSetting */
function storageOf(given: z.output<typeof schema>): StorageAccount | undefined {
  if (given.AzureWebJobsStorage !== undefined) return given.AzureWebJobsStorage;
  const { AzureWebJobsStorage__accountName: name, AzureWebJobsStorage__clientId: clientId } = given;
  const byName = name === undefined ? undefined : addressesOf(name);
  const addresses = {
    blob: given.AzureWebJobsStorage__blobServiceUri ?? byName?.blob,
    queue: given.AzureWebJobsStorage__queueServiceUri ?? byName?.queue,
    table: given.AzureWebJobsStorage__tableServiceUri ?? byName?.table,
  };
  const { blob, queue, table } = addresses;
  if (blob !== undefined && queue !== undefined && table !== undefined) {
    const isManagedIdentity = given.AzureWebJobsStorage__credential !== undefined;
    return { blob, queue, table, clientId, isManagedIdentity };
  }
  const missing = Object.entries(addresses).filter(([, address]) => address === undefined);
  if (missing.length === 3) return undefined;
  const names = missing.map(([service]) => `AzureWebJobsStorage__${service}ServiceUri`);
  throw new WrongSetting(`${names.join(', ')}: expected an address, since the other services have one`);
}

function wholeNumber(min: number, max: number) {
  const expected = `expected a whole number from ${min} to ${max}`;
  return z.coerce.number(expected).int(expected).min(min, expected).max(max, expected);
}

function ports() {
  const expected = 'expected ports, such as 80,443';
  return z
    .string()
    .refine((text) => /^\s*\d{1,5}(?:\s*,\s*\d{1,5})*\s*$/.test(text), expected)
    .transform((text) => text.split(',').map(Number))
    .refine((list) => list.every((port) => port >= 1 && port <= 65_535), expected);
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[a-z\d.-]{1,253}$/i.test(text);
}

function isConnectionString(text: string): boolean {
  return /(?:^|;)(?:AccountName=.+;|UseDevelopmentStorage=true|SharedAccessSignature=.)/.test(text);
}

function secretKey() {
  return variable(
    z
      .string()
      .refine(isSecretKey, 'expected 32 random bytes in base64')
      .transform((text) => Buffer.from(text, 'base64'))
      .optional(),
  );
}

/** 32 bytes, which no person made up: no text, and nothing with a pattern in its bytes or in the steps between them. */
function isSecretKey(text: string): boolean {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return false;
  const bytes = Buffer.from(text, 'base64');
  const steps = bytes.map((byte, index) => byte - (bytes[index - 1] ?? 0));
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  return !isText && !hasPattern(bytes) && !hasPattern(steps);
}

/** Whether it can be said in fewer bytes. Random bytes cannot, but for one or two that happen to repeat. */
const hasPattern = (bytes: Uint8Array): boolean => deflateRawSync(bytes).length < bytes.length - 2;

function isSchedule(text: string): boolean {
  try {
    return text.trim().split(/\s+/).length === 6 && new Cron(text, { paused: true }).nextRun() !== null;
  } catch {
    return false;
  }
}

function exportAdministrations() {
  const named = z.strictObject({ name: z.string().min(1), apiKey: z.string().min(1), username: z.string().min(1) });
  const list = z.array(named).refine((all) => new Set(all.map(({ name }) => name)).size === all.length);
  return z.string().transform((text, context) => {
    if (text === 'all') return text;
    let all: ExportedAdministration[];
    try {
      all = list.parse(JSON.parse(text));
    } catch {
      // Not repeated either: it holds keys.
      context.addIssue('expected all, or a JSON list of { "name", "apiKey", "username" } without a name twice');
      return z.NEVER;
    }
    const credentials = all.map(({ apiKey, username }) => JSON.stringify([apiKey, username]));
    const again = credentials.findIndex((one, index) => credentials.indexOf(one) < index);
    if (again < 0) return all;
    // Whoever asks with it could be shown the exports of one of them only.
    const first = all[credentials.indexOf(credentials[again]!)]!;
    context.addIssue(
      `expected a credential for each administration, but ${first.name} and ${all[again]!.name} have the same`,
    );
    return z.NEVER;
  });
}

/** Keys go there with every request: in plain text only where nothing can listen. */
function isServiceAddress(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));
}

function isSmtpUrl(text: string): boolean {
  return /^smtps?:\/\//.test(text) && URL.canParse(text) && new URL(text).hostname !== '';
}

function isMailFrom(text: string): boolean {
  return /^(?:[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(text.trim());
}

function isDatabaseUrl(url: string): boolean {
  if (/^sqlite:./.test(url)) return true;
  return /^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url) && new URL(url).pathname.length > 1;
}

/** Books and passwords go over it: in plain text only where nothing can listen. */
function isPrivateConnection(url: string): boolean {
  if (url.startsWith('sqlite:') || !URL.canParse(url)) return true;
  const { hostname, searchParams } = new URL(url);
  // A socket of this machine has no host, or a path in its place.
  if (/^(?:|localhost|127(?:\.\d+){3}|\[::1\]|%2F.*)$/i.test(hostname) || searchParams.get('host')?.startsWith('/'))
    return true;
  return /^(?:require|verify-ca|verify-full)$/.test(searchParams.get('sslmode') ?? '');
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

/** An administration whose relations are exported, by its name in the exports and a credential for it. */
export type ExportedAdministration = { name: string; apiKey: string; username: string };

export type Settings = {
  port: number;
  host: string;
  dataFolder: string;
  databaseUrl: string;
  timeZone: string;
  /** The service that answers instead of the built-in administration. */
  remote: RemoteSettings | undefined;
  /** The storage account; `npm start` starts one when there is none. */
  storage: StorageAccount | undefined;
  /** 32 bytes; `npm start` makes one when there is none. */
  secretKey: Buffer | undefined;
  /** The one before it: what waits under it is still read. */
  previousSecretKey: Buffer | undefined;
  pushDays: number;
  /** How invoices are mailed; without a server, mail waits. */
  mail: { server: { url: string; from: string } | undefined; delayMinutes: number };
  healthKey: string | undefined;
  attachmentPorts: readonly number[];
  exports: { schedule: string; administrations: 'all' | readonly ExportedAdministration[]; days: number };
};

/** A setting that cannot be used; the message names it and says what it should be. */
export class WrongSetting extends Error {
  override readonly name = 'WrongSetting';
}

/**
 * The settings, read once when the app starts.
 * @throws WrongSetting
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const result = schema.safeParse(environment);
  if (!result.success) {
    const wrong = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new WrongSetting(`These settings cannot be used: ${wrong.join('; ')}`);
  }
  const { PORT, HOST, DATA_DIR, DATABASE_URL, TIME_ZONE } = result.data;
  const isOnAzure = (result.data.WEBSITE_INSTANCE_ID ?? result.data.WEBSITE_SITE_NAME) !== undefined;
  const { ADMINISTRATION_URL, REMOTE_PER_SECOND, REMOTE_PER_MINUTE, REMOTE_TIMEOUT_MS, REMOTE_AT_A_TIME } = result.data;
  const databaseUrl = DATABASE_URL ?? `sqlite:${path.join(DATA_DIR, 'ledgerline.sqlite')}`;
  const remote = ADMINISTRATION_URL && {
    url: ADMINISTRATION_URL,
    perSecond: REMOTE_PER_SECOND,
    perMinute: REMOTE_PER_MINUTE,
    timeout: REMOTE_TIMEOUT_MS,
    concurrency: REMOTE_AT_A_TIME,
  };
  if (!remote && isOnAzure && databaseUrl.startsWith('sqlite:')) {
    throw new WrongSetting(
      'DATABASE_URL: expected a database server; the disk of an Azure app, where SQLite is, does not last',
    );
  }
  const { SECRET_KEY, SECRET_KEY_PREVIOUS, PUSH_DAYS } = result.data;
  const { RELATION_EXPORT_SCHEDULE, EXPORT_ADMINISTRATIONS, EXPORT_DAYS } = result.data;
  if (isOnAzure && SECRET_KEY === undefined) {
    throw new WrongSetting('SECRET_KEY: expected 32 bytes in base64, to encrypt the credentials of pushes with');
  }
  const { SMTP_URL, MAIL_FROM, MAIL_DELAY_MINUTES } = result.data;
  if (SMTP_URL !== undefined && MAIL_FROM === undefined) {
    throw new WrongSetting('MAIL_FROM: expected the e-mail address that mail comes from, since SMTP_URL is set');
  }
  return {
    port: PORT,
    host: HOST,
    dataFolder: DATA_DIR,
    databaseUrl,
    timeZone: TIME_ZONE,
    remote: remote || undefined,
    storage: storageOf(result.data),
    secretKey: SECRET_KEY,
    previousSecretKey: SECRET_KEY_PREVIOUS,
    pushDays: PUSH_DAYS,
    mail: {
      server: SMTP_URL === undefined ? undefined : { url: SMTP_URL, from: MAIL_FROM! },
      delayMinutes: MAIL_DELAY_MINUTES,
    },
    healthKey: result.data.HEALTH_KEY,
    attachmentPorts: result.data.ATTACHMENT_PORTS,
    exports: { schedule: RELATION_EXPORT_SCHEDULE, administrations: EXPORT_ADMINISTRATIONS, days: EXPORT_DAYS },
  };
}
