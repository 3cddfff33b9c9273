import { isIP } from 'node:net';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { Cron } from 'croner';
import * as z from 'zod/mini';
import { isPublicAddress } from './administrations/builtin/attachments/publicAddress.ts';
import { isDemoCredential } from './administrations/builtin/setup/demo/demoCredentials.ts';
import { readPostgresUrl } from './administrations/builtin/sql/dialects/postgresUrl.ts';
import { DEFAULT_MAIL_DELAY_MINUTES } from './administrations/invoiceDocuments/mail/mailer.ts';
import type { RemoteSettings } from './administrations/remote/remote.ts';
import { addressesOf, type StorageAccount } from './storage/account.ts';

/** What the text of a variable should have been. It never repeats the text, which may hold a password or a key. */
class Expected extends Error {}

/** The value of a variable. @throws Expected */
type Read<Value> = (text: string) => Value;

/** A text that meets a condition. */
const text =
  (isValid: (text: string) => boolean, expected: string): Read<string> =>
  (text) => {
    if (!isValid(text)) throw new Expected(`expected ${expected}`);
    return text;
  };
const anyText: Read<string> = (text) => text;

/** A variable, and its value while it is not set. */
type Variable<Value, Unset> = { read: Read<Value>; unset: Unset };
const optional = <Value>(read: Read<Value>): Variable<Value, undefined> => ({ read, unset: undefined });
const otherwise = <Value>(unset: Value, read: Read<Value>): Variable<Value, Value> => ({ read, unset });

/** Relations are exported at two every night by default. */
const DEFAULT_EXPORT_SCHEDULE = '0 0 2 * * *';

const declared = {
  /** The port of `npm start`. */
  PORT: otherwise(7071, wholeNumber(0, 65_535, 'a port: a whole number')),
  /** The address `npm start` listens at: the loopback address, unless others on the network are to use it. */
  HOST: otherwise(
    '127.0.0.1',
    text(isHost, 'an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them'),
  ),
  /** The data folder of `npm start`. */
  DATA_DIR: otherwise('.data', anyText),
  DATABASE_URL: optional(databaseUrl),
  /** The remote service, used instead of the built-in administration. */
  ADMINISTRATION_URL: optional(
    text(
      isServiceAddress,
      'the https address of a service, without user, query and fragment; http for this machine only',
    ),
  ),
  /** Requests of one credential to a remote service; 0 is without limit. */
  REMOTE_PER_SECOND: otherwise(2, wholeNumber(0, 10_000)),
  REMOTE_PER_MINUTE: otherwise(50, wholeNumber(0, 600_000)),
  /**
   * How long a request waits for the rate limiter, and again for its response: twice this must fit in Azure's 230 s.
   */
  REMOTE_TIMEOUT_MS: otherwise(30_000, wholeNumber(1, 110_000)),
  /** Concurrent writes of a push. */
  REMOTE_AT_A_TIME: otherwise(4, wholeNumber(1, 32)),
  /** Writes of one key in a minute; 0 is without limit. */
  WRITES_PER_MINUTE: otherwise(6000, wholeNumber(0, 600_000)),
  /** The time zone of "today". */
  TIME_ZONE: otherwise('Europe/Amsterdam', text(isTimeZone, 'the name of a time zone, such as Europe/Amsterdam')),
  /** The storage account of pushes and exports; `npm start` starts one when there is none. */
  AzureWebJobsStorage: optional(text(isConnectionString, 'the connection string of a storage account')),
  /** The account without a key, under the platform's names: the app opens it with its identity. */
  AzureWebJobsStorage__accountName: optional(
    text((name) => /^[a-z0-9]{3,24}$/.test(name), 'the name of a storage account'),
  ),
  AzureWebJobsStorage__blobServiceUri: optional(serviceUri),
  AzureWebJobsStorage__queueServiceUri: optional(serviceUri),
  AzureWebJobsStorage__tableServiceUri: optional(serviceUri),
  AzureWebJobsStorage__credential: optional(text((name) => name === 'managedidentity', 'managedidentity')),
  AzureWebJobsStorage__clientId: optional(anyText),
  /** The key that encrypts stored credentials, 32 bytes; `npm start` makes one when there is none. */
  SECRET_KEY: optional(secretKey),
  /** The key before it, which stored credentials may still depend on. */
  SECRET_KEY_PREVIOUS: optional(secretKey),
  /** Signs archives of administrations, 32 bytes. */
  ARCHIVE_KEY: optional(secretKey),
  /** Days for which ended pushes, and exports, are stored. */
  PUSH_DAYS: otherwise(30, wholeNumber(1, 3650)),
  EXPORT_DAYS: otherwise(90, wholeNumber(1, 3650)),
  /** When relations are exported; read in TIME_ZONE. */
  RELATION_EXPORT_SCHEDULE: otherwise(
    DEFAULT_EXPORT_SCHEDULE,
    text(isSchedule, 'six fields, from seconds to day of the week, such as 0 0 2 * * *'),
  ),
  /** Which administrations are exported: all, or a list of { name, apiKey, username }. */
  EXPORT_ADMINISTRATIONS: otherwise('all', exportAdministrations),
  /** The mail server for invoices, and the sender; without a server, mail waits. */
  SMTP_URL: optional(
    text(
      isSmtpUrl,
      'smtp://user:password@host:port, or smtps://, with %25 for a % in the user or the password, and without parameters other than tls.*, name and authMethod',
    ),
  ),
  /** Whether a mail server must offer TLS: `required`, unless it has a private address; or `optional`. */
  SMTP_TLS: optional(text((word) => word === 'required' || word === 'optional', 'required or optional')),
  MAIL_FROM: optional(text(isMailFrom, 'an e-mail address, or a name and an address in <>')),
  MAIL_DELAY_MINUTES: otherwise(DEFAULT_MAIL_DELAY_MINUTES, wholeNumber(0, 10_080)),
  /** The key that shows the detail of `/health`. */
  HEALTH_KEY: optional(text(isHealthKey, 'at least 16 characters')),
  /** Ports that attachments may be downloaded from. */
  ATTACHMENT_PORTS: otherwise([80, 443], ports),
  /** Set by Azure, depending on plan and operating system: see `isInAzure`. */
  WEBSITE_INSTANCE_ID: optional(anyText),
  WEBSITE_POD_NAME: optional(anyText),
  WEBSITE_SITE_NAME: optional(anyText),
  CONTAINER_NAME: optional(anyText),
  FUNCTIONS_WORKER_RUNTIME: optional(anyText),
  AZURE_FUNCTIONS_ENVIRONMENT: optional(anyText),
};

