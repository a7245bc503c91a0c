import { PoolDisruption } from '../../disruption';
import { parseGoDuration, valueText } from '../../model';
import { readPoolDisruption } from '../manifest/karpenter/pool-disruption';
import { NodePoolManifest } from '../manifest/model';
import { stringMapOf } from '../manifest/records';

/** The disruption settings of a NodePool, or a sentence that says why its nodes cannot be disrupted. */
export function poolDisruptionOf(pool: NodePoolManifest): PoolDisruption | string {
  const settings = readPoolDisruption(pool);
  if (settings.why !== undefined) return `NodePool ${pool.object.name} is not disrupted: ${settings.why}`;
  const { consolidationPolicy, consolidateAfter, budgets, expireAfter, terminationGracePeriod } = settings.disruption;
  return {
    consolidationPolicy: consolidationPolicy as PoolDisruption['consolidationPolicy'],
    consolidateAfter,
    budgets: budgets.map(({ nodes, reasons, schedule, duration }) => ({
      nodes: valueText(nodes),
      schedule,
      ...(Array.isArray(reasons) ? { reasons: reasons as PoolDisruption['budgets'][number]['reasons'] } : {}),
      ...(duration === undefined ? {} : { duration: parseGoDuration(duration) }),
    })),
    expireAfter,
    terminationGracePeriod,
    annotations: stringMapOf(pool.object.raw.spec?.template?.metadata?.annotations),
  };
}
