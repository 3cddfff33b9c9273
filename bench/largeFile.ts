import { strToU8, zipSync } from 'fflate';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const relationship = (id: string, kind: string, target: string) =>
  `<Relationship Id="${id}" Type="${RELATIONSHIPS}/${kind}" Target="${target}"/>`;

/** A workbook of invoice lines as another program writes it: ten cells a row; 300,000 rows are some 20 MB. */
export function largeFile(rows: number): Uint8Array<ArrayBuffer> {
  const texts = new Map<string, number>();
  const text = (value: string) => {
    const index = texts.get(value) ?? texts.size;
    texts.set(value, index);
    return index;
  };
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return Math.floor((seed / 0x7fffffff) * below);
  };
  const lines = Array.from({ length: rows }, (_, index) => {
    const row = index + 1;
    const [quantity, price] = [random(100) + 1, random(100_000) / 100];
    const cells = [
      `r="A${row}"><v>${row}</v>`,
      `r="B${row}" t="s"><v>${text(`Relation ${random(20_000)} &amp; sons`)}</v>`,
      `r="C${row}" s="1"><v>${46_000 + (row % 365)}</v>`,
      `r="D${row}" t="s"><v>${text(`0${random(5000)}`)}</v>`,
      `r="E${row}" t="s"><v>${text(`Delivery of goods number ${random(1_000_000)}`)}</v>`,
      `r="F${row}"><v>${quantity}</v>`,
      `r="G${row}" s="2"><v>${price}</v>`,
      `r="H${row}" s="2"><f>F${row}*G${row}</f><v>${quantity * price}</v>`,
      `r="I${row}"><v>${8000 + (row % 7)}</v>`,
      `r="J${row}" t="str"><v>${row % 3 === 0 ? 'low' : 'high'}</v>`,
    ];
    return `<row r="${row}">${cells.map((cell) => `<c ${cell}</c>`).join('')}</row>`;
  });
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships">${relationship('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><sheets><sheet name="Lines" sheetId="1" r:id="a"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${relationship('a', 'worksheet', 'worksheets/sheet1.xml')}${relationship('b', 'styles', 'styles.xml')}${relationship('c', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" xfId="0"/><xf numFmtId="14" xfId="0" applyNumberFormat="1"/><xf numFmtId="4" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`,
    'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${[...texts.keys()].map((value) => `<si><t>${value}</t></si>`).join('')}</sst>`,
  };
  return zipSync(Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)])));
}
