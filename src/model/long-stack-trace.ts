/** More than the calls between a construct of this library and the constructs inside it. */
const MIN_FRAMES = 30;

/**
 * Creates constructs with a long stack trace, so that reports of the AWS CDK name the user's line of code. By default,
 * CDK sees the last ten calls only, and all of them may be in libraries.
 */
export function withLongStackTrace<T>(make: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = Math.max(stackTraceLimit, MIN_FRAMES);
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
