import { amiReleaseWithoutKubernetes } from './ami-release-without-kubernetes';
import { autoModeLifetimeTooLong } from './auto-mode-lifetime-too-long';
import { autoModePoolsRefused } from './auto-mode-pools-refused';
import { clusterDnsOutsideServices } from './cluster-dns-outside-services';
import { controllerSettingsShape } from './controller-settings/controller-settings-shape';
import { customLabelUnknownToAnyNodePool } from './custom-label-unknown-to-any-nodepool';
import { defaultPriorityClassTwice } from './default-priority-class-twice';
import { featureGateOff } from './feature-gate-off';
import { kubeletKeepsNodeFromPods } from './kubelet-keeps-node-from-pods';
import { legacyApiVersion } from './legacy-api-version';
import { limitOfUnknownResource } from './limit-of-unknown-resource';
import { listReplacedByPatch } from './list-replaced-by-patch';
import { nodeOverlayConflict } from './node-overlay-conflict';
import { nodeClassRefIncompleteOrDangling } from './nodeclassref-incomplete-or-dangling';
import { priorityClassMissing } from './priority-class-missing';
import { duplicateYamlKey, rejectedByKarpenter } from './reader-rules';
import { requirementKeyNotWellKnown } from './requirement-key-not-well-known';
import { requirementsContradictThemselves } from './requirements-contradict-themselves';
import { runtimeClassMissing } from './runtime-class-missing';
import { schedulerMissing } from './scheduler-missing';
import { selectorIdImpossible } from './selector-id-impossible';
import { Rule } from '../rule';
import { amiOfOtherFamily } from './user-data/ami-of-other-family';
import { bootstrapScriptCalledAgain } from './user-data/bootstrap-script-called-again';
import { customAmiNeverJoins } from './user-data/custom-ami-never-joins';
import { instanceStoreMountedTwice } from './user-data/instance-store-mounted-twice';
import { kubeletSettingsInUserData } from './user-data/kubelet-settings-in-user-data';
import { nodeConfigNotDecoded } from './user-data/node-config-not-decoded';
import { userDataFormat } from './user-data/user-data-format';

/** In the order of their ids. */
export const API_RULES: readonly Rule[] = [
  rejectedByKarpenter,
  legacyApiVersion,
  nodeClassRefIncompleteOrDangling,
  requirementKeyNotWellKnown,
  customLabelUnknownToAnyNodePool,
  requirementsContradictThemselves,
  duplicateYamlKey,
  featureGateOff,
  controllerSettingsShape,
  nodeOverlayConflict,
  priorityClassMissing,
  selectorIdImpossible,
  autoModeLifetimeTooLong,
  autoModePoolsRefused,
  schedulerMissing,
  defaultPriorityClassTwice,
  runtimeClassMissing,
  userDataFormat,
  customAmiNeverJoins,
  bootstrapScriptCalledAgain,
  kubeletSettingsInUserData,
  instanceStoreMountedTwice,
  amiReleaseWithoutKubernetes,
  limitOfUnknownResource,
  nodeConfigNotDecoded,
  listReplacedByPatch,
  kubeletKeepsNodeFromPods,
  clusterDnsOutsideServices,
  amiOfOtherFamily,
];
