import { notOnFargate, priorityClass, batchProtection } from './batch-and-daemon';
import { readiness, preStop, terminationGrace } from './container-lifecycle';
import { memoryLimit, securityContext } from './containers';
import { autoscaledReplicas, replicas } from './replicas';
import { SafeguardRule } from './safeguard-rule';
import { hostnameSpread, zoneSpread } from './topology-spread';
import { Safeguard } from '../../safeguard';

/**
 * Order of application: the spread depends on the replicas, and the preStop delay on the termination grace
 * period.
 */
export const SAFEGUARDS: readonly SafeguardRule[] = [
  { safeguard: Safeguard.REPLICAS, roles: ['serving'], apply: replicas },
  { safeguard: Safeguard.REPLICAS, roles: ['scaler'], apply: autoscaledReplicas },
  { safeguard: Safeguard.ZONE_SPREAD, roles: ['serving'], apply: zoneSpread },
  { safeguard: Safeguard.HOSTNAME_SPREAD, roles: ['serving'], apply: hostnameSpread },
  // The PodDisruptionBudget is a separate object. This entry only writes the annotation of a waiver.
  { safeguard: Safeguard.POD_DISRUPTION_BUDGET, roles: ['serving'], apply: () => undefined },
  { safeguard: Safeguard.TERMINATION_GRACE, roles: ['serving'], apply: terminationGrace },
  { safeguard: Safeguard.PRE_STOP, roles: ['serving'], apply: preStop },
  { safeguard: Safeguard.READINESS, roles: ['serving'], apply: readiness },
  { safeguard: Safeguard.DO_NOT_DISRUPT, roles: ['batch'], apply: batchProtection },
  { safeguard: Safeguard.PRIORITY_CLASS, roles: ['daemon'], apply: priorityClass },
  { safeguard: Safeguard.NOT_ON_FARGATE, roles: ['daemon'], apply: notOnFargate },
  { safeguard: Safeguard.MEMORY_LIMIT, roles: ['serving', 'batch', 'daemon'], apply: memoryLimit },
  { safeguard: Safeguard.SECURITY_CONTEXT, roles: ['serving', 'batch', 'daemon'], apply: securityContext },
];
