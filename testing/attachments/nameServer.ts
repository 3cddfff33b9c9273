import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/** The addresses of names; a name that is not in it has none, and one with `silent` gets no response. */
type Zone = Readonly<Record<string, readonly string[] | 'silent'>>;

const [TYPE_A, TYPE_AAAA] = [1, 28];
const NAME_ERROR = 3;

/** A name server over UDP on this machine. */
export async function startNameServer(zone: Zone) {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', (query, { port }) => {
    asked++;
    const { name, end } = nameIn(query);
    const addresses = zone[name];
    if (addresses === 'silent') return;
    const type = query.readUInt16BE(end);
    const responses = (addresses ?? []).filter((one) => type === (isIPv4(one) ? TYPE_A : TYPE_AAAA));
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8180 | (addresses === undefined ? NAME_ERROR : 0), 2);
    header.writeUInt16BE(responses.length, 6);
    header.writeUInt32BE(0, 8);
    const records = responses.map((address) => {
      const data = bytesOf(address);
      const record = Buffer.alloc(12);
      // The name is that of the question.
      record.writeUInt16BE(0xc00c, 0);
      record.writeUInt16BE(type, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt16BE(data.length, 10);
      return Buffer.concat([record, data]);
    });
    socket.send(Buffer.concat([header, query.subarray(12, end + 4), ...records]), port, '127.0.0.1');
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked: () => asked,
    close: () => socket.close(),
  };
}

/** The name of the first question, and where it ends. */
function nameIn(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail = ''] = address.split('::');
  const parts = (text: string) => (text === '' ? [] : text.split(':'));
  const zeros = Array(8 - parts(head).length - parts(tail).length).fill('0');
  const words = address.includes('::') ? [...parts(head), ...zeros, ...parts(tail)] : parts(head);
  return Buffer.from(words.map((word) => word.padStart(4, '0')).join(''), 'hex');
}
