import { addonConfigurationRefused } from './addon-configuration-refused';
import { al2Eol } from './al2-eol';
import { amiAliasVersionImpossible } from './ami-alias-version-impossible';
import { amiLatestInProd } from './ami-latest-in-prod';
import { amiPinStaleOrMismatched } from './ami-pin-stale-or-mismatched';
import { clusterConfigRefused } from './cluster-config-refused';
import { controllerCannotBeHa } from './controller-cannot-be-ha';
import { controllerOnManagedNodes } from './controller-on-managed-nodes';
import { controllerResourcesUnsetOrSmall } from './controller-resources-unset-or-small';
import { controllerUnprotected } from './controller-unprotected';
import { controllerWithoutNode } from './controller-without-node';
import { crdsNotManaged } from './crds-not-managed';
import { helmValueUnread } from './helm-value-unread';
import { kubernetesKarpenterCompatibility } from './k8s-karpenter-compat';
import { teardownOrder } from './teardown-order';
import { terraformPlanFails } from './terraform-plan-fails';
import { twoAutoscalers } from './two-autoscalers';
import { upgradeSkipsWaypoint } from './upgrade-skips-waypoint';
import { windows2025TooEarly } from './windows-2025-too-early';
import { Rule } from '../rule';

/** In the order of their ids. */
export const CONTROLLER_RULES: readonly Rule[] = [
  controllerOnManagedNodes,
  controllerCannotBeHa,
  controllerResourcesUnsetOrSmall,
  controllerUnprotected,
  amiLatestInProd,
  amiPinStaleOrMismatched,
  al2Eol,
  kubernetesKarpenterCompatibility,
  crdsNotManaged,
  upgradeSkipsWaypoint,
  teardownOrder,
  twoAutoscalers,
  amiAliasVersionImpossible,
  windows2025TooEarly,
  helmValueUnread,
  controllerWithoutNode,
  clusterConfigRefused,
  terraformPlanFails,
  addonConfigurationRefused,
];
