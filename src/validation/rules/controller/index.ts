import { Al2Eol } from './al2-eol';
import { AmiAliasVersionImpossible } from './ami-alias-version-impossible';
import { AmiLatestInProd } from './ami-latest-in-prod';
import { AmiPinStaleOrMismatched } from './ami-pin-stale-or-mismatched';
import { ControllerCannotBeHa } from './controller-cannot-be-ha';
import { ControllerOnManagedNodes } from './controller-on-managed-nodes';
import { ControllerResourcesUnsetOrSmall } from './controller-resources-unset-or-small';
import { ControllerUnprotected } from './controller-unprotected';
import { CrdsNotManaged } from './crds-not-managed';
import { KubernetesKarpenterCompatibility } from './k8s-karpenter-compat';
import { TeardownOrder } from './teardown-order';
import { UpgradeSkipsWaypoint } from './upgrade-skips-waypoint';
import { Windows2025TooEarly } from './windows-2025-too-early';
import { Rule } from '../rule';

/** In the order of their ids. */
export const CONTROLLER_RULES: readonly Rule[] = [
  new ControllerOnManagedNodes(),
  new ControllerCannotBeHa(),
  new ControllerResourcesUnsetOrSmall(),
  new ControllerUnprotected(),
  new AmiLatestInProd(),
  new AmiPinStaleOrMismatched(),
  new Al2Eol(),
  new KubernetesKarpenterCompatibility(),
  new CrdsNotManaged(),
  new UpgradeSkipsWaypoint(),
  new TeardownOrder(),
  new AmiAliasVersionImpossible(),
  new Windows2025TooEarly(),
];
