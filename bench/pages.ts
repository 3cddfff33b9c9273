import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { demoCredentials } from '../functions/administrations/builtin/setup/demo/demoCredentials.ts';
import { headersOf } from './books.ts';
import { alternately, bytesAt, eachOf, inFolder, median, type Ratio, startApp, startServer } from './measure.ts';

const pages = {
  'a page of 200 relations': '/rest/listrelations?Limit=200',
  'a page of 100 invoices': '/rest/listsalesinvoices?Limit=100',
  'a page of 15 invoices with PDFs that are ready': '/rest/listsalesinvoices?Limit=15&IncludeBase64PDF=true',
  'a page of 50 invoices with lines': '/rest/listsalesinvoices?Limit=50&IncludeInvoiceLinesInResponse=true',
};

/** Pages of the demo through the local host, against a bare server that sends the same bytes. */
export const measurePages = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const app = await startApp(folder);
    const headers = headersOf(demoCredentials.NL);
    const ratios: Ratio[] = [];
    for (const [name, target] of Object.entries(pages)) {
      const ours = () => bytesAt(app.url + target, headers);
      const file = path.join(folder, 'page.json');
      writeFileSync(file, await ours());
      const server = await startServer('fixedServer', file);
      const times = await alternately(400, { ours, bare: () => bytesAt(server.url, headers) });
      await server.stop();
      ratios.push({ name: `${name}, against a bare server`, ...eachOf(median, times), unit: 'ms', aim: 3 });
    }
    await app.stop();
    return ratios;
  });
