import { equal, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { officePackage, wordMain } from '../../attachments/files.ts';
import { known } from '../target.ts';
import type { Attack } from './attack.ts';

/* Office documents that unpack to much, several large bodies at once, and paths of slashes. */

const files = (name: string, count: number, parts: () => Uint8Array): Attack => ({
  name: `an invoice with office documents ${name}`,
  prepare({ write }) {
    const file = { FileContent: Buffer.from(parts()).toString('base64'), FileName: 'x.docx' };
    const body = JSON.stringify({
      CustomerNumber: known.party,
      Invoice_InvoiceLine: [{ IsTextLine: true, Description: 'x' }],
      Invoice_Attachment: Array(count).fill(file),
    });
    return async () => {
      const { status } = await write({ method: 'POST', path: '/rest/addsalesinvoice', body });
      equal(status, 400);
      return '400';
    };
  },
  maxMemory: 250,
});

const elements = '<a/>'.repeat(250_000);

export const fileAttacks: readonly Attack[] = [
  files('that unpack to much', 20, () =>
    officePackage('word/document.xml', wordMain, { types: elements, relationships: elements }),
  ),
  files('of many entries', 5, () => {
    const entries = Object.fromEntries(Array.from({ length: 19_000 }, (_, index) => [`x${index}`, '']));
    return officePackage('word/document.xml', wordMain, { parts: entries });
  }),
  ...(['write', 'read'] as const).map(
    (key): Attack => ({
      name: `four bodies of large numbers at once, by a key for ${key === 'write' ? 'writing' : 'reading'}`,
      prepare(target) {
        const body = Buffer.from(`{"x":[${'1e100,'.repeat(2_600_000)}0]}`);
        const sent = { method: 'POST', path: '/rest/addsalesinvoice', body };
        return async () => {
          const all = await Promise.all(Array.from({ length: 4 }, () => target[key](sent)));
          const statuses = all.map(({ status }) => status);
          for (const status of statuses) ok((key === 'write' ? [0, 400, 429] : [0, 403]).includes(status));
          return statuses.join(', ');
        };
      },
      maxMemory: 250,
    }),
  ),
  {
    name: 'twenty paths of slashes on one connection, without a key',
    prepare:
      ({ url }) =>
      async () => {
        const { hostname, port } = new URL(url);
        const socket = connect(Number(port), hostname);
        const one = (more = '') => `GET /taskpane${'/'.repeat(16_000)} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
        socket.end(one().repeat(19) + one('Connection: close\r\n'));
        let responses = '';
        socket.on('data', (bytes) => {
          responses += bytes;
        });
        await once(socket, 'close');
        equal(responses.match(/HTTP\/1\.1 404/g)?.length, 20);
        return '404';
      },
  },
];
