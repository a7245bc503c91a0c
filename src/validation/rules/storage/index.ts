import { bottlerocketDataVolume } from './bottlerocket-data-volume';
import { claimOnSeveralNodes } from './claim-on-several-nodes';
import { kmsKeyDeniesLaunch } from './kms-key-denies-launch';
import { rootDeviceMismatch } from './root-device-mismatch';
import { volumeAttachLimit } from './volume-attach-limit';
import { Rule } from '../rule';

/** In the order of their ids. */
export const STORAGE_RULES: readonly Rule[] = [
  kmsKeyDeniesLaunch,
  rootDeviceMismatch,
  bottlerocketDataVolume,
  volumeAttachLimit,
  claimOnSeveralNodes,
];
