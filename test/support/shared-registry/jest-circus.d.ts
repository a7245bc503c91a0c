/** jest-circus has no types for its runner. */
declare module 'jest-circus/runner' {
  const run: (...args: readonly unknown[]) => Promise<import('@jest/test-result').TestResult>;
  export default run;
}
