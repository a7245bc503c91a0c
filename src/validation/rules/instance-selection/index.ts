import { Rule } from '../rule';
import { cniLeavesPodsWithoutAddress } from './addresses/cni-leaves-pods-without-address';
import { maxPodsFillsNodes } from './addresses/max-pods-fills-nodes';
import { podsAboveAddresses } from './addresses/pods-above-addresses';
import { prefixDelegationUnused } from './addresses/prefix-delegation-unused';
import { securityGroupWithoutEgress } from './addresses/security-group-without-egress';
import { subnetAddressesRunOut } from './addresses/subnet-addresses-run-out';
import { subnetWithoutWayOut } from './addresses/subnet-without-way-out';
import { subnetsTooSmall } from './addresses/subnets-too-small';
import { affinityUnsatisfiableByAnyPool } from './affinity-unsatisfiable-by-any-pool';
import { agentKeptOffTaintedNodes } from './agent-kept-off-tainted-nodes';
import { agentTaintNotExpected } from './agent-taint-not-expected';
import { architectureUnconstrained } from './architecture-unconstrained';
import { capacityTypeUnsetMeansSpot } from './capacity-type-unset-means-spot';
import { amiWithoutDriver } from './devices/ami-without-driver';
import { devicePluginKeptOff } from './devices/device-plugin-kept-off';
import { devicePluginMissing } from './devices/device-plugin-missing';
import { podEniOfNewFamily } from './devices/pod-eni-of-new-family';
import { publicAddressRefused } from './devices/public-address-refused';
import { equalWeightOverlap } from './equal-weight-overlap';
import { excludedPartitionLaunched } from './excluded-partition-launched';
import { fallbackOutweighsPool } from './fallback-outweighs-pool';
import { kueueLeadsToNoNodes } from './kueue/kueue-leads-to-no-nodes';
import { kueueQuotaTooSmall } from './kueue/kueue-quota-too-small';
import { launchParameterRefused } from './launch-parameter-refused';
import { nodePoolMatchesZeroInstanceTypes } from './no-types/nodepool-matches-zero-instance-types';
import { nodeGroupLeftInSelector } from './node-group-left-in-selector';
import { openReservationUnused } from './open-reservation-unused';
import { podsTakenByFargate } from './pods-taken-by-fargate';
import { reservationNotAllowed } from './reservation-not-allowed';
import { specialPoolWithoutTaint } from './special-pool-without-taint';
import { spreadOverZoneWithoutTypes } from './spread-over-zone-without-types';
import { startupTaintNeverRemoved } from './startup-taint-never-removed';
import { taintWithoutToleration } from './taint-without-toleration';
import { tolerationOfAllTenants } from './toleration-of-all-tenants';
import { instanceValueUnknown } from './values/instance-value-unknown';
import { zoneOutsideRegion } from './zone-outside-region';
import { zoneWithoutTypes } from './zone-without-types';

/** In the order of their ids. */
export const INSTANCE_SELECTION_RULES: readonly Rule[] = [
  nodePoolMatchesZeroInstanceTypes,
  architectureUnconstrained,
  capacityTypeUnsetMeansSpot,
  taintWithoutToleration,
  affinityUnsatisfiableByAnyPool,
  excludedPartitionLaunched,
  specialPoolWithoutTaint,
  zoneOutsideRegion,
  zoneWithoutTypes,
  spreadOverZoneWithoutTypes,
  agentTaintNotExpected,
  instanceValueUnknown,
  podsAboveAddresses,
  prefixDelegationUnused,
  devicePluginMissing,
  devicePluginKeptOff,
  subnetAddressesRunOut,
  openReservationUnused,
  startupTaintNeverRemoved,
  reservationNotAllowed,
  kueueLeadsToNoNodes,
  publicAddressRefused,
  equalWeightOverlap,
  fallbackOutweighsPool,
  podEniOfNewFamily,
  cniLeavesPodsWithoutAddress,
  nodeGroupLeftInSelector,
  amiWithoutDriver,
  subnetsTooSmall,
  tolerationOfAllTenants,
  subnetWithoutWayOut,
  podsTakenByFargate,
  securityGroupWithoutEgress,
  maxPodsFillsNodes,
  kueueQuotaTooSmall,
  agentKeptOffTaintedNodes,
  launchParameterRefused,
];
