import { DO_NOT_DISRUPT } from '../../contract';
import { countText, durationText, fixedText, hourlyPriceText, Label, Requirements, shortListText } from '../../model';
import { cheapestPrice, matchingTypes } from '../../scheduling';
import { ClusterNode, ClusterPod, workloadKey } from '../cluster';
import { THRESHOLD } from '../methods/balanced';
import { podKey, reschedulablePods } from '../pods';
import { EndState } from './end-state';
import { StayEvent } from './node-stay';
import { Obstacle } from './obstacles';
import { SPOT_TO_SPOT_TYPES } from '../methods/consolidation';

/**
 * The event that Karpenter publishes for the node; undefined if it publishes none.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/events/events.go
 */
export function eventOf({ reason, why, isSilent, budgetReason }: Obstacle): StayEvent | undefined {
  if (isSilent) return undefined;
  switch (reason) {
    case 'not-managed':
    case 'static-pool':
    case 'consolidate-after':
    case 'balanced-score':
    case 'not-evaluated':
    case 'pool-limit':
    case 'unfinished':
      return undefined;
    case 'budget':
      return {
        object: 'NodePool',
        reason: 'DisruptionBlocked',
        message: `No allowed disruptions for disruption reason ${budgetReason} due to blocking budget`,
      };
    case 'deleting':
    case 'not-ready-for-disruption':
    case 'pool-unknown':
    case 'node-annotation':
    case 'protected-pod':
    case 'pod-disruption-budget':
      return { object: 'Node', reason: 'DisruptionBlocked', message: sentence(why!) };
    default:
      return { object: 'Node', reason: 'Unconsolidatable', message: sentence(why!) };
  }
}

/** As Karpenter's pretty.Sentence. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The obstacle in plain words. */
export function plainWhy(node: ClusterNode, obstacle: Obstacle, end: EndState): string {
  const { reason, why = '', pod, pdbs = [], score = 0, claims = [], budgetReason } = obstacle;
  const nodePool = node.labels[Label.NODE_POOL] ?? '';
  const pool = `NodePool ${nodePool}`;
  const settings = end.cluster.pools.get(nodePool);
  const pods = reschedulablePods(node.pods);
  switch (reason) {
    case 'not-managed':
      return 'Karpenter does not manage it';
    case 'deleting':
      return 'it is being deleted already, and the drain has not ended';
    case 'not-ready-for-disruption':
    case 'pool-unknown':
    case 'not-evaluated':
    case 'pool-limit':
      return why;
    case 'static-pool':
      return `${pool} is static: Karpenter keeps as many nodes as its replicas say`;
    case 'node-annotation':
      return `the node has the annotation ${DO_NOT_DISRUPT}`;
    case 'protected-pod':
      return `${podSubject(pod!)} has the annotation ${DO_NOT_DISRUPT}`;
    case 'pod-disruption-budget':
      return pdbs.length > 1
        ? `Kubernetes evicts no pod of two PodDisruptionBudgets, and pod ${podKey(pod!)} has ${pdbs.map(({ key }) => key).join(' and ')}`
        : pdbText(pdbs[0], end);
    case 'consolidation-disabled':
      return `consolidateAfter: Never turns consolidation off in ${pool}`;
    case 'when-empty':
      return `consolidationPolicy: WhenEmpty in ${pool} removes only nodes without pods, and this one has ${countText(pods.length, 'pod')}`;
    case 'consolidate-after':
      return `consolidateAfter of ${pool} is ${durationText((settings?.consolidateAfter ?? 0) / 1_000)} after the last pod came or went, and that is not over`;
    case 'buffer-pods':
      return 'a CapacityBuffer keeps room on it';
    case 'budget':
      return `the disruption budgets of ${pool} allow no node for reason ${budgetReason} now`;
    case 'balanced-score':
      return `consolidationPolicy: Balanced in ${pool} scores the removal ${fixedText(score, 2)}, and asks for ${fixedText(THRESHOLD, 2)}: it saves too little for the pods that move`;
    case 'several-nodes':
      return `the ${countText(pods.length, 'pod')} would need ${countText(claims.length, 'new node')}, and Karpenter never replaces a node by several`;
    case 'not-cheaper':
      return notCheaperText(node, obstacle, end);
    case 'min-values':
      return `too few cheaper instance types are left for the minValues of ${pool}`;
    case 'spot-to-spot-disabled':
      return 'the pods would need another spot node, and Karpenter replaces spot by spot only with the feature gate SpotToSpotConsolidation';
    case 'too-few-spot-types':
      return `Karpenter replaces spot by spot only if ${SPOT_TO_SPOT_TYPES} instance types are cheaper, and ${pool} allows ${/got (\d+)/.exec(why)?.[1] ?? 'fewer'}`;
    case 'unschedulable-pod':
      return unschedulableText(why);
    case 'unfinished':
      return 'the simulation ended before Karpenter came to it';
  }
}

/** The workload of a pod, or the pod itself. */
export function podSubject(pod: ClusterPod): string {
  return pod.owner ? workloadKey(pod.namespace, pod.owner) : `Pod ${podKey(pod)}`;
}

function pdbText(
  { key, isScaleUnknown, desiredHealthy, currentHealthy }: NonNullable<Obstacle['pdbs']>[number],
  end: EndState,
): string {
  const pdb = end.cluster.pdbs.find(({ namespace, name }) => `${namespace}/${name}` === key);
  const name = `PodDisruptionBudget ${key}`;
  if (isScaleUnknown)
    return `${name} allows no eviction: its pods have a controller without a scale, so Kubernetes cannot compute it`;
  const spec =
    pdb?.maxUnavailable === undefined ? `minAvailable: ${pdb?.minAvailable}` : `maxUnavailable: ${pdb.maxUnavailable}`;
  return `${name} (${spec}) allows no eviction: ${countText(currentHealthy, 'pod is', 'pods are')} healthy, and ${desiredHealthy} must be`;
}

function notCheaperText(node: ClusterNode, { claims = [] }: Obstacle, end: EndState): string {
  const price = end.priceOf(node);
  const cheapest = claims[0]?.launch?.cheapest ?? claims[0]?.cheapest;
  const start = 'no other node has room for the pods';
  if (cheapest === undefined) return `${start}, and no cheaper node for them can be launched`;
  const { instanceType, capacityType, usdPerHour } = cheapest;
  const cost =
    usdPerHour === price
      ? 'costs the same'
      : `costs ${hourlyPriceText(usdPerHour, currencyOf(end))}, not less than ${hourlyPriceText(price, currencyOf(end))}`;
  const single = `${start}, and one new node for all of them (${instanceType} ${capacityType}) ${cost}`;
  return reschedulablePods(node.pods).length > 1 && allowsCheaperType(claims[0].nodePool, price, end)
    ? `${single}; Karpenter never replaces a node by several`
    : single;
}

function allowsCheaperType(nodePool: string, price: number, end: EndState): boolean {
  const table = end.tableOf(nodePool);
  const pool = end.cluster.scheduling.nodePools.find(({ name }) => name === nodePool);
  if (!table || !pool) return false;
  const requirements = Requirements.from(pool.requirements);
  return matchingTypes(table, requirements).some((type) => cheapestPrice(table, requirements, type) < price);
}

function currencyOf({ cluster: { catalog } }: EndState): string {
  return catalog.currency;
}

/** Karpenter's sentence about pods, shorter: the first pods with the reasons. */
function unschedulableText(why: string): string {
  const reasons = why.replace(/^not all pods would schedule, /, '').split(/ (?=\S+\/\S+ => )/);
  return `a pod can run nowhere else: ${shortListText(reasons, 1)}`;
}
