const TEST_FOLDER = /(^|\/)([^/]*[-_])?(tests?|e2e)\//;

/** Whether a file is in a folder of tests, so that advice for production is only a note. */
export function isOfTests(file: string): boolean {
  return TEST_FOLDER.test(file);
}
