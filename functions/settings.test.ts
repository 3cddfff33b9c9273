import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { secretKeyOf } from '../testing/secretKey.ts';
import { readHealthKey, readSettings, WrongSetting } from './settings.ts';

const secretKey = secretKeyOf(7);
/** Keys that are not random. */
const weakKeys = [
  Buffer.from('abcdabcdabcdabcdabcdabcdabcdabcd'),
  Buffer.from('correct horse battery staple abc'),
  Buffer.from(Array.from({ length: 32 }, (_, index) => index)),
  Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - 7 * index)),
  Buffer.from(secretKeyOf(9), 'base64').fill(Buffer.from(secretKeyOf(9), 'base64').subarray(0, 16), 16),
  Buffer.from(secretKeyOf(9), 'base64').fill(0, 20),
];

describe('the settings', () => {
  it('have defaults for a local machine', () => {
    expect(readSettings({})).toEqual({
      isAzure: false,
      port: 7071,
      host: '127.0.0.1',
      dataFolder: '.data',
      databaseUrl: `sqlite:${path.join('.data', 'ledgerline.sqlite')}`,
      timeZone: 'Europe/Amsterdam',
      writesPerMinute: 6000,
      pushDays: 30,
      mail: { server: undefined, delayMinutes: 30 },
      attachmentPorts: [80, 443],
      exports: { schedule: '0 0 2 * * *', administrations: 'all', days: 90 },
    });
  });

  it('have their defaults when they are empty, and ignore other variables', () => {
    const empty = { PORT: '', DATA_DIR: '', DATABASE_URL: '', ADMINISTRATION_URL: '', WEBSITE_SITE_NAME: '' };
    expect(readSettings({ ...empty, HOME: '/home/anna', PORTS: 'x' })).toEqual(readSettings({}));
  });

  it.each([
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '65535' }, { port: 65_535 }],
    [
      { SMTP_URL: 'smtps://u:p@mail.example.com', MAIL_FROM: 'De Linde <a@b.example>', MAIL_DELAY_MINUTES: '0' },
      { mail: { server: { url: 'smtps://u:p@mail.example.com', from: 'De Linde <a@b.example>' }, delayMinutes: 0 } },
    ],
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [{ ATTACHMENT_PORTS: '443, 8443' }, { attachmentPorts: [443, 8443] }],
    [{ HOST: '::1' }, { host: '::1' }],
    [{ DATA_DIR: '/data' }, { dataFolder: '/data', databaseUrl: `sqlite:${path.join('/data', 'ledgerline.sqlite')}` }],
    [
      { DATABASE_URL: 'sqlite:books.db', DATA_DIR: '/data' },
      { databaseUrl: 'sqlite:books.db', dataFolder: '/data' },
    ],
    [{ DATABASE_URL: 'sqlite::memory:' }, { databaseUrl: 'sqlite::memory:' }],
    [
      { DATABASE_URL: 'postgres://anna:secret@db.example:5432/books?sslmode=require' },
      { databaseUrl: 'postgres://anna:secret@db.example:5432/books?sslmode=require' },
    ],
    [
      { DATABASE_URL: 'postgresql://db.example/books?sslmode=verify-full' },
      { databaseUrl: 'postgresql://db.example/books?sslmode=verify-full' },
    ],
    [{ DATABASE_URL: 'postgresql://127.0.0.1/books' }, { databaseUrl: 'postgresql://127.0.0.1/books' }],
    [{ DATABASE_URL: 'postgresql://[::1]:5432/books' }, { databaseUrl: 'postgresql://[::1]:5432/books' }],
    [
      { WEBSITE_INSTANCE_ID: 'a1', DATABASE_URL: 'postgres://localhost/books', SECRET_KEY: secretKey },
      { databaseUrl: 'postgres://localhost/books' },
    ],
    [{ TIME_ZONE: 'America/Curacao' }, { timeZone: 'America/Curacao' }],
    [
      { ADMINISTRATION_URL: 'https://books.example.com/v1/' },
      {
        remote: { url: 'https://books.example.com/v1/', perSecond: 2, perMinute: 50, timeout: 30_000, concurrency: 4 },
      },
    ],
    [
      {
        ADMINISTRATION_URL: 'http://localhost:8080',
        REMOTE_PER_SECOND: '0',
        REMOTE_PER_MINUTE: '0',
        REMOTE_TIMEOUT_MS: '5000',
        REMOTE_AT_A_TIME: '32',
        // An app in front of a service stores nothing on its disk.
        WEBSITE_INSTANCE_ID: 'a1',
        SECRET_KEY: secretKey,
      },
      { remote: { url: 'http://localhost:8080', perSecond: 0, perMinute: 0, timeout: 5000, concurrency: 32 } },
    ],
    [{ ADMINISTRATION_URL: 'http://127.0.0.1:8080' }, { remote: { url: 'http://127.0.0.1:8080' } }],
    [{ ADMINISTRATION_URL: 'http://[::1]:8080' }, { remote: { url: 'http://[::1]:8080' } }],
    [{ REMOTE_PER_SECOND: '5' }, { remote: undefined }],
    [{ AzureWebJobsStorage: 'UseDevelopmentStorage=true' }, { storage: 'UseDevelopmentStorage=true' }],
    [
      { SECRET_KEY: secretKey, SECRET_KEY_PREVIOUS: secretKeyOf(8) },
      { secretKey: Buffer.from(secretKey, 'base64'), previousSecretKey: Buffer.from(secretKeyOf(8), 'base64') },
    ],
    [{}, { pushDays: 30, exports: { schedule: '0 0 2 * * *', administrations: 'all', days: 90 } }],
    [
      { PUSH_DAYS: '7', EXPORT_DAYS: '365' },
      { pushDays: 7, exports: { days: 365 } },
    ],
    ...(
      [
        ['smtp://mail.example.com', undefined, true],
        ['smtp://mail.internal', undefined, true],
        ['smtp://8.8.8.8', undefined, true],
        ['smtp://localhost', undefined, false],
        ['smtp://10.0.0.5:2525', undefined, false],
        ['smtp://[fd00::5]', undefined, false],
        ['smtp://mail.example.com', 'optional', false],
        ['smtp://10.0.0.5', 'required', true],
      ] as const
    ).map(([url, setting, expected]): [Record<string, string>, object] => [
      { SMTP_URL: url, MAIL_FROM: 'a@b.example', ...(setting === undefined ? {} : { SMTP_TLS: setting }) },
      { mail: { server: { url, requiresTls: expected } } },
    ]),
    [
      { DATABASE_URL: 'postgres:///books?host=/run/postgresql' },
      { databaseUrl: 'postgres:///books?host=/run/postgresql' },
    ],
    [{ RELATION_EXPORT_SCHEDULE: '0 30 4 * * 1-5' }, { exports: { schedule: '0 30 4 * * 1-5' } }],
    [
      { EXPORT_ADMINISTRATIONS: '[{"name":"Janssen","apiKey":"k","username":"anna@example.com"}]' },
      { exports: { administrations: [{ name: 'Janssen', apiKey: 'k', username: 'anna@example.com' }] } },
    ],
  ])('%j give %j', (environment, expected) => {
    expect(readSettings(environment)).toMatchObject(expected);
  });
});

