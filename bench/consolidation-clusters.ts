/**
 * Generated clusters for the consolidation benchmark: like those of the conformance tests, but larger, and of one kind
 * each.
 */
import { DisruptionDraft } from '../test/support/disruption-scenario/draft';
import { DisruptionScenario } from '../test/support/disruption-scenario/generate';
import { addMachine } from '../test/support/disruption-scenario/machines';
import { placePods } from '../test/support/disruption-scenario/place-pods';
import { Dice } from '../test/support/schedule-scenario/dice';
import { Json } from '../test/support/schedule-scenario/draft';
import { documents, plainSettings } from '../test/support/schedule-scenario/generate';
import { inOneOf, nodeClass } from '../test/support/schedule-scenario/pools';

const AWS = 'karpenter.k8s.aws/';
const ZONE = 'topology.kubernetes.io/zone';
const WORKLOADS = 20;
const NOON = Date.UTC(2026, 2, 2, 12);
/** All pods have one size, so a pod that does not fit one full node fits none. */
const FULL = [['1', '2Gi']] as const;
const MIXED = [
  ['250m', '512Mi'],
  ['500m', '1Gi'],
  ['1', '1Gi'],
  ['1', '4Gi'],
  ['1500m', '3Gi'],
] as const;

export interface ClusterKind {
  readonly name: string;
  readonly capacityType: 'spot' | 'on-demand';
  readonly sizes: ReadonlyArray<readonly [cpu: string, memory: string]>;
  /** A number larger than the room on a node fills the nodes. */
  readonly podsPerNode: number;
  /** Share of the nodes that are already being deleted, so that every simulation also places their pods. @default 0 */
  readonly leaving?: number;
}

/** Mostly empty nodes: many can be consolidated at once. */
export const LOOSE: ClusterKind = { name: 'half empty', capacityType: 'on-demand', sizes: MIXED, podsPerNode: 4 };
/**
 * Full spot nodes, which Karpenter replaces with no other spot node: every candidate is simulated and none is
 * consolidated.
 */
export const TIGHT: ClusterKind = { name: 'full, on spot', capacityType: 'spot', sizes: FULL, podsPerNode: 20 };

/** The same, while a tenth of the nodes are being replaced. */
export const ROLLING: ClusterKind = { ...TIGHT, name: 'full, a tenth goes', leaving: 0.1 };

export function standing(kind: ClusterKind, nodes: number): DisruptionScenario {
  const dice = new Dice(42);
  const draft: DisruptionDraft = {
    dice,
    settings: plainSettings(),
    nodeClasses: [nodeClass('default')],
    pools: [nodePool(kind)],
    workloads: Array.from({ length: WORKLOADS }, (_, at) =>
      workload(at, Math.ceil((nodes * kind.podsPerNode) / WORKLOADS), kind),
    ),
    daemonSets: [],
    others: [],
    cluster: [],
    now: NOON,
    machines: [],
    nominated: [],
  };
  for (let at = 0; at < nodes; at += 1) addMachine(draft, draft.pools[0]);
  placePods(draft);
  const leaving = Math.round(nodes * (kind.leaving ?? 0));
  for (const { claim } of draft.machines.slice(0, leaving)) {
    Object.assign(claim.metadata, {
      deletionTimestamp: new Date(NOON - 60_000).toISOString(),
      finalizers: ['karpenter.sh/termination'],
    });
  }
  const budgets = draft.workloads.map(({ metadata: { name } }) => budgetOf(name));
  return {
    name: kind.name,
    features: [],
    manifests: documents([...draft.nodeClasses, ...draft.pools, ...budgets]),
    cluster: documents(draft.machines.flatMap(({ node, claim, pods }): Json[] => [node, claim, ...pods])),
    settings: draft.settings,
    now: draft.now,
    nominated: [],
  };
}

function nodePool({ capacityType }: ClusterKind): Json {
  const requirements = [
    inOneOf('karpenter.sh/capacity-type', capacityType),
    inOneOf(`${AWS}instance-category`, 'c', 'm', 'r'),
    inOneOf(`${AWS}instance-cpu`, '4', '8', '16'),
    inOneOf('kubernetes.io/arch', 'amd64'),
  ];
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'general' },
    spec: {
      template: {
        metadata: {},
        spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements },
      },
      disruption: {
        consolidationPolicy: 'WhenEmptyOrUnderutilized',
        consolidateAfter: '0s',
        budgets: [{ nodes: '100%' }],
      },
    },
  };
}

/** Every second workload is spread over zones. */
function workload(at: number, replicas: number, { sizes }: ClusterKind): Json {
  const name = `app-${String(at).padStart(2, '0')}`;
  const labels = { app: name };
  const [cpu, memory] = sizes[at % sizes.length];
  const spread = {
    maxSkew: 1,
    topologyKey: ZONE,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: labels },
  };
  const spec = {
    containers: [{ name: 'app', image: 'registry.example/app:1', resources: { requests: { cpu, memory } } }],
    ...(at % 2 === 0 ? { topologySpreadConstraints: [spread] } : {}),
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  };
}

function budgetOf(name: string): Json {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name },
    spec: { maxUnavailable: '20%', selector: { matchLabels: { app: name } } },
  };
}
