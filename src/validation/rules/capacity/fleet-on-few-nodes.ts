import { appendItem, asRecord, unsafeFix } from '../../../contract';
import { countText, Label, normalizeLabelKey, valueText } from '../../../model';
import { PlannedNodeClaim } from '../../../scheduling';
import { recordsOf } from '../../manifest/records';
import { defineRule } from '../define-rule';
import { RuleContext } from '../rule';
import { launchingPools, LaunchingPool } from '../subjects';

/** Smaller nodes are no surprise. */
const LARGE_VCPUS = 32;
/** With fewer pods on the node, nothing is bundled. */
const MANY_PODS = 20;
/** The share of all planned pods that one node may run. */
const MOST_SHARE = 1 / 3;
/** Labels with which a NodePool bounds the size of its nodes. */
const SIZES: readonly string[] = [Label.INSTANCE_TYPE, Label.INSTANCE_SIZE, Label.INSTANCE_CPU, Label.INSTANCE_MEMORY];
/** Sizes that somebody excludes who does not want large nodes. Many NodePools exclude only `metal` and small sizes. */
const LARGE_SIZE = /^\d{2,}xlarge$/;
/** The share of a node's pods from which on a workload without spread is the reason, which KARP-414 reports. */
const DOMINATING = 0.9;
const REQUIREMENTS = ['spec', 'template', 'spec', 'requirements'];

/**
 * Karpenter takes the cheapest types that hold the most pods: without an upper bound, these are the largest ones.
 *
 * @see https://aws.github.io/aws-eks-best-practices/karpenter/
 */
export const fleetOnFewNodes = defineRule({
  id: 'KARP-324',
  name: 'fleet-on-few-nodes',
  severity: 'warning',
  summary: 'A NodePool has no upper node size, and one planned node runs a third of all pods or more.',
  subjects: launchingPools({ where: (pool) => pool.spec !== undefined && !hasUpperSize(pool) }),
  judge(pool, context) {
    const { plan } = context;
    const all = plan.nodeClaims.reduce((sum, { pods }) => sum + pods.length, 0);
    const [largest] = plan.nodeClaims
      .filter((claim) => claim.nodePool === pool.name && vcpusOf(pool as LaunchingPool, claim) >= LARGE_VCPUS)
      .sort((left, right) => right.pods.length - left.pods.length);
    const pods = largest?.pods.length ?? 0;
    if (pods < MANY_PODS || pods < all * MOST_SHARE || isOfOneWorkload(largest, context)) return undefined;
    const vcpus = vcpusOf(pool as LaunchingPool, largest);
    const type = largest.launch?.cheapest.instanceType ?? largest.instanceTypes[0];
    const bound = boundFor(vcpus);
    return {
      path: REQUIREMENTS,
      message:
        `has no upper node size: the plan puts ${pods} of ${countText(all, 'pod')} on one node (${type} with ${vcpus} vCPUs), ` +
        'so that one failure, interruption or drift of it restarts all of them at once',
      remedy: `add the requirement {key: ${Label.INSTANCE_CPU}, operator: Lt, values: ["${bound}"]}`,
      evidence: { pods, of: all, instanceType: type, vcpus },
      fix: unsafeFix(appendItem(REQUIREMENTS, { key: Label.INSTANCE_CPU, operator: 'Lt', values: [String(bound)] })),
    };
  },
});

/** An eighth of the node, so that several nodes run what one runs now; at least 16 vCPUs. */
function boundFor(vcpus: number): number {
  return Math.max(16, Math.floor(vcpus / 8)) + 1;
}

function hasUpperSize({ object }: Pick<LaunchingPool, 'object'>): boolean {
  const template = asRecord(object.raw.spec?.template);
  return recordsOf(asRecord(template?.spec)?.requirements).some(({ key, operator, values }) => {
    const label = typeof key === 'string' ? normalizeLabelKey(key) : '';
    if (!SIZES.includes(label)) return false;
    const excludesLarge = Array.isArray(values) && values.some((value) => LARGE_SIZE.test(valueText(value)));
    return ['In', 'Lt', 'Lte'].includes(operator as string) || (operator === 'NotIn' && excludesLarge);
  });
}

function vcpusOf({ launch: { table } }: LaunchingPool, { launch, instanceTypes }: PlannedNodeClaim): number {
  const row = table.names.indexOf(launch?.cheapest.instanceType ?? instanceTypes[0]);
  const column = table.capacity[table.resources.indexOf('cpu')];
  return row < 0 || column === undefined ? 0 : Math.round(column[row] / 1000);
}

/** Whether nearly all pods of the node are of one workload that nothing spreads. */
function isOfOneWorkload({ groups, pods }: PlannedNodeClaim, { input }: RuleContext): boolean {
  return [...groups].some(([group, count]) => {
    const { topologySpread = [], podAntiAffinity } = input.pods[group].shape;
    return count >= pods.length * DOMINATING && topologySpread.length === 0 && podAntiAffinity === undefined;
  });
}