describe('wrong settings', () => {
  it.each([
    ...[
      'postgres://a@localhost/books?host=evil.example',
      'postgres://a@db.example/books?sslmode=require&sslmode=disable',
      'postgres://a@db.example/books?sslmode=no-verify',
      'postgres://a@db.example/books?uselibpqcompat=true&sslmode=require',
      'postgres://a@127.0.0.1/books?host=%31%30.0.0.1',
    ].map((url): [Record<string, string>, string] => [
      { DATABASE_URL: url },
      'DATABASE_URL: expected sslmode=verify-full (or require)',
    ]),
    ...['ignoreTLS=true', 'requireTLS=false', 'host=evil.example', 'logger=true'].map(
      (query): [Record<string, string>, string] => [
        { SMTP_URL: `smtp://mail.example.com?${query}`, MAIL_FROM: 'a@b.example' },
        'SMTP_URL: expected smtp://user:password@host:port',
      ],
    ),
    [{ SMTP_TLS: 'no' }, 'SMTP_TLS: expected required or optional'],
    [{ PORT: 'http' }, 'PORT: expected a port: a whole number from 0 to 65535'],
    [{ ATTACHMENT_PORTS: '443,' }, 'ATTACHMENT_PORTS: expected ports, such as 80,443'],
    [{ ATTACHMENT_PORTS: '0' }, 'ATTACHMENT_PORTS: expected ports, such as 80,443'],
    [{ HEALTH_KEY: 'short' }, 'HEALTH_KEY: expected at least 16 characters'],
    [{ HOST: 'http://localhost' }, 'HOST: expected an address of this machine, such as 127.0.0.1'],
    [{ PORT: '-1' }, 'PORT: expected a port'],
    [{ PORT: '65536' }, 'PORT: expected a port'],
    [{ PORT: '80.5' }, 'PORT: expected a port'],
    [{ DATABASE_URL: 'books.db' }, 'DATABASE_URL: expected sqlite:'],
    [{ DATABASE_URL: 'sqlite:' }, 'DATABASE_URL: expected sqlite:'],
    [{ DATABASE_URL: 'mysql://localhost/books' }, 'DATABASE_URL: expected sqlite:'],
    [{ DATABASE_URL: 'postgres://db.example' }, 'or postgres://user:password@host:port/database'],
    [{ DATABASE_URL: 'postgres:books' }, 'DATABASE_URL: expected sqlite:'],
    [{ ADMINISTRATION_URL: 'example.com' }, 'ADMINISTRATION_URL: expected the https address'],
    [{ ADMINISTRATION_URL: 'ftp://example.com' }, 'ADMINISTRATION_URL: expected the https address'],
    // Keys would be sent in plain text.
    [{ ADMINISTRATION_URL: 'http://example.com' }, 'ADMINISTRATION_URL: expected the https address'],
    [{ ADMINISTRATION_URL: 'http://127.0.0.1.example.com' }, 'ADMINISTRATION_URL: expected the https address'],
    [{ ADMINISTRATION_URL: 'https://anna:secret@example.com' }, 'ADMINISTRATION_URL: expected the https address'],
    [{ ADMINISTRATION_URL: 'https://example.com/?a=b' }, 'ADMINISTRATION_URL: expected the https address'],
    [{ ADMINISTRATION_URL: 'https://example.com/#a' }, 'ADMINISTRATION_URL: expected the https address'],
    [{ REMOTE_PER_SECOND: '-1' }, 'REMOTE_PER_SECOND: expected a whole number from 0'],
    [{ REMOTE_PER_MINUTE: 'many' }, 'REMOTE_PER_MINUTE: expected a whole number from 0'],
    [{ REMOTE_TIMEOUT_MS: '0' }, 'REMOTE_TIMEOUT_MS: expected a whole number from 1 to 110000'],
    [{ REMOTE_TIMEOUT_MS: '200000' }, 'REMOTE_TIMEOUT_MS: expected a whole number from 1 to 110000'],
    [{ REMOTE_AT_A_TIME: '0' }, 'REMOTE_AT_A_TIME: expected a whole number from 1 to 32'],
    [{ REMOTE_AT_A_TIME: '33' }, 'REMOTE_AT_A_TIME: expected a whole number from 1 to 32'],
    [{ TIME_ZONE: 'Mars/Olympus' }, 'TIME_ZONE: expected the name of a time zone'],
    [{ PORT: 'x', DATABASE_URL: 'y' }, /PORT: .*DATABASE_URL: /],
    [{ AzureWebJobsStorage: 'hello' }, 'AzureWebJobsStorage: expected the connection string'],
    [{ SMTP_URL: 'mail.example.com' }, 'SMTP_URL: expected smtp://'],
    ...['smtp://info:100%@mail.example.com', 'smtp://100%:pass@mail.example.com'].map(
      (url): [Record<string, string>, string] => [
        { SMTP_URL: url, MAIL_FROM: 'a@b.example' },
        'with %25 for a % in the user or the password',
      ],
    ),
    [{ SMTP_URL: 'smtp://mail.example.com' }, 'MAIL_FROM: expected the e-mail address'],
    [{ MAIL_FROM: 'a@b.example\r\nBcc: x@y.example' }, 'MAIL_FROM: expected an e-mail address'],
    ...['PORT', 'REMOTE_PER_SECOND', 'REMOTE_PER_MINUTE', 'WRITES_PER_MINUTE', 'MAIL_DELAY_MINUTES'].flatMap((name) =>
      // Not 0, which is no limit.
      [' ', '\t\n', '0x10', '1e2'].map((text): [Record<string, string>, string] => [
        { [name]: text },
        `${name}: expected a`,
      ]),
    ),
    [{ MAIL_DELAY_MINUTES: '-1' }, 'MAIL_DELAY_MINUTES: expected a whole number from 0 to 10080'],
    [{ SECRET_KEY: 'short' }, 'SECRET_KEY: expected 32 random bytes in base64'],
    [{ SECRET_KEY: Buffer.alloc(31).toString('base64') }, 'SECRET_KEY: expected 32 random bytes in base64'],
    [{ PUSH_DAYS: '0' }, 'PUSH_DAYS: expected a whole number from 1'],
    [{ EXPORT_DAYS: 'forever' }, 'EXPORT_DAYS: expected a whole number from 1'],
    [{ RELATION_EXPORT_SCHEDULE: '0 2 * * *' }, 'RELATION_EXPORT_SCHEDULE: expected six fields'],
    [{ RELATION_EXPORT_SCHEDULE: '0 0 25 * * *' }, 'RELATION_EXPORT_SCHEDULE: expected six fields'],
    [{ EXPORT_ADMINISTRATIONS: 'Janssen' }, 'EXPORT_ADMINISTRATIONS: expected all, or a JSON list'],
    [{ EXPORT_ADMINISTRATIONS: '[{"name":"Janssen"}]' }, 'EXPORT_ADMINISTRATIONS: expected all, or a JSON list'],
    [
      { EXPORT_ADMINISTRATIONS: '[{"name":"A","apiKey":"k","username":"u"},{"name":"A","apiKey":"l","username":"v"}]' },
      'EXPORT_ADMINISTRATIONS: expected all, or a JSON list',
    ],
    [
      {
        EXPORT_ADMINISTRATIONS: JSON.stringify([
          { name: 'Zon', apiKey: 'k', username: 'u' },
          { name: 'Maan', apiKey: 'k', username: 'v' },
          { name: 'Ster', apiKey: 'k', username: 'U' },
        ]),
      },
      'EXPORT_ADMINISTRATIONS: expected a credential for each administration, but Zon and Ster have the same',
    ],
    // Credentials of pushes are stored.
    [{ WEBSITE_INSTANCE_ID: 'a1', DATABASE_URL: 'postgres://localhost/books' }, 'SECRET_KEY: expected 32 random bytes'],
    ...[0, 7, 255].map((byte): [Record<string, string>, string] => [
      { SECRET_KEY: Buffer.alloc(32, byte).toString('base64') },
      'SECRET_KEY: expected 32 random bytes in base64',
    ]),
    [{ SECRET_KEY_PREVIOUS: weakKeys[0]!.toString('base64') }, 'SECRET_KEY_PREVIOUS: expected 32 random bytes'],
    ...['', '?sslmode=disable', '?sslmode=prefer', '?ssl=false'].map((query): [Record<string, string>, string] => [
      { DATABASE_URL: `postgres://db.example/books${query}` },
      'DATABASE_URL: expected sslmode=verify-full (or require)',
    ]),
    // Everybody knows the keys of the demo.
    [
      {
        WEBSITE_SITE_NAME: 'func',
        ADMINISTRATION_URL: 'https://books.example.com',
        SECRET_KEY: secretKey,
        EXPORT_ADMINISTRATIONS:
          '[{"name":"A","apiKey":"k","username":"u"},{"name":"B","apiKey":"demo-be","username":"v"}]',
      },
      'EXPORT_ADMINISTRATIONS: expected keys of its own, not the one of the demo',
    ],
    // The disk of an Azure app does not last.
    [
      { WEBSITE_INSTANCE_ID: 'a1' },
      'DATABASE_URL: expected the address of a PostgreSQL database, or in ADMINISTRATION_URL',
    ],
    [{ WEBSITE_SITE_NAME: 'ledgerline' }, 'DATABASE_URL: expected the address of a PostgreSQL database'],
    [
      { WEBSITE_INSTANCE_ID: 'a1', DATABASE_URL: 'sqlite:/home/books.db' },
      'DATABASE_URL: expected a PostgreSQL database; the disk',
    ],
  ])('%j are refused by name', (environment: Record<string, string>, message) => {
    expect(() => readSettings(environment)).toThrow(WrongSetting);
    expect(() => readSettings(environment)).toThrow(message);
  });

  it.each<Record<string, string>>([
    { DATABASE_URL: 'mysql://anna:secret@localhost/books' },
    { DATABASE_URL: 'postgres://anna:secret@localhost:port/books' },
    { DATABASE_URL: 'postgres://anna:secret@localhost' },
    { AzureWebJobsStorage: 'AccountKey=secret' },
    { SECRET_KEY: 'secret' },
    { EXPORT_ADMINISTRATIONS: '[{"name":"A","apiKey":"secret"}]' },
    {
      EXPORT_ADMINISTRATIONS:
        '[{"name":"A","apiKey":"secret","username":"u"},{"name":"B","apiKey":"secret","username":"u"}]',
    },
  ])('that are refused are not repeated in the message, since they may contain a secret: %j', (environment) => {
    expect(() => readSettings(environment)).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('secret') }),
    );
  });
});

