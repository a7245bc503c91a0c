/* eslint-disable @typescript-eslint/no-require-imports -- jest has no `import()` in CommonJS */
/* eslint-disable import/no-extraneous-dependencies -- users install the SDK, see docs/decisions/0015 */
import { UsageError } from '../io';

/** The packages of the AWS SDK that `catalog update` uses. They are not dependencies of this package. */
export interface Sdk {
  readonly ec2: typeof import('@aws-sdk/client-ec2');
  readonly pricing: typeof import('@aws-sdk/client-pricing');
}

const PACKAGES = '@aws-sdk/client-ec2 @aws-sdk/client-pricing';

/** @throws UsageError if the packages are not installed */
export function loadSdk(): Sdk {
  try {
    return { ec2: require('@aws-sdk/client-ec2'), pricing: require('@aws-sdk/client-pricing') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new UsageError(
      `catalog update: the AWS SDK is not installed; run npm install --save-dev ${PACKAGES}, ` +
        'or the same with --global if karpenter-constructs is installed globally',
    );
  }
}
