/** Enough for what lies between a construct of this library and what it is made of. */
const FRAMES = 30;

/**
 * Makes constructs whose line of code, as reports of the AWS CDK name it, is the one that asked for them: it looks at the last ten calls alone, and
 * these may all be of libraries.
 */
export function withUserLine<T>(make: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = Math.max(stackTraceLimit, FRAMES);
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
