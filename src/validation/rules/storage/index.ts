import { BottlerocketDataVolume } from './bottlerocket-data-volume';
import { ClaimOnSeveralNodes } from './claim-on-several-nodes';
import { KmsKeyDeniesLaunch } from './kms-key-denies-launch';
import { RootDeviceMismatch } from './root-device-mismatch';
import { VolumeAttachLimit } from './volume-attach-limit';
import { Rule } from '../rule';

/** In the order of their ids. */
export const STORAGE_RULES: readonly Rule[] = [
  new KmsKeyDeniesLaunch(),
  new RootDeviceMismatch(),
  new BottlerocketDataVolume(),
  new VolumeAttachLimit(),
  new ClaimOnSeveralNodes(),
];
