import { createHmac, randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../testing/app.ts';
import { deeper } from '../../../../testing/deep.ts';
import { openShop } from '../../../../testing/shop.ts';
import { temporaryFolder } from '../../../../testing/temporaryFolder.ts';
import { CommandError } from '../files/commandError.ts';
import { exportAdministration } from './exportAdministration.ts';
import { importAdministration } from './importAdministration.ts';
import { MANIFEST, manifestText } from './manifest.ts';

const home = temporaryFolder();
const key = randomBytes(32);
let app: TestApp;
/** An archive, and the same one signed. */
let plain: string;
let signed: string;
let files: string[];
beforeAll(async () => {
  app = await startApp();
  const shop = await openShop(app);
  const FileContent = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64');
  await shop.accepted('addsalesinvoice', {
    CustomerNumber: 7,
    Invoice_InvoiceLine: [{ ProductNumber: '0200', Quantity: 1, UnitPriceExclTax: 3 }],
    Invoice_Attachment: [{ FileContent, FileName: 'Bon.pdf' }],
  });
  plain = path.join(home, 'plain');
  signed = path.join(home, 'signed');
  await exportAdministration(app.db, shop.administrationId, plain);
  await exportAdministration(app.db, shop.administrationId, signed, { key });
  files = ['attachments/000001.pdf', ...readdirSync(plain).filter((name) => name !== 'attachments')];
});
afterAll(() => app.close());

let copies = 0;
/** Imports a damaged copy of an archive. @returns its problems; none when it was imported */
async function problemsOf(from: string, damage: (folder: string) => void, withKey?: Buffer): Promise<string[]> {
  const folder = path.join(home, `copy ${++copies}`);
  cpSync(from, folder, { recursive: true });
  damage(folder);
  const administrations = () => app.db.selectFrom('administration').select('id').execute();
  const before = await administrations();
  try {
    const { problems } = await importAdministration(app.db, folder, { key: withKey });
    if (problems.length === 0) return [];
    expect(await administrations()).toEqual(before);
    return problems.map(({ place, message }) => `${place}: ${message}`);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    expect(await administrations()).toEqual(before);
    return [error.message];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const notAsExported = 'is not as it was exported: its SHA-256 is not the one in archive.json';

describe('an archive', () => {
  it('has the SHA-256 of every file in its manifest', () => {
    const manifest = JSON.parse(readFileSync(path.join(plain, MANIFEST), 'utf8'));
    expect(Object.keys(manifest.files).sort()).toEqual(files.filter((name) => name !== MANIFEST).sort());
    expect(manifest.hmac).toBeUndefined();
  });

  it('is imported when nothing was changed, signed or not', async () => {
    expect(await problemsOf(plain, () => {})).toEqual([]);
    expect(await problemsOf(signed, () => {})).toEqual([]);
    expect(await problemsOf(signed, () => {}, key)).toEqual([]);
  });

  it('is refused when any byte of any file is changed', async () => {
    const change = fc.record({
      file: fc.integer({ min: 0, max: files.length - 1 }),
      place: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      bits: fc.integer({ min: 1, max: 255 }),
      isSigned: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ file, place, bits, isSigned }) => {
        const name = files[file]!;
        const problems = await problemsOf(isSigned ? signed : plain, (folder) => {
          const bytes = readFileSync(path.join(folder, name));
          bytes[Math.floor(place * bytes.length)]! ^= bits;
          writeFileSync(path.join(folder, name), bytes);
        });
        expect(problems).toEqual(name === MANIFEST ? [expect.any(String)] : [`${name}: ${notAsExported}`]);
      }),
      {
        numRuns: deeper(30, 300),
        examples: [[{ file: files.indexOf(MANIFEST), place: 0.5, bits: 1, isSigned: false }]],
      },
    );
  });

  it('is refused when a file is missing or added, and the file is named', async () => {
    const inside = (name: string) => (folder: string) => path.join(folder, name);
    expect(await problemsOf(plain, (folder) => rmSync(inside('orders.csv')(folder)))).toEqual([
      'orders.csv: is missing',
    ]);
    expect(await problemsOf(plain, (folder) => writeFileSync(inside('notes.txt')(folder), ''))).toEqual([
      'notes.txt: is not in archive.json',
    ]);
    expect(await problemsOf(plain, (folder) => symlinkSync('/etc/hostname', inside('attachments/x')(folder)))).toEqual([
      'attachments/x: is a link or a device: expected a file',
    ]);
    const renamed = (folder: string) => renameSync(inside('orders.csv')(folder), inside('Orders.csv')(folder));
    expect(await problemsOf(plain, renamed)).toEqual(['orders.csv: is missing', 'Orders.csv: is not in archive.json']);
    expect(await problemsOf(plain, (folder) => mkdirSync(inside('empty')(folder)))).toEqual([]);
  });

  it('is refused when a file is a link, also one to the same content', async () => {
    const linked = (name: string) => (folder: string) => {
      renameSync(path.join(folder, name), path.join(folder, '..', `${path.basename(folder)} ${name}`));
      symlinkSync(path.join(folder, '..', `${path.basename(folder)} ${name}`), path.join(folder, name));
    };
    expect(await problemsOf(plain, linked('orders.csv'))).toEqual([
      'orders.csv: is a link or a device: expected a file',
    ]);
    expect(await problemsOf(plain, linked(MANIFEST))).toEqual([
      expect.stringContaining('is no exported administration: archive.json: is a link or a device: expected a file'),
    ]);
    expect(await problemsOf(plain, linked('attachments'))).toEqual([
      'attachments: is a link or a device: expected a file',
    ]);
  });

  it('is refused without a manifest, and with one of another version', async () => {
    const edit = (change: (text: string) => string) => (folder: string) => {
      const text = readFileSync(path.join(folder, MANIFEST), 'utf8');
      writeFileSync(path.join(folder, MANIFEST), change(text));
    };
    expect(await problemsOf(plain, (folder) => rmSync(path.join(folder, MANIFEST)))).toEqual([
      expect.stringContaining('is no exported administration'),
    ]);
    expect(
      await problemsOf(
        plain,
        edit((text) => text.replace(/"version": \d+/, '"version": 1')),
      ),
    ).toEqual([expect.stringContaining('is not of this version: version')]);
    // The same content in another JSON text.
    expect(
      await problemsOf(
        plain,
        edit((text) => JSON.stringify(JSON.parse(text))),
      ),
    ).toEqual([expect.stringContaining('is not as it was written')]);
  });
});

describe('with ARCHIVE_KEY', () => {
  const resign = (withKey: Buffer | undefined) => (folder: string) => {
    const file = path.join(folder, MANIFEST);
    const { rows, files: hashes } = JSON.parse(readFileSync(file, 'utf8'));
    rows['relations.csv'] += 0;
    writeFileSync(file, manifestText({ rows, files: hashes }, withKey));
  };

  it('an archive is signed with an HMAC of its manifest', () => {
    const { hmac, sha256: _, ...content } = JSON.parse(readFileSync(path.join(signed, MANIFEST), 'utf8'));
    const text = `${JSON.stringify(content, null, 2)}\n`;
    expect(hmac).toBe(createHmac('sha256', key).update(text).digest('hex'));
  });

  it('an archive without an HMAC, or with that of another key, is refused', async () => {
    expect(await problemsOf(plain, () => {}, key)).toEqual([
      expect.stringContaining('was not signed: expected an HMAC'),
    ]);
    expect(await problemsOf(signed, resign(undefined), key)).toEqual([expect.stringContaining('was not signed')]);
    expect(await problemsOf(signed, resign(randomBytes(32)), key)).toEqual([
      expect.stringContaining('its HMAC does not match'),
    ]);
    expect(await problemsOf(signed, resign(key), key)).toEqual([]);
  });
});
