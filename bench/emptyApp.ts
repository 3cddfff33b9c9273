import { app } from '@azure/functions';

/* The least that a Functions app can be: what a start of ours is measured against. */

app.setup({ enableHttpStream: true });
app.http('empty', { methods: ['GET'], route: 'empty', authLevel: 'anonymous', handler: async () => ({ body: '{}' }) });
