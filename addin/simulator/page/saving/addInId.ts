import manifest from '../../../../manifest.xml?raw';

/** The id of the add-in: what it stores in a workbook is found by it. */
export const addInId = /<Id>([^<]+)<\/Id>/.exec(manifest)![1]!;
