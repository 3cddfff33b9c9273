import { describe, expect, it } from 'vitest';
import { readRequest } from '../../../../shared/readRequest.ts';
import { parseJson } from '../../../../shared/wire/json.ts';
import { pdf } from '../../../../testing/attachments/files.ts';
import { chairs, FRIDAY, salesInvoices } from '../../../../testing/builtin/salesInvoices.ts';
import type { KeyedWrite, WriteOutcome } from '../../administration.ts';
import { builtinAdministrations } from '../builtin.ts';

/* Documents of a push whose files are downloaded. */

const invoices = salesInvoices();

const write = (key: string, more: object = {}): KeyedWrite => ({
  key,
  name: 'addsalesinvoice',
  request: readRequest('addsalesinvoice', { ...chairs, ...more }).request,
});
const withFile = (key: string, more: object = {}) =>
  write(key, { Invoice_Attachment: [{ FileUrl: `${invoices.fileAddress}/factuur.pdf?${key}` }], ...more });

async function written(writes: readonly KeyedWrite[], signal = new AbortController().signal): Promise<WriteOutcome[]> {
  const { app, shop, download } = invoices;
  const administrations = builtinAdministrations(app.db, { clock: () => FRIDAY * 1000, download });
  const writer = await administrations.writer(shop.credential);
  return writer.write(writes, async () => {}, signal);
}

/** The number of an invoice that was made, or why there is none. */
const summary = (outcome: WriteOutcome): string =>
  outcome.kind === 'applied'
    ? String((parseJson(outcome.shown) as { number: unknown }).number)
    : [outcome.kind, ...outcome.problem.errors.map(({ path }) => path)].join(' ');

/** The requested files, since the last call. */
const requested = () => invoices.requestedFiles.splice(0).map((path) => path.replace('/factuur.pdf?', ''));

describe('a document of a push with a file by its address', () => {
  it('is made in the order of the rows, with its file', async () => {
    requested();
    const outcomes = await written([write('a'), withFile('b'), write('c'), withFile('d')]);
    const numbers = outcomes.map((outcome) => Number(summary(outcome)));
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
    expect(requested()).toEqual(['b', 'd']);
    const files = await invoices.shop.filesOf({ salesInvoice: numbers[1]! });
    expect(files).toMatchObject([{ type: 'application/pdf', size: pdf.length, failure: '' }]);
  });

  it('is made once when it is sent again, and downloads nothing then', async () => {
    const first = await written([withFile('e'), write('f')]);
    requested();
    expect(await written([withFile('e'), write('f')])).toEqual(first);
    expect(requested()).toEqual([]);
  });

  it('downloads nothing when it is refused, and the others are made', async () => {
    requested();
    const outcomes = await written([withFile('g', { CustomerNumber: 99 }), withFile('h')]);
    expect(outcomes.map((outcome) => outcome.kind)).toEqual(['refused', 'applied']);
    expect([summary(outcomes[0]!), requested()]).toEqual(['refused CustomerNumber', ['h']]);
  });

  it('waits with those behind it when there were too many downloads in a minute', async () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      FileUrl: `${invoices.fileAddress}/factuur.pdf?${index}`,
    }));
    const full = (key: string) => write(key, { Invoice_Attachment: many });
    const outcomes = await written([full('i'), full('j'), full('k'), full('l'), write('m')]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['applied', 'applied', 'applied', 'deferred', 'deferred']);
    expect(outcomes[3]).toMatchObject({ after: 60_000 });
  });

  it('is left to a later call when the work ends before it', async () => {
    const ended = new AbortController();
    const writes = [withFile('n'), withFile('o'), write('p')];
    const { app, shop, download } = invoices;
    const administrations = builtinAdministrations(app.db, {
      clock: () => FRIDAY * 1000,
      download: (address, options) => {
        ended.abort();
        return download(address, options);
      },
    });
    const writer = await administrations.writer(shop.credential);
    const outcomes = await writer.write(writes, async () => {}, ended.signal);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['applied', 'deferred', 'deferred']);
    expect((await written(writes)).map(({ kind }) => kind)).toEqual(['applied', 'applied', 'applied']);
  });
});
