import { autoModeVolumes } from './auto-mode-volumes';
import { bottlerocketDataVolume } from './bottlerocket-data-volume';
import { claimMissing } from './claim-missing';
import { claimOnSeveralNodes } from './claim-on-several-nodes';
import { defaultStorageClassTwice } from './default-storage-class-twice';
import { ebsVolumeForSeveralNodes } from './ebs-volume-for-several-nodes';
import { immediateVolumeBinding } from './immediate-volume-binding';
import { inTreeVolumePlugin } from './in-tree-volume-plugin';
import { kmsKeyDeniesLaunch } from './kms-key-denies-launch';
import { raidWithoutDisks } from './raid-without-disks';
import { rootDeviceMismatch } from './root-device-mismatch';
import { scratchAboveNodeVolume } from './scratch-above-node-volume';
import { storageClassMissing } from './storage-class-missing';
import { storageClassRefused } from './storage-class-refused';
import { storageDriverMissing } from './storage-driver-missing';
import { volumeAttachLimit } from './volume-attach-limit';
import { volumeNeverCreated } from './volume-never-created';
import { volumeRefusedAtLaunch } from './volume-refused-at-launch';
import { Rule } from '../rule';

/** In the order of their ids. */
export const STORAGE_RULES: readonly Rule[] = [
  kmsKeyDeniesLaunch,
  rootDeviceMismatch,
  bottlerocketDataVolume,
  volumeAttachLimit,
  claimOnSeveralNodes,
  volumeRefusedAtLaunch,
  immediateVolumeBinding,
  storageClassMissing,
  inTreeVolumePlugin,
  ebsVolumeForSeveralNodes,
  autoModeVolumes,
  storageDriverMissing,
  storageClassRefused,
  volumeNeverCreated,
  claimMissing,
  defaultStorageClassTwice,
  raidWithoutDisks,
  scratchAboveNodeVolume,
];
