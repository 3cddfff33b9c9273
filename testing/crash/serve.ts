import path from 'node:path';
import { functionsOf, openAdministrations } from '../../functions/app.ts';
import { createHost } from '../../functions/host/server.ts';
import { readSettings } from '../../functions/settings.ts';
import { listen } from '../listen.ts';

/* The app as a process of its own, without pages and demo: on DATABASE_URL, at a free port, which it prints. */

const administrations = await openAdministrations(readSettings(process.env));
const pages = path.join(import.meta.dirname, 'none');
const server = createHost(functionsOf(async () => ({ administrations }), { pages }).http, (line) =>
  console.error(line),
);
const { url } = await listen(server);
console.log(url);
