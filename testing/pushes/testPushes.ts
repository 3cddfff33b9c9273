import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach } from 'vitest';
import { builtinAdministrations } from '../../functions/administrations/builtin/builtin.ts';
import { issueKey } from '../../functions/administrations/builtin/credentials/keys.ts';
import { PUSH_QUEUE } from '../../functions/pushes/dependencies.ts';
import { openPushes, type Pushes } from '../../functions/pushes/openPushes.ts';
import { pushSecrets } from '../../functions/pushes/pushSecrets.ts';
import type { Credential } from '../../shared/client/client.ts';
import type { Push, PushChanges } from '../../shared/resources/push.ts';
import { startApp } from '../app.ts';
import { testStorage } from '../storage.ts';

export const ignoreLog = (): void => {};

/**
 * An app with two instances of pushes on one storage account. A test works on the messages itself. To be called at the
 * top of a file of tests.
 */
export async function startTestPushes() {
  const { storage } = await testStorage();
  const app = await startApp();
  afterAll(() => app.close());
  beforeEach(async () => {
    await (await storage.queueClient(PUSH_QUEUE)).clearMessages();
  });
  const administrations = builtinAdministrations(app.db);
  const known = await administrations.identify(app.credential);
  const secretKey = randomBytes(32);
  const open = (more: Partial<Parameters<typeof openPushes>[0]> = {}): Pushes =>
    openPushes({ storage, administrations, secretKeys: [secretKey], days: 30, ...more });
  const pushes = open();

  /** Receives and removes the visible messages. */
  async function messages(): Promise<{ owner: string; tries?: number }[]> {
    const queue = await storage.queueClient(PUSH_QUEUE);
    const { receivedMessageItems } = await queue.receiveMessages({ numberOfMessages: 32 });
    for (const { messageId, popReceipt } of receivedMessageItems) await queue.deleteMessage(messageId, popReceipt);
    return receivedMessageItems.map(({ messageText }) => JSON.parse(Buffer.from(messageText, 'base64').toString()));
  }

  let count = 0;
  return {
    storage,
    app,
    administrations,
    secretKey,
    open,
    pushes,
    other: open(),
    messages,
    async workOnMessages(instance: Pushes): Promise<void> {
      for (const message of await messages()) await instance.work(message, ignoreLog);
    },
    /** @returns its article number */
    async newProduct(): Promise<string> {
      const articleNumber = `P-${++count}`;
      await app.addProduct({ articleNumber, name: `Product ${count}`, stock: '0' });
      return articleNumber;
    },
    stockOf: async (ArticleNumber: string) => (await app.client.updateproduct({ ArticleNumber })).StockQty,
    begin: async (instance: Pushes, credential: Credential, key: string, rows: readonly object[]): Promise<Push> =>
      JSON.parse(await instance.begin(credential, key, { rows }, ignoreLog)).push,
    changesOf: async (instance: Pushes, credential: Credential, id: string): Promise<PushChanges> =>
      JSON.parse(await instance.changes(credential, id, '')),
    listedIds: async (instance: Pushes, credential: Credential): Promise<(string | null)[]> =>
      JSON.parse(await instance.list(credential)).pushes.map(({ id }: Push) => id),
    /** The name under which the pushes of the app's administration are stored. */
    owner: known.kind === 'builtin' ? known.id : '',
    /** The name under which earlier versions stored the pushes of a credential. */
    ownerOfCredential: (credential: Credential): string => pushSecrets([secretKey]).ownersOf(credential)[0],
    /** A further key of the app's administration. */
    async issueKey(scope: 'all' | 'read' = 'all'): Promise<Credential> {
      const { administrationId, credential } = app;
      const key = { administrationId, username: credential.username, label: '', now: 1n, scope };
      return { username: credential.username, apiKey: await issueKey(app.db, key) };
    },
  };
}