/** The variables that the app reads. */
export const settingNames = Object.keys(declared) as (keyof Variables)[];

type Variables = {
  [Name in keyof typeof declared]: ReturnType<(typeof declared)[Name]['read']> | (typeof declared)[Name]['unset'];
};

/**
 * Whether the app runs in Azure. Flex Consumption and Linux Consumption set the name of the pod or of the container
 * instead of WEBSITE_INSTANCE_ID. Core Tools (`func start`) on a local machine set Development; other containers may
 * have a name too.
 */
function isInAzure(variables: Variables): boolean {
  if (variables.WEBSITE_INSTANCE_ID !== undefined || variables.WEBSITE_POD_NAME !== undefined) return true;
  if (variables.AZURE_FUNCTIONS_ENVIRONMENT === 'Development') return false;
  return (
    variables.WEBSITE_SITE_NAME !== undefined ||
    (variables.CONTAINER_NAME !== undefined && variables.FUNCTIONS_WORKER_RUNTIME !== undefined)
  );
}

function serviceUri(address: string): string {
  return text(isServiceAddress, 'the https address of a storage service')(address);
}

/** The storage account of the settings. @throws WrongSetting */
function storageOf(variables: Variables): StorageAccount | undefined {
  if (variables.AzureWebJobsStorage !== undefined) return variables.AzureWebJobsStorage;
  const { AzureWebJobsStorage__accountName: name, AzureWebJobsStorage__clientId: clientId } = variables;
  const byName = name === undefined ? undefined : addressesOf(name);
  const addresses = {
    blob: variables.AzureWebJobsStorage__blobServiceUri ?? byName?.blob,
    queue: variables.AzureWebJobsStorage__queueServiceUri ?? byName?.queue,
    table: variables.AzureWebJobsStorage__tableServiceUri ?? byName?.table,
  };
  const { blob, queue, table } = addresses;
  if (blob !== undefined && queue !== undefined && table !== undefined) {
    const isManagedIdentity = variables.AzureWebJobsStorage__credential !== undefined;
    return { blob, queue, table, clientId, isManagedIdentity };
  }
  const missing = Object.entries(addresses).filter(([, address]) => address === undefined);
  if (missing.length === 3) return undefined;
  const names = missing.map(([service]) => `AzureWebJobsStorage__${service}ServiceUri`);
  throw new WrongSetting(`${names.join(', ')}: expected an address, since the other services have one`);
}

