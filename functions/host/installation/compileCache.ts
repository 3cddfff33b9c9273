import path from 'node:path';

/**
 * Where Node keeps what it compiled. Compiling takes half of a start of the app, so the installation does it. Node compares
 * each file with its source, and replaces it.
 */
export const compileCache = path.resolve(import.meta.dirname, '../../../.cache/compiled');