it('settings that are unresolved references to a key vault are refused by name', () => {
  const reference = '@Microsoft.KeyVault(SecretUri=https://kv-ledger.vault.azure.net/secrets/health-key)';
  const environment = { SECRET_KEY: reference, HEALTH_KEY: reference };
  expect(() => readSettings(environment)).toThrow(WrongSetting);
  expect(() => readSettings(environment)).toThrow('SECRET_KEY, HEALTH_KEY: expected a value, got a reference');
  // Otherwise the name of the vault would be the key.
  expect(readHealthKey(environment)).toBeUndefined();
  expect(readHealthKey({ HEALTH_KEY: 'sixteen characters' })).toBe('sixteen characters');
});

it('every random secret key is accepted', () => {
  for (let seed = 0; seed < 2000; seed++) {
    const SECRET_KEY = secretKeyOf(seed);
    expect(readSettings({ SECRET_KEY }).secretKey?.toString('base64')).toBe(SECRET_KEY);
  }
});

it.each(weakKeys.map((bytes) => bytes.toString('base64')))(
  'a secret key that a person made up is refused: %s',
  (SECRET_KEY) => {
    expect(() => readSettings({ SECRET_KEY })).toThrow('SECRET_KEY: expected 32 random bytes in base64');
  },
);

describe('Azure', () => {
  it.each<[Record<string, string>, boolean]>([
    [{ WEBSITE_INSTANCE_ID: 'a1' }, true],
    // Flex Consumption.
    [{ WEBSITE_POD_NAME: 'pod', WEBSITE_SITE_NAME: 'func', CONTAINER_NAME: 'pod' }, true],
    // Linux Consumption.
    [{ CONTAINER_NAME: 'container', WEBSITE_SITE_NAME: 'func' }, true],
    [{ CONTAINER_NAME: 'container', FUNCTIONS_WORKER_RUNTIME: 'node' }, true],
    [{ WEBSITE_SITE_NAME: 'func' }, true],
    // A setting cannot declare an instance of Azure a local machine.
    [{ WEBSITE_POD_NAME: 'pod', AZURE_FUNCTIONS_ENVIRONMENT: 'Development' }, true],
    // Core Tools on a local machine.
    [{ WEBSITE_HOSTNAME: 'localhost:7071', AZURE_FUNCTIONS_ENVIRONMENT: 'Development' }, false],
    [{ WEBSITE_SITE_NAME: 'func', AZURE_FUNCTIONS_ENVIRONMENT: 'Development' }, false],
    [{ CONTAINER_NAME: 'web-1' }, false],
    [{}, false],
  ])('is detected by %j: %s', (environment, expected) => {
    const elsewhere = { ADMINISTRATION_URL: 'https://books.example.com', SECRET_KEY: secretKey };
    expect(readSettings({ ...elsewhere, ...environment }).isAzure).toBe(expected);
  });
});
