import { isIP } from 'node:net';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { Cron } from 'croner';
import { z } from 'zod';
import { isDemoCredential } from './administrations/builtin/setup/demo/demoCredentials.ts';
import { DEFAULT_MAIL_DELAY_MINUTES } from './administrations/documents/mail/mailer.ts';
import type { RemoteSettings } from './administrations/remote/remote.ts';
import { addressesOf, type StorageAccount } from './storage/account.ts';

/** A variable that is empty counts as not set. */
const variable = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

const port = 'expected a port: a whole number from 0 to 65535';

/** Relations are exported at two every night by default. */
const DEFAULT_EXPORT_SCHEDULE = '0 0 2 * * *';

const schema = z.object({
  /** The port of `npm start`. */
  PORT: variable(z.coerce.number(port).int(port).min(0, port).max(65_535, port).default(7071)),
  /** The address `npm start` listens at: the loopback address, unless others on the network are to use it. */
  HOST: variable(
    z
      .string()
      .refine(isHost, 'expected an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them')
      .default('127.0.0.1'),
  ),
  /** The data folder of `npm start`. */
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
  /**
   * How long a request waits for the rate limiter, and again for its response: twice this must fit in Azure's 230 s.
   */
  REMOTE_TIMEOUT_MS: variable(wholeNumber(1, 110_000).default(30_000)),
  /** Writes of a push that may be under way at the same time. */
  REMOTE_AT_A_TIME: variable(wholeNumber(1, 32).default(4)),
  /** The time zone of "today". */
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
  /** The same without a key, under the platform's name: opened by the identity of the app. */
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
  /** The key that encrypts stored credentials. */
  SECRET_KEY: secretKey(),
  /** The key before it, which stored credentials may still depend on. */
  SECRET_KEY_PREVIOUS: secretKey(),
  /** Signs archives of administrations. */
  ARCHIVE_KEY: secretKey(),
  /** Days for which ended pushes, and exports, are stored. */
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
    // The message does not repeat the value: it may hold a password.
    z.string().refine(isSmtpUrl, 'expected smtp://user:password@host:port, or smtps://').optional(),
  ),
  MAIL_FROM: variable(
    z.string().refine(isMailFrom, 'expected an e-mail address, or a name and an address in <>').optional(),
  ),
  MAIL_DELAY_MINUTES: variable(wholeNumber(0, 10_080).default(DEFAULT_MAIL_DELAY_MINUTES)),
  /** The key that shows the detail of `/health`. */
  HEALTH_KEY: variable(z.string().min(16, 'expected at least 16 characters').optional()),
  /** Ports that attachments may be downloaded from. */
  ATTACHMENT_PORTS: variable(ports().default([80, 443])),
  /** Set by Azure, by plan and operating system one or the other: see `isInAzure`. */
  WEBSITE_INSTANCE_ID: variable(z.string().optional()),
  WEBSITE_POD_NAME: variable(z.string().optional()),
  WEBSITE_SITE_NAME: variable(z.string().optional()),
  CONTAINER_NAME: variable(z.string().optional()),
  FUNCTIONS_WORKER_RUNTIME: variable(z.string().optional()),
  AZURE_FUNCTIONS_ENVIRONMENT: variable(z.string().optional()),
});

type Given = z.output<typeof schema>;

/**
 * Whether the app runs in Azure. Flex Consumption and Linux Consumption set no WEBSITE_INSTANCE_ID, but the name of the pod
 * or of the container. Core Tools (`func start`), on one's own machine, say Development; and containers elsewhere may
 * have a name too.
 */
function isInAzure(given: Given): boolean {
  if (given.WEBSITE_INSTANCE_ID !== undefined || given.WEBSITE_POD_NAME !== undefined) return true;
  if (given.AZURE_FUNCTIONS_ENVIRONMENT === 'Development') return false;
  return (
    given.WEBSITE_SITE_NAME !== undefined ||
    (given.CONTAINER_NAME !== undefined && given.FUNCTIONS_WORKER_RUNTIME !== undefined)
  );
}

function serviceUri() {
  return variable(z.string().refine(isServiceAddress, 'expected the https address of a storage service').optional());
}

/** The storage account, from whichever settings name it. @throws WrongSetting */
function storageOf(given: Given): StorageAccount | undefined {
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

/** 32 bytes that look random: no text, and no pattern in the bytes or in the differences between them. */
function isSecretKey(text: string): boolean {
  if (!/^[A-Za-z0-9+/]{43}=$/.test(text)) return false;
  const bytes = Buffer.from(text, 'base64');
  const differences = bytes.map((byte, index) => byte - (bytes[index - 1] ?? 0));
  const isText = bytes.every((byte) => byte >= 0x20 && byte < 0x7f);
  return !isText && !hasPattern(bytes) && !hasPattern(differences);
}

/** Whether bytes can be compressed. Random bytes cannot, except for a few that happen to repeat. */
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
      // The message does not repeat the value: it holds keys.
      context.addIssue('expected all, or a JSON list of { "name", "apiKey", "username" } without a name twice');
      return z.NEVER;
    }
    const credentials = all.map(({ apiKey, username }) => JSON.stringify([apiKey, username]));
    const again = credentials.findIndex((one, index) => credentials.indexOf(one) < index);
    if (again < 0) return all;
    // A credential in two entries could only get the exports of one of them.
    const first = all[credentials.indexOf(credentials[again]!)]!;
    context.addIssue(
      `expected a credential for each administration, but ${first.name} and ${all[again]!.name} have the same`,
    );
    return z.NEVER;
  });
}

