import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { type Service, Unreachable } from '../../../shared/client/client.ts';
import { collectDocuments, zipLimits, zipOf } from './collectDocuments.ts';

const problem = (status: number, code: string) =>
  Response.json({ errorCode: code, errorMessage: code }, { status, headers: { 'Content-Type': 'application/json' } });

/** Collects documents from a service that answers by the number of the invoice. */
async function collect(
  numbers: string[],
  respond: (number: string) => Response | Error,
  limits: Partial<typeof zipLimits> = {},
  controller = new AbortController(),
) {
  const asked: string[] = [];
  const reports: number[] = [];
  let atOnce = 0;
  let most = 0;
  const service: Service = {
    base: 'http://service',
    credential: { apiKey: 'key', username: 'name' },
    fetch: async (url) => {
      const number = /(\d+)\.pdf$/.exec(url)![1]!;
      asked.push(number);
      most = Math.max(most, ++atOnce);
      await new Promise((resolve) => setTimeout(resolve));
      atOnce--;
      const response = respond(number);
      if (response instanceof Error) throw response;
      return response;
    },
  };
  const outcome = await collectDocuments(service, numbers, 'pdf', {
    signal: controller.signal,
    report: (done) => void reports.push(done),
    limits: { ...zipLimits, ...limits },
  }).catch((error: unknown) => ({ error }));
  return { outcome, asked, reports, most };
}

const numbers = ['12', '7', '30', '4', '5'];
const pdfOf = (number: string) => new Response(`PDF ${number}`);

describe('The documents of a selection', () => {
  it('are fetched three at a time, and stand in the order of the selection', async () => {
    const { outcome, most, reports } = await collect(numbers, pdfOf);
    if ('error' in outcome) throw outcome.error;
    expect([...outcome.files.keys()]).toEqual(numbers.map((number) => `${number}.pdf`));
    expect(strFromU8(outcome.files.get('30.pdf')!)).toBe('PDF 30');
    expect(outcome.notIncluded).toEqual([]);
    expect(most).toBe(3);
    expect(reports).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('that cannot be made leave the others, and keep the reason of the service', async () => {
    const { outcome } = await collect(numbers, (number) =>
      number === '7' ? problem(404, 'NOT_FOUND') : number === '5' ? problem(500, 'INTERNAL') : pdfOf(number),
    );
    expect(outcome).toMatchObject({
      notIncluded: [
        { number: '7', why: { error: { code: 'NOT_FOUND' } } },
        { number: '5', why: { error: { code: 'INTERNAL' } } },
      ],
    });
    expect('files' in outcome && outcome.files.size).toBe(3);
  });

  it('that follow a lost connection are not asked for, and what was fetched is kept', async () => {
    const { outcome, asked } = await collect(numbers, (number) => (number === '12' ? pdfOf('12') : new Unreachable()));
    if ('error' in outcome) throw outcome.error;
    expect([...outcome.files.keys()]).toEqual(['12.pdf']);
    expect(outcome.notIncluded.map(({ number }) => number)).toEqual(['7', '30', '4', '5']);
    expect(asked).not.toContain('5');
  });

  it('fail together when there is none before the service refuses the key', async () => {
    const { outcome, asked } = await collect(numbers, () => problem(401, 'UNAUTHORIZED'));
    expect(outcome).toMatchObject({ error: { code: 'UNAUTHORIZED' } });
    expect(asked).toHaveLength(3);
  });

  it('beyond the limits are named, not fetched', async () => {
    const few = await collect(numbers, pdfOf, { documents: 2 });
    expect(few.asked).toEqual(['12', '7']);
    expect(few.outcome).toMatchObject({
      notIncluded: ['30', '4', '5'].map((number) => ({ number, why: 'documents' })),
    });
    const small = await collect([...numbers, '6', '8'], pdfOf, { bytes: 12 });
    expect(small.outcome).toMatchObject({ notIncluded: Array(5).fill({ why: 'bytes' }) });
    expect(small.asked).not.toContain('8');
  });

  it('end with the reason of the signal when the user cancels', async () => {
    const controller = new AbortController();
    const { outcome, asked } = await collect(
      numbers,
      (number) => {
        controller.abort('cancelled');
        return pdfOf(number);
      },
      {},
      controller,
    );
    expect(outcome).toEqual({ error: 'cancelled' });
    expect(asked).toHaveLength(3);
  });
});

it('A zip has the documents unchanged, and a list that any editor on Windows shows', async () => {
  const xml = new TextEncoder().encode('<Invoice/>');
  const zip = zipOf(new Map([['12.xml', xml]]), { name: 'List.txt', text: '1 document\n12.xml\n' });
  const files = unzipSync(new Uint8Array(await zip.arrayBuffer()));
  expect(Object.keys(files)).toEqual(['List.txt', '12.xml']);
  expect(files['12.xml']).toEqual(xml);
  expect(files['List.txt']).toEqual(new TextEncoder().encode('\ufeff1 document\r\n12.xml\r\n'));
});
