/* The small parts of a workbook that list its other parts: ECMA-376 part 1 for the workbook, part 2 for the package. */

const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships';
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const numbered = (count: number, text: (number: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index + 1)).join('');

/** @param sheets in their order; their names contain no XML markup and no quote */
export function workbookXml(sheets: readonly { name: string; filter: string }[]): string {
  const listed = sheets.map(
    ({ name }, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  // Excel itself defines a name for the range of each filter, and expects it.
  const filters = sheets.map(({ name, filter }, index) => {
    const range = filter.replace(/[A-Z]+|\d+/g, '$$$&');
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${index}" hidden="1">'${name}'!${range}</definedName>`;
  });
  return `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${relationships}"><bookViews><workbookView/></bookViews><sheets>${listed.join('')}</sheets><definedNames>${filters.join('')}</definedNames></workbook>`;
}

export const workbookRelationsXml = (sheets: number): string =>
  `<Relationships xmlns="${packageRelationships}">${numbered(
    sheets,
    (number) =>
      `<Relationship Id="rId${number}" Type="${relationships}/worksheet" Target="worksheets/sheet${number}.xml"/>`,
  )}<Relationship Id="rId${sheets + 1}" Type="${relationships}/styles" Target="styles.xml"/><Relationship Id="rId${sheets + 2}" Type="${relationships}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`;

/** @param texts without XML markup */
export const sharedTextsXml = (texts: readonly string[]): string =>
  `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`;

export const packageRelationsXml = (): string =>
  `<Relationships xmlns="${packageRelationships}"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

export const contentTypesXml = (sheets: number): string =>
  `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${spreadsheet}.sharedStrings+xml"/>${numbered(
    sheets,
    (number) => `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${spreadsheet}.worksheet+xml"/>`,
  )}</Types>`;
