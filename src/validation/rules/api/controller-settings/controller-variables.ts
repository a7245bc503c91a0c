import { nearestName } from '../../../../model';
import { Controller, givenVariables } from '../../../controller';
import { fail, Outcome } from '../../rule';

/**
 * The environment variables that Karpenter reads.
 *
 * Sources: `AddFlags` in pkg/operator/options of sigs.k8s.io/karpenter v1.0.5 and v1.15.0, and of Karpenter for AWS
 * 1.15.1; templates/deployment.yaml of its chart.
 */
const VARIABLES = (
  'KARPENTER_SERVICE METRICS_PORT HEALTH_PROBE_PORT KUBE_CLIENT_QPS KUBE_CLIENT_BURST ENABLE_PROFILING ' +
  'DISABLE_CONTROLLER_WARMUP DISABLE_LEADER_ELECTION DISABLE_CLUSTER_STATE_OBSERVABILITY LEADER_ELECTION_NAME ' +
  'LEADER_ELECTION_NAMESPACE MEMORY_LIMIT CPU_REQUESTS LOG_LEVEL LOG_OUTPUT_PATHS LOG_ERROR_OUTPUT_PATHS ' +
  'BATCH_MAX_DURATION BATCH_IDLE_DURATION PREFERENCE_POLICY MIN_VALUES_POLICY IGNORE_DRA_REQUESTS LEGACY_NODE_REPAIR ' +
  'FEATURE_GATES SCHEDULER_CONFIG CLUSTER_CA_BUNDLE CLUSTER_NAME CLUSTER_ENDPOINT ISOLATED_VPC EKS_CONTROL_PLANE ' +
  'VM_MEMORY_OVERHEAD_PERCENT INTERRUPTION_QUEUE RESERVED_ENIS DISABLE_DRY_RUN ENABLE_ZONAL_SHIFT ' +
  'AMI_REFRESH_INTERVAL SUBNET_REFRESH_INTERVAL SECURITY_GROUP_REFRESH_INTERVAL AWS_FEATURE_GATES SYSTEM_NAMESPACE ' +
  'KUBERNETES_MIN_VERSION DISABLE_WEBHOOK WEBHOOK_PORT WEBHOOK_METRICS_PORT ASSUME_ROLE_ARN ASSUME_ROLE_DURATION'
).split(' ');
const CLUSTER_NAME = 'CLUSTER_NAME';
/** Names of releases before 1.0, or of the keys of their ConfigMap. */
const RENAMED: Readonly<Record<string, string>> = {
  AWS_CLUSTER_NAME: 'CLUSTER_NAME',
  AWS_CLUSTER_ENDPOINT: 'CLUSTER_ENDPOINT',
  AWS_INTERRUPTION_QUEUE_NAME: 'INTERRUPTION_QUEUE',
  INTERRUPTION_QUEUE_NAME: 'INTERRUPTION_QUEUE',
  AWS_ISOLATED_VPC: 'ISOLATED_VPC',
  AWS_RESERVED_ENIS: 'RESERVED_ENIS',
  AWS_VM_MEMORY_OVERHEAD_PERCENT: 'VM_MEMORY_OVERHEAD_PERCENT',
};

/** Environment variables that Karpenter does not read, and that are misspelt or renamed. */
export function removedVariables(controller: Controller): Outcome[] {
  const given = givenVariables(controller);
  return given.flatMap(({ name, path }): Outcome[] => {
    if (VARIABLES.includes(name)) return [];
    const meant = Object.hasOwn(RENAMED, name) ? RENAMED[name] : nearestName(name, VARIABLES);
    if (meant === undefined || given.some((variable) => variable.name === meant)) return [];
    return [
      fail({
        object: controller.object,
        path,
        severity: meant === CLUSTER_NAME ? 'error' : 'warning',
        message: `sets the environment variable ${name}, which Karpenter does not read: ${meant === CLUSTER_NAME ? 'it ends at its start' : 'it has no effect'}`,
        remedy: `write ${meant} instead of ${name}`,
        evidence: { given: name, read: meant },
      }),
    ];
  });
}
