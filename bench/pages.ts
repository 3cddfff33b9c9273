import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { demoCredentials } from '../functions/administrations/builtin/setup/demo/demoCredentials.ts';
import { alternately, bytesAt, inFolder, type Ratio, started, stopped } from './measure.ts';

const pages = {
  'a page of 200 relations': '/rest/listrelations?Limit=200',
  'a page of 100 invoices': '/rest/listsalesinvoices?Limit=100',
  'a page of 15 invoices with PDFs that are ready': '/rest/listsalesinvoices?Limit=15&IncludeBase64PDF=true',
  'a page of 50 invoices with lines': '/rest/listsalesinvoices?Limit=50&IncludeInvoiceLinesInResponse=true',
};

/** Pages of the demo through the local host, against a bare server that sends the same bytes. */
export const measurePages = (): Promise<Ratio[]> =>
  inFolder(async (folder) => {
    const app = await started('functions/host/start.ts', /http:\/\/localhost:(\d+)/, {
      PORT: '0',
      DATA_DIR: folder,
    });
    const ratios: Ratio[] = [];
    try {
      const { apiKey, username } = demoCredentials.NL;
      const headers = { ApiKey: apiKey, Username: username };
      for (const [name, target] of Object.entries(pages)) {
        const url = `http://localhost:${app.match[1]}${target}`;
        const file = path.join(folder, 'page.json');
        writeFileSync(file, await bytesAt(url, headers));
        const bare = await started('bench/bareServer.ts', /port (\d+)/, {}, [file]);
        try {
          const bareUrl = `http://localhost:${bare.match[1]}/`;
          const times = await alternately(
            400,
            () => bytesAt(url, headers),
            () => bytesAt(bareUrl, headers),
          );
          ratios.push({ name: `${name}, against a bare server`, ...times, unit: 'ms', aim: 3 });
        } finally {
          await stopped(bare.process);
        }
      }
    } finally {
      await stopped(app.process);
    }
    return ratios;
  });
