import { asRecord } from '../../contract';
import { PoolDisruption } from '../../disruption';
import { parseGoDuration } from '../../model';
import { textsOf } from '../cluster/state-node';
import { NodePoolManifest } from '../manifest/model';
import { readPool } from '../rules/private/pool-disruption';

/** What a NodePool says of its nodes, or, in a sentence, why nothing of it can be disrupted. */
export function poolTerms(pool: NodePoolManifest): PoolDisruption | string {
  const read = readPool(pool);
  if (read.why !== undefined) return `NodePool ${pool.object.name} is not disrupted: ${read.why}`;
  const { consolidationPolicy, consolidateAfter, budgets, expireAfter, terminationGracePeriod } = read.disruption;
  return {
    consolidationPolicy: consolidationPolicy as PoolDisruption['consolidationPolicy'],
    consolidateAfter,
    budgets: budgets.map(({ nodes, reasons, schedule, duration }) => ({
      nodes: String(nodes),
      schedule,
      ...(Array.isArray(reasons) ? { reasons: reasons as PoolDisruption['budgets'][number]['reasons'] } : {}),
      ...(duration === undefined ? {} : { duration: parseGoDuration(duration) }),
    })),
    expireAfter,
    terminationGracePeriod,
    annotations: textsOf(asRecord(asRecord(asRecord(pool.object.raw.spec)?.template)?.metadata)?.annotations),
  };
}
