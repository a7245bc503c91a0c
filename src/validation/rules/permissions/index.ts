import { ControllerPolicyMissingAction } from './controller-policy-missing-action';
import { ControllerPolicyTooBroad } from './controller-policy-too-broad';
import { ControllerRoleUsedAsNodeRole } from './controller-role-used-as-node-role';
import { DiscoveryTagAmbiguous } from './discovery-tag-ambiguous';
import { ImdsV1OrHopLimit } from './imds-v1-or-hop-limit';
import { NodeRoleNotAuthorisedToJoin } from './node-role-not-authorised-to-join';
import { NodeRoleSharedWithNodeGroup } from './node-role-shared-with-node-group';
import { PassRoleWrongRole } from './pass-role-wrong-role';
import { PodIdentityAgentMissing } from './pod-identity-agent-missing';
import { RoleNameOrPolicyTooLong } from './role-name-or-policy-too-long';
import { RoleVsInstanceProfile } from './role-vs-instance-profile';
import { SecurityGroupSelectorWide } from './security-group-selector-wide';
import { ServiceAccountTrustMismatch } from './service-account-trust-mismatch';
import { Rule } from '../rule';

/** In the order of their ids. */
export const PERMISSION_RULES: readonly Rule[] = [
  new ControllerPolicyMissingAction(),
  new PassRoleWrongRole(),
  new ControllerRoleUsedAsNodeRole(),
  new NodeRoleNotAuthorisedToJoin(),
  new NodeRoleSharedWithNodeGroup(),
  new ServiceAccountTrustMismatch(),
  new RoleNameOrPolicyTooLong(),
  new ControllerPolicyTooBroad(),
  new RoleVsInstanceProfile(),
  new ImdsV1OrHopLimit(),
  new SecurityGroupSelectorWide(),
  new DiscoveryTagAmbiguous(),
  new PodIdentityAgentMissing(),
];