/** Every request sends a key there: without TLS only to this machine. */
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

/** It carries bookkeeping data and passwords: without TLS only to this machine. */
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
type ExportedAdministration = { name: string; apiKey: string; username: string };

export type Settings = {
  /** Whether the app runs in Azure: others reach it there, and its disk does not last. */
  isAzure: boolean;
  port: number;
  host: string;
  dataFolder: string;
  databaseUrl: string;
  timeZone: string;
  /** The remote service, used instead of the built-in administration. */
  remote: RemoteSettings | undefined;
  /** The storage account; `npm start` starts one when there is none. */
  storage: StorageAccount | undefined;
  /** 32 bytes; `npm start` makes one when there is none. */
  secretKey: Buffer | undefined;
  /** The one before it: what waits under it is still read. */
  previousSecretKey: Buffer | undefined;
  /** 32 bytes that archives of administrations are signed with. */
  archiveKey: Buffer | undefined;
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

/** The health key, also where another setting is wrong: who has it is to be told which. */
export function readHealthKey(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  if (isUnresolved(environment.HEALTH_KEY)) return undefined;
  return schema.shape.HEALTH_KEY.safeParse(environment.HEALTH_KEY).data;
}

/** Azure hands over a reference to the key vault as it is written, when it cannot be resolved. */
const isUnresolved = (value: string | undefined): boolean => value?.startsWith('@Microsoft.KeyVault(') ?? false;

/** What does for one's own machine and not for a deployment. @throws WrongSetting */
function refuseInAzure({ DATABASE_URL, ADMINISTRATION_URL, SECRET_KEY, EXPORT_ADMINISTRATIONS }: Given): void {
  if (ADMINISTRATION_URL === undefined) {
    if (DATABASE_URL === undefined) {
      throw new WrongSetting(
        'DATABASE_URL: expected the address of a PostgreSQL database, or in ADMINISTRATION_URL that of a service: neither is set',
      );
    }
    if (DATABASE_URL.startsWith('sqlite:')) {
      throw new WrongSetting(
        'DATABASE_URL: expected a PostgreSQL database; the disk of an Azure app, where SQLite is, does not last',
      );
    }
  }
  if (SECRET_KEY === undefined) {
    throw new WrongSetting('SECRET_KEY: expected 32 random bytes in base64, to encrypt the credentials of pushes with');
  }
  if (EXPORT_ADMINISTRATIONS !== 'all' && EXPORT_ADMINISTRATIONS.some(isDemoCredential)) {
    throw new WrongSetting(
      'EXPORT_ADMINISTRATIONS: expected keys of its own, not the one of the demo: everybody knows it',
    );
  }
}

/**
 * The settings, read once when the app starts.
 * @throws WrongSetting
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const unresolved = Object.keys(schema.shape).filter((name) => isUnresolved(environment[name]));
  if (unresolved.length > 0) {
    throw new WrongSetting(
      `${unresolved.join(', ')}: expected a value, got a reference to a key vault that was not resolved: is the secret there, and may the identity of the app read it?`,
    );
  }
  const result = schema.safeParse(environment);
  if (!result.success) {
    const wrong = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new WrongSetting(`These settings cannot be used: ${wrong.join('; ')}`);
  }
  const { PORT, HOST, DATA_DIR, DATABASE_URL, TIME_ZONE } = result.data;
  const { ADMINISTRATION_URL, REMOTE_PER_SECOND, REMOTE_PER_MINUTE, REMOTE_TIMEOUT_MS, REMOTE_AT_A_TIME } = result.data;
  const databaseUrl = DATABASE_URL ?? `sqlite:${path.join(DATA_DIR, 'ledgerline.sqlite')}`;
  const remote = ADMINISTRATION_URL && {
    url: ADMINISTRATION_URL,
    perSecond: REMOTE_PER_SECOND,
    perMinute: REMOTE_PER_MINUTE,
    timeout: REMOTE_TIMEOUT_MS,
    concurrency: REMOTE_AT_A_TIME,
  };
  const isAzure = isInAzure(result.data);
  if (isAzure) refuseInAzure(result.data);
  const { SECRET_KEY, SECRET_KEY_PREVIOUS, PUSH_DAYS } = result.data;
  const { RELATION_EXPORT_SCHEDULE, EXPORT_ADMINISTRATIONS, EXPORT_DAYS } = result.data;
  const { SMTP_URL, MAIL_FROM, MAIL_DELAY_MINUTES } = result.data;
  if (SMTP_URL !== undefined && MAIL_FROM === undefined) {
    throw new WrongSetting('MAIL_FROM: expected the e-mail address that mail comes from, since SMTP_URL is set');
  }
  return {
    isAzure,
    port: PORT,
    host: HOST,
    dataFolder: DATA_DIR,
    databaseUrl,
    timeZone: TIME_ZONE,
    remote: remote || undefined,
    storage: storageOf(result.data),
    secretKey: SECRET_KEY,
    previousSecretKey: SECRET_KEY_PREVIOUS,
    archiveKey: result.data.ARCHIVE_KEY,
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
