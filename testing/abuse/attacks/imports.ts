import { equal } from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueKey } from '../../../functions/administrations/builtin/credentials/keys.ts';
import { createAuditfileClient } from '../../../shared/client/auditfileClient.ts';
import { startScript } from '../../appProcess.ts';
import { auditfile, line } from '../../builtin/auditfiles.ts';
import { CREATED_ON } from '../../fixtures/place.ts';
import type { Target } from '../target.ts';
import type { Attack } from './attack.ts';

/* Large imports on the command line and over HTTP, while others read and write. */

const ROWS = 20_000;

/** A file of relations, each with a contact and a bank account. */
const relations = (): string => {
  const headings = 'CustomerNumber,Name,Address_City,Contact_LastName,Contact_Email,BankAccount_IBAN';
  const rows = Array.from(
    { length: ROWS },
    (_, row) => `${100_000 + row},Company ${row},Gouda,Jansen,jansen${row}@example.com,NL91ABNA0417164300`,
  );
  return `${headings}\n${rows.join('\n')}\n`;
};

/** `npm run administration`. @throws Error when the command fails */
export async function administration(target: Target, ...args: readonly string[]): Promise<string> {
  const command = startScript(
    'functions/administrations/builtin/cli/command.ts',
    { DATABASE_URL: target.databaseUrl },
    { args },
  );
  const [code] = await command.ended;
  equal(code, 0, command.errorOutput());
  return command.lines().join(', ');
}

/** Carries a command out. */
const importing =
  (target: Target, folder: string, ...args: readonly string[]) =>
  async () => {
    try {
      await administration(target, 'import', ...args);
      return 'imported';
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

const ENTRIES = 15_000;

/** An audit file of entries with two lines each. */
function books(): string {
  const amount = '121.00';
  const entries = Array.from({ length: ENTRIES }, (_, entry) => {
    const lines = line('0100', amount, 'D') + line('8000', amount, 'C');
    return `<transaction><nr>${entry}</nr><periodNumber>2</periodNumber><trDt>2025-02-01</trDt>${lines}</transaction>`;
  });
  const total = `${ENTRIES * 121}.00`;
  return auditfile({
    transactions: `<transactions><linesCount>${ENTRIES * 2}</linesCount><totalDebit>${total}</totalDebit>
<totalCredit>${total}</totalCredit><journal><jrnID>1</jrnID><desc>J</desc>${entries.join('\n')}</journal></transactions>`,
  });
}

/** Sends an audit file, and does one thing with it. @throws Error when that fails */
async function withAuditfile({ url, db, administrationId }: Target, content: string, does: 'check' | 'import') {
  const username = 'importer@example.com';
  const key = { administrationId, username, label: does, scope: 'import', now: CREATED_ON } as const;
  const credential = { username, apiKey: await issueKey(db, key) };
  const client = createAuditfileClient({ base: url, credential, fetch });
  const file = new File([content], 'books.xaf');
  const received = await client.receive(file);
  await client.sendParts(received, file, () => {});
  const settled = async () => {
    for (;;) {
      const found = await client.state(received.id);
      if (found.state !== 'checking' && found.state !== 'importing') return found;
      await sleep(100);
    }
  };
  await client.check(received.id);
  equal((await settled()).state, 'checked');
  if (does === 'check') return client.erase(received.id);
  await client.import(received.id, { replace: false, takeWithWarnings: true });
  const { state, message } = await settled();
  equal(state, 'imported', message);
}

export const newFolder = () => mkdtempSync(path.join(tmpdir(), 'ledgerline-import-'));

export const importAttacks: readonly Attack[] = [
  {
    name: `an import of ${ROWS} relations`,
    prepare(target) {
      const folder = newFolder();
      const file = path.join(folder, 'relations.csv');
      writeFileSync(file, relations());
      return importing(target, folder, 'relations', file, '--administration', String(target.administrationId));
    },
  },
  {
    name: 'an import of a whole administration',
    prepare(target) {
      const folder = newFolder();
      const archive = path.join(folder, 'archive');
      return async () => {
        await administration(target, 'export', archive, '--administration', String(target.administrationId));
        return importing(target, folder, 'all', archive, '--missed-invoices', 'skip')();
      };
    },
  },
  ...(['check', 'import'] as const).map(
    (does): Attack => ({
      name: `an audit file of ${2 * ENTRIES} lines, to ${does}`,
      prepare(target) {
        const content = books();
        return async () => {
          await withAuditfile(target, content, does);
          return `${does}ed`;
        };
      },
    }),
  ),
];