function wholeNumber(min: number, max: number, expected = 'a whole number'): Read<number> {
  return (text) => {
    // Number takes a blank for 0, which would be no limit.
    const number = /^\s*\d+\s*$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new Expected(`expected ${expected} from ${min} to ${max}`);
  };
}

function ports(text: string): readonly number[] {
  const list = /^\s*\d{1,5}(?:\s*,\s*\d{1,5})*\s*$/.test(text) ? text.split(',').map(Number) : [];
  if (list.length > 0 && list.every((port) => port >= 1 && port <= 65_535)) return list;
  throw new Expected('expected ports, such as 80,443');
}

function isHealthKey(key: string): boolean {
  return key.length >= 16;
}

function isHost(text: string): boolean {
  return isIP(text) !== 0 || /^[a-z\d.-]{1,253}$/i.test(text);
}

function isConnectionString(text: string): boolean {
  return /(?:^|;)(?:AccountName=.+;|UseDevelopmentStorage=true|SharedAccessSignature=.)/.test(text);
}

function secretKey(key: string): Buffer {
  if (!isSecretKey(key)) throw new Expected('expected 32 random bytes in base64');
  return Buffer.from(key, 'base64');
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
const hasPattern = (bytes: Uint8Array): boolean =>
  // The least memory, which takes time to clear.
  deflateRawSync(bytes, { windowBits: 9, memLevel: 1 }).length < bytes.length - 2;

function isSchedule(text: string): boolean {
  try {
    return text.trim().split(/\s+/).length === 6 && new Cron(text, { paused: true }).nextRun() !== null;
  } catch {
    return false;
  }
}

function exportAdministrations(text: string): 'all' | readonly ExportedAdministration[] {
  if (text === 'all') return text;
  const named = z.strictObject({
    name: z.string().check(z.minLength(1)),
    apiKey: z.string().check(z.minLength(1)),
    username: z.string().check(z.minLength(1)),
  });
  const list = z.array(named).check(z.refine((all) => new Set(all.map(({ name }) => name)).size === all.length));
  let all: ExportedAdministration[];
  try {
    all = list.parse(JSON.parse(text));
  } catch {
    throw new Expected('expected all, or a JSON list of { "name", "apiKey", "username" } without a name twice');
  }
  const credentials = all.map(({ apiKey, username }) => JSON.stringify([apiKey, username.toLowerCase()]));
  const again = credentials.findIndex((one, index) => credentials.indexOf(one) < index);
  if (again < 0) return all;
  // A credential in two entries could only get the exports of one of them.
  const first = all[credentials.indexOf(credentials[again]!)]!;
  throw new Expected(
    `expected a credential for each administration, but ${first.name} and ${all[again]!.name} have the same`,
  );
}

/** Every request sends a key there: without TLS only to this machine. */
function isServiceAddress(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));
}

function isSmtpUrl(text: string): boolean {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { hostname, searchParams, username, password } = new URL(text);
  if (!isEncoded(username + password)) return false;
  // Others change the server, skip TLS or log the password.
  return hostname !== '' && [...searchParams.keys()].every((name) => /^(?:tls\.\w+|name|authMethod)$/.test(name));
}

/** Whether each % of a part of an address begins a character. */
function isEncoded(part: string): boolean {
  try {
    return decodeURIComponent(part) !== undefined;
  } catch {
    return false;
  }
}

/** Whether mail and its password only leave by TLS. A name may lead anywhere, so only an address counts as private. */
function requiresTls(url: string, setting: string | undefined): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const isPrivate = host === 'localhost' || (isIP(host) !== 0 && !isPublicAddress(host));
  return setting === undefined ? !isPrivate : setting === 'required';
}

