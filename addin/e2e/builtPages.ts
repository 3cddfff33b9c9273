import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildPages } from '../../functions/host/installation/buildPages.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of the built pages. */
    pages: string;
  }
}

/**
 * Run by vitest before the tests in a browser. Building takes long, so it is done once. Apps that several tests start
 * at a time would else build the same files.
 */
export async function setup(project: TestProject): Promise<void> {
  project.provide('pages', await buildPages(path.resolve(import.meta.dirname, '../..')));
}
