/** More than the calls between a construct of this library and the constructs inside it. */
const MIN_FRAMES = 30;

/**
 * An error whose message names the construct and the property to change, so that it prints as the message only. The
 * stack trace would show frames of this library first, and often no line of the user's code at all.
 */
export function errorWithoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = `${error.name}: ${message}`;
  return error;
}

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
