import { deepEqual, equal, ok } from 'node:assert/strict';
import { known } from '../target.ts';
import type { Attack } from './attack.ts';

/* Files at a host whose name server never answers, while others download theirs. */

const FILES = 10;

const invoice = (urls: readonly string[]) => ({
  method: 'POST',
  path: '/rest/addsalesinvoice',
  body: JSON.stringify({
    CustomerNumber: known.party,
    Invoice_InvoiceLine: [{ IsTextLine: true, Description: 'x' }],
    Invoice_Attachment: urls.map((FileUrl) => ({ FileUrl })),
  }),
});

export const nameAttacks: readonly Attack[] = [
  {
    name: `${FILES} files at a silent name server`,
    prepare:
      ({ write, asOther, silentUrl, fileUrl, books, otherBooks }) =>
      async () => {
        let isOver = false;
        const silent = write(invoice(Array.from({ length: FILES }, (_, index) => silentUrl(index)))).finally(() => {
          isOver = true;
        });
        const times: number[] = [];
        for (let count = 0; count < 5; count++) {
          const start = performance.now();
          const { status, body } = await asOther(invoice([fileUrl]));
          times.push(performance.now() - start);
          equal(status, 200, body);
          const [{ InvoiceNumber }] = JSON.parse(body);
          deepEqual(
            (await otherBooks.filesOf({ salesInvoice: InvoiceNumber })).map(({ failure }) => failure),
            [''],
          );
        }
        ok(!isOver, 'The downloads of others waited for those of the attacker.');
        const { status, body } = await silent;
        equal(status, 200, body);
        const [{ InvoiceNumber }] = JSON.parse(body);
        const found = await books.filesOf({ salesInvoice: InvoiceNumber });
        equal(found.filter(({ failure }) => failure !== '').length, FILES);
        return `downloads of others at most ${Math.max(...times).toFixed(0)} ms`;
      },
  },
];
