import { createServer } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { beforeAll, expect, it } from 'vitest';
import { createClient } from '../../shared/client/client.ts';
import { createPushClient } from '../../shared/client/pushClient.ts';
import { type AppProcess, startAppProcess } from '../../testing/appProcess.ts';
import { listen } from '../../testing/listen.ts';
import { secretKeyOf } from '../../testing/secretKey.ts';
import { temporaryFolder } from '../../testing/temporaryFolder.ts';

/* A collector and two apps. The remote administration of the first app (front) is the second app (behind). */

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  links?: { traceId: string }[];
};
type Collected = {
  resourceSpans?: { resource: { attributes: Attribute[] }; scopeSpans: { spans: Span[] }[] }[];
  resourceMetrics?: { scopeMetrics: { metrics: { name: string }[] }[] }[];
  resourceLogs?: { scopeLogs: { logRecords: { traceId?: string; attributes: Attribute[] }[] }[] }[];
};

const COMMENT = 'counted by somebody in particular';
const credential = { apiKey: 'demo', username: 'demo@example.com' };
const collected: { url: string; body: Collected }[] = [];
const traceOf = new Map<string, string>();
const folder = temporaryFolder();

/** Records the traceparent of each request, as the pane sends it. */
const asPane: typeof fetch = async (url, init) => {
  const { traceparent } = init!.headers as Record<string, string>;
  traceOf.set(new URL(String(url)).pathname, traceparent!);
  return fetch(url, init);
};

beforeAll(async () => {
  const collector = createServer(async (request, response) => {
    collected.push({ url: request.url!, body: (await json(request)) as Collected });
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  const { url, close } = await listen(collector);
  const start = (name: string, settings: Record<string, string>): Promise<AppProcess> =>
    startAppProcess('functions/host/start.ts', {
      PORT: '0',
      DATA_DIR: path.join(folder, name),
      SECRET_KEY: secretKeyOf(name),
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_SERVICE_NAME: name,
      ...settings,
    });
  const behind = await start('behind', { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'facturen@delinde.example' });
  const front = await start('front', { ADMINISTRATION_URL: behind.url, REMOTE_PER_SECOND: '20' });

  const client = createClient(front.url, credential, asPane);
  await client.addproduct({ ArticleNumber: 'T-1', NewName: 'T', CategoryName: 'T', CategoryCreateIfMissing: true });
  const update = { ArticleNumber: 'T-1', NewStockQty: 1, NewStockMutationComment: COMMENT };
  await client.updateproduct(update);
  const pushes = createPushClient({ base: front.url, credential, fetch: asPane });
  const { id } = await pushes.begin([{ row: 2, update: { ...update, NewStockQty: 2 } }], 'one');
  while ((await pushes.changes(id!, '')).push.state !== 'ended') await new Promise((next) => setTimeout(next, 50));
  // An app sends the rest of its telemetry when it ends.
  for (const app of [front, behind]) {
    app.process.kill('SIGTERM');
    expect(await app.ended).toEqual([0, null]);
  }
  await close();
}, 400_000);

const spans = () =>
  collected.flatMap(({ body }) =>
    (body.resourceSpans ?? []).flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap((scope) =>
        scope.spans.map((span) => ({ ...span, service: attributeOf(resource.attributes, 'service.name') })),
      ),
    ),
  );
const attributeOf = (attributes: readonly Attribute[], key: string) => {
  const { stringValue, intValue } = attributes.find((one) => one.key === key)?.value ?? {};
  return stringValue ?? intValue;
};
const [SERVER, CLIENT, CONSUMER] = [2, 3, 5];

it('a trace follows a request from the pane through the app and the remote service to the SQL transaction', () => {
  const [, traceId, paneSpan] = traceOf.get('/rest/updateproduct')!.split('-');
  const trace = spans().filter((span) => span.traceId === traceId);
  const chain: (string | number | undefined)[][] = [];
  for (let parent = paneSpan; ; ) {
    const [span] = trace.filter(({ parentSpanId }) => parentSpanId === parent);
    if (span === undefined) break;
    chain.push([span.service, span.name, span.kind, attributeOf(span.attributes, 'http.response.status_code')]);
    parent = span.spanId;
  }
  expect(chain).toEqual([
    ['front', 'PUT /rest/updateproduct', SERVER, 200],
    ['front', 'updateproduct', CLIENT, 200],
    ['behind', 'PUT /rest/updateproduct', SERVER, 200],
    ['behind', 'SQL transaction', CLIENT, undefined],
  ]);
});

it('the work on a queue message is linked to the request that sent the message', () => {
  const [, traceId] = traceOf.get('/pushes')!.split('-');
  const work = spans().filter(({ name, service }) => name === 'pushWork' && service === 'front');
  expect(work.length).toBeGreaterThan(0);
  expect(work.map(({ kind }) => kind)).toEqual(work.map(() => CONSUMER));
  expect(work.flatMap(({ links = [] }) => links.map((link) => link.traceId))).toContain(traceId);
  // The requests that this work sends belong to its own trace.
  const sent = spans().filter((span) => span.traceId === work[0]!.traceId && span.name === 'updateproduct');
  expect(sent).toHaveLength(1);
});

it('a log record of a request has its trace, endpoint, administration, status, duration and attempts', () => {
  const [, traceId] = traceOf.get('/rest/updateproduct')!.split('-');
  const records = collected
    .flatMap(({ body }) => (body.resourceLogs ?? []).flatMap(({ scopeLogs }) => scopeLogs))
    .flatMap(({ logRecords }) => logRecords)
    .filter((record) => record.traceId === traceId)
    .map(({ attributes }) => ({
      endpoint: attributeOf(attributes, 'endpoint'),
      administration: attributeOf(attributes, 'administration'),
      status: Number(attributeOf(attributes, 'status')),
      attempts: Number(attributeOf(attributes, 'attempts')),
      duration: typeof attributeOf(attributes, 'duration'),
    }));
  const common = { endpoint: 'updateproduct', status: 200, duration: 'number' };
  expect(records).toEqual(
    expect.arrayContaining([
      { ...common, administration: '1', attempts: 0 },
      { ...common, administration: expect.stringMatching(/^[\w-]{8}$/), attempts: 1 },
    ]),
  );
});

it('the collector receives metrics of the remote service, pushes, exports and mail', () => {
  const names = collected
    .flatMap(({ body }) => (body.resourceMetrics ?? []).flatMap(({ scopeMetrics }) => scopeMetrics))
    .flatMap(({ metrics }) => metrics.map(({ name }) => name));
  expect([...new Set(names)].sort()).toEqual(
    expect.arrayContaining([
      'ledgerline.export.lateness',
      'ledgerline.mail.waiting',
      'ledgerline.push.rows',
      'ledgerline.push.rows.waiting',
      'ledgerline.remote.requests',
      'ledgerline.remote.wait',
    ]),
  );
});

it('telemetry contains no keys, no user names and no text that people wrote', () => {
  const all = JSON.stringify(collected);
  expect(all.length).toBeGreaterThan(1000);
  for (const secret of [`"${credential.apiKey}"`, credential.username, COMMENT, secretKeyOf('front')]) {
    expect(all).not.toContain(secret);
  }
});