function isMailFrom(text: string): boolean {
  return /^(?:[^<>@\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(text.trim());
}

function databaseUrl(url: string): string {
  if (!isDatabaseUrl(url)) {
    throw new Expected('expected sqlite: and the path of a file, or postgres://user:password@host:port/database');
  }
  if (!isPrivateConnection(url)) {
    throw new Expected('expected sslmode=verify-full (or require) for a server that is not on this machine');
  }
  return url;
}

function isDatabaseUrl(url: string): boolean {
  if (/^sqlite:./.test(url)) return true;
  return /^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url) && new URL(url).pathname.length > 1;
}

/** It carries bookkeeping data and passwords: without TLS only to this machine. */
function isPrivateConnection(url: string): boolean {
  if (url.startsWith('sqlite:') || !URL.canParse(url)) return true;
  try {
    const { host, isEncrypted } = readPostgresUrl(url);
    // A socket of this machine has a path in place of a host.
    return isEncrypted || /^(?:localhost|127(?:\.\d+){3}|::1|\/.*)$/i.test(host);
  } catch {
    return false;
  }
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

export type Settings = ReturnType<typeof readSettings>;

/** A setting that cannot be used; the message names it and says what it should be. */
export class WrongSetting extends Error {
  override readonly name = 'WrongSetting';
}

/** The health key, also when another setting is wrong: its response then names that setting. */
export function readHealthKey(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const key = environment.HEALTH_KEY;
  return !key || isUnresolved(key) || !isHealthKey(key) ? undefined : key;
}

/** Azure passes a reference to a key vault as it is when it cannot be resolved. */
const isUnresolved = (value: string | undefined): boolean => value?.startsWith('@Microsoft.KeyVault(') ?? false;

/** Refuses settings that are for a local machine only. @throws WrongSetting */
function refuseInAzure({ DATABASE_URL, ADMINISTRATION_URL, SECRET_KEY, EXPORT_ADMINISTRATIONS }: Variables): void {
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
export function readSettings(environment: Readonly<Record<string, string | undefined>>) {
  const unresolved = settingNames.filter((name) => isUnresolved(environment[name]));
  if (unresolved.length > 0) {
    throw new WrongSetting(
      `${unresolved.join(', ')}: expected a value, got a reference to a key vault that was not resolved: is the secret there, and may the identity of the app read it?`,
    );
  }
  const wrong: string[] = [];
  /** One that is empty counts as not set. */
  function variable(name: keyof Variables) {
    const { read, unset } = declared[name];
    const given = environment[name];
    try {
      return given ? read(given) : unset;
    } catch (failure) {
      if (!(failure instanceof Expected)) throw failure;
      wrong.push(`${name}: ${failure.message}`);
      return unset;
    }
  }
  const data = Object.fromEntries(settingNames.map((name) => [name, variable(name)])) as Variables;
  if (wrong.length > 0) throw new WrongSetting(`These settings cannot be used: ${wrong.join('; ')}`);
  /** Whether the app runs in Azure: others reach it there, and its disk does not last. */
  const isAzure = isInAzure(data);
  if (isAzure) refuseInAzure(data);
  if (data.SMTP_URL !== undefined && data.MAIL_FROM === undefined) {
    throw new WrongSetting('MAIL_FROM: expected the e-mail address that mail comes from, since SMTP_URL is set');
  }
  const remote: RemoteSettings | undefined =
    data.ADMINISTRATION_URL === undefined
      ? undefined
      : {
          url: data.ADMINISTRATION_URL,
          perSecond: data.REMOTE_PER_SECOND,
          perMinute: data.REMOTE_PER_MINUTE,
          timeout: data.REMOTE_TIMEOUT_MS,
          concurrency: data.REMOTE_AT_A_TIME,
        };
  return {
    isAzure,
    port: data.PORT,
    host: data.HOST,
    dataFolder: data.DATA_DIR,
    databaseUrl: data.DATABASE_URL ?? `sqlite:${path.join(data.DATA_DIR, 'ledgerline.sqlite')}`,
    timeZone: data.TIME_ZONE,
    remote,
    writesPerMinute: data.WRITES_PER_MINUTE,
    storage: storageOf(data),
    secretKey: data.SECRET_KEY,
    previousSecretKey: data.SECRET_KEY_PREVIOUS,
    archiveKey: data.ARCHIVE_KEY,
    pushDays: data.PUSH_DAYS,
    mail: {
      server:
        data.SMTP_URL === undefined
          ? undefined
          : { url: data.SMTP_URL, from: data.MAIL_FROM!, requiresTls: requiresTls(data.SMTP_URL, data.SMTP_TLS) },
      delayMinutes: data.MAIL_DELAY_MINUTES,
    },
    healthKey: data.HEALTH_KEY,
    attachmentPorts: data.ATTACHMENT_PORTS,
    exports: {
      schedule: data.RELATION_EXPORT_SCHEDULE,
      administrations: data.EXPORT_ADMINISTRATIONS,
      days: data.EXPORT_DAYS,
    },
  };
}
