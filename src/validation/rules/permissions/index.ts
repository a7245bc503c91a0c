import { controllerPolicyMissingAction } from './controller-policy-missing-action';
import { controllerPolicyTooBroad } from './controller-policy-too-broad';
import { controllerRoleUsedAsNodeRole } from './controller-role-used-as-node-role';
import { discoveryTagAmbiguous } from './discovery-tag-ambiguous';
import { imdsV1OrHopLimit } from './imds-v1-or-hop-limit';
import { karpenterModuleRoleMismatch } from './karpenter-module-role-mismatch';
import { nodeRoleNotAuthorisedToJoin } from './node-role-not-authorised-to-join';
import { nodeRoleSharedWithNodeGroup } from './node-role-shared-with-node-group';
import { passRoleWrongRole } from './pass-role-wrong-role';
import { podIdentityAgentMissing } from './pod-identity-agent-missing';
import { roleNameOrPolicyTooLong } from './role-name-or-policy-too-long';
import { roleVsInstanceProfile } from './role-vs-instance-profile';
import { securityGroupSelectorWide } from './security-group-selector-wide';
import { selectorTagsDiffer } from './selector-tags-differ';
import { serviceAccountTrustMismatch } from './service-account-trust-mismatch';
import { Rule } from '../rule';

/** In the order of their ids. */
export const PERMISSION_RULES: readonly Rule[] = [
  controllerPolicyMissingAction,
  passRoleWrongRole,
  controllerRoleUsedAsNodeRole,
  nodeRoleNotAuthorisedToJoin,
  nodeRoleSharedWithNodeGroup,
  serviceAccountTrustMismatch,
  roleNameOrPolicyTooLong,
  controllerPolicyTooBroad,
  roleVsInstanceProfile,
  imdsV1OrHopLimit,
  securityGroupSelectorWide,
  discoveryTagAmbiguous,
  podIdentityAgentMissing,
  selectorTagsDiffer,
  karpenterModuleRoleMismatch,
];
