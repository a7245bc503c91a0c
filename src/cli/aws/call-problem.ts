import { Call } from './calls';
import { UsageError } from '../io';

const POLICY = 'catalog update --help lists all actions';
const DENIED = ['UnauthorizedOperation', 'AccessDenied', 'AccessDeniedException'];
const REFUSED = [
  'AuthFailure',
  'UnrecognizedClientException',
  'InvalidClientTokenId',
  'OptInRequired',
  'ExpiredToken',
  'ExpiredTokenException',
  'RequestExpired',
  'SignatureDoesNotMatch',
  'InvalidSignatureException',
  'Blocked',
  'PendingVerification',
];
const THROTTLED = [
  'RequestLimitExceeded',
  'Throttling',
  'ThrottlingException',
  'ThrottledException',
  'TooManyRequestsException',
  'RequestThrottled',
  'RequestThrottledException',
];
const STALE_TOKEN = /NextToken|Pagination|InvalidParameter|ValidationError|ValidationException/;
const CONTINUE = 'run the same command again, and it continues where it stopped';

interface AwsError extends Error {
  readonly $metadata?: { readonly attempts?: number; readonly httpStatusCode?: number };
}

/** Whether AWS refuses the token of a page that an earlier run has asked for. */
export function isStaleToken(error: unknown): boolean {
  return error instanceof Error && STALE_TOKEN.test(`${error.name} ${error.message}`);
}

/** Why a call failed after all attempts, and what to do. */
export function callProblem(
  error: unknown,
  { action, endpoint }: Pick<Call<unknown>, 'action' | 'endpoint'>,
): UsageError {
  const { name, message, $metadata } = error as AwsError;
  if (name === 'CredentialsProviderError' || name === 'TokenProviderError') {
    return new UsageError(
      `catalog update: no AWS credentials, ${message}; name a profile with --profile, or sign in with aws sso login`,
    );
  }
  if (DENIED.includes(name))
    return new UsageError(`${action} in ${endpoint}: denied to these credentials; allow it (${POLICY})`);
  if (REFUSED.includes(name)) {
    return new UsageError(
      `${action} in ${endpoint}: AWS refuses the credentials, ${message}; sign in again, or enable the region for the account`,
    );
  }
  if (THROTTLED.includes(name) || $metadata?.httpStatusCode === 429 || $metadata?.httpStatusCode === 503) {
    return new UsageError(
      `${action} in ${endpoint}: AWS still throttles after ${$metadata?.attempts ?? 'all'} attempts; wait, then ${CONTINUE}`,
    );
  }
  return new UsageError(
    `${action} in ${endpoint}: ${message || name}; check the network and the endpoint, then ${CONTINUE}`,
  );
}
