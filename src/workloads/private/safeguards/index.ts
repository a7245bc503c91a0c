import { notOnFargate, priorityClass } from './daemon';
import { batchProtection } from './do-not-disrupt';
import { memoryLimit } from './memory-limit';
import { readiness } from './readiness';
import { autoscaledReplicas, replicas } from './replicas';
import { SafeguardRule } from './safeguard-rule';
import { securityContext } from './security-context';
import { preStop, terminationGrace } from './termination';
import { hostnameSpread, zoneSpread } from './topology-spread';
import { Safeguard } from '../../safeguard';

/**
 * In the order of application: the spread depends on the replicas, and the preStop delay on the termination grace
 * period.
 */
export const SAFEGUARDS: readonly SafeguardRule[] = [
  { safeguard: Safeguard.REPLICAS, natures: ['serving'], apply: replicas },
  { safeguard: Safeguard.REPLICAS, natures: ['scaler'], apply: autoscaledReplicas },
  { safeguard: Safeguard.ZONE_SPREAD, natures: ['serving'], apply: zoneSpread },
  { safeguard: Safeguard.HOSTNAME_SPREAD, natures: ['serving'], apply: hostnameSpread },
  // The budget is an object of its own: here only the word that it is not wanted finds its place.
  { safeguard: Safeguard.POD_DISRUPTION_BUDGET, natures: ['serving'], apply: () => undefined },
  { safeguard: Safeguard.TERMINATION_GRACE, natures: ['serving'], apply: terminationGrace },
  { safeguard: Safeguard.PRE_STOP, natures: ['serving'], apply: preStop },
  { safeguard: Safeguard.READINESS, natures: ['serving'], apply: readiness },
  { safeguard: Safeguard.DO_NOT_DISRUPT, natures: ['batch'], apply: batchProtection },
  { safeguard: Safeguard.PRIORITY_CLASS, natures: ['daemon'], apply: priorityClass },
  { safeguard: Safeguard.NOT_ON_FARGATE, natures: ['daemon'], apply: notOnFargate },
  { safeguard: Safeguard.MEMORY_LIMIT, natures: ['serving', 'batch', 'daemon'], apply: memoryLimit },
  { safeguard: Safeguard.SECURITY_CONTEXT, natures: ['serving', 'batch', 'daemon'], apply: securityContext },
];
