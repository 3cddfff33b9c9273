import { relative, sep } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, though they are small, in the order in which they begin. Those that wait stand between
 * those that compute.
 */
export const longest = [
  'testing/abuse/abuse.test.ts',
  'testing/crash/crash.test.ts',
  'functions/exports/crash.test.ts',
  'functions/http/stalled.test.ts',
  'addin/taskpane/pull/failures.test.ts',
  'functions/host/start.test.ts',
  'addin/taskpane/failures.test.ts',
  'functions/administrations/builtin/auditfileExport/writeAuditfile.test.ts',
  'functions/host/queues.test.ts',
  'functions/administrations/builtin/cli/administrations.test.ts',
  'functions/deployed.test.ts',
  'functions/auditfiles/auditfiles.test.ts',
  'functions/auditfiles/killedImport.test.ts',
  'addin/taskpane/pull/ledgerSheets.test.ts',
  'testing/crash/pushes/crash.test.ts',
  'functions/storage/lease.test.ts',
  'addin/e2e/push.test.ts',
  'addin/e2e/documents.test.ts',
  'addin/e2e/administrations.test.ts',
  'addin/e2e/remote.test.ts',
  'addin/e2e/productSheet.test.ts',
  'addin/e2e/failedActions.test.ts',
  'addin/e2e/auditfiles.test.ts',
];

/**
 * Begins each project with the files that take longest: a run does not end with one of them alone. Vitest knows by
 * itself how long files took only where they ran before, which a fresh clone has not seen.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map((file) => file.project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((a, b) => placeOf(a) - placeOf(b)),
    );
  }
}

/** The place in {@link longest}, or after all of them. */
function placeOf({ moduleId, project }: TestSpecification): number {
  const place = longest.indexOf(relative(project.config.root, moduleId).split(sep).join('/'));
  return place === -1 ? longest.length : place;
}
