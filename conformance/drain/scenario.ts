import { createHash } from 'node:crypto';
import { randomPdbs, addRandomPods } from './pods';
import { Dice } from '../../test/support/schedule-scenario/dice';
import { Json } from '../../test/support/schedule-scenario/draft';
import { documents } from '../../test/support/schedule-scenario/generate';

/** Deleted nodes with pods of many kinds, and one remaining node with room for all pods. */
export interface DrainScenario {
  readonly name: string;
  /** Properties of the pods and nodes that affect the result. */
  readonly features: readonly string[];
  /** YAML of a NodePool and its node class. */
  readonly manifests: string;
  /** YAML of the nodes, NodeClaims, pods and PodDisruptionBudgets. */
  readonly cluster: string;
  /** Seconds after which each node is deleted, by node name. */
  readonly deleted: Readonly<Record<string, number>>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Seconds. */
  readonly times: { readonly podStart: number; readonly podStop: number; readonly horizon: number };
}

/** A drain scenario while it is generated. */
export interface DrainDraft {
  readonly dice: Dice;
  readonly now: number;
  readonly features: Set<string>;
  /** Names of the deleted nodes. */
  readonly nodes: readonly string[];
  readonly pods: Json[];
}

export const REMAINING_NODE = 'stays';

const NOW = Date.UTC(2026, 2, 2, 6);
const DAY = 86_400_000;
/** Simulated seconds, longer than any drain needs here. */
const HORIZON = 900;
const GRACE_PERIODS = ['0s', '20s', '1m', '5m', '10m'];

/** Generates the scenario of a number: always the same for the same seed. */
export function generate(seed: number, number: number): DrainScenario {
  const dice = new Dice(seed, number);
  const nodes = Array.from({ length: dice.pick([1, 1, 1, 2, 3]) }, (_, index) => `goes-${index}`);
  const draft: DrainDraft = {
    dice,
    now: NOW,
    features: new Set(nodes.length > 1 ? [`${nodes.length} nodes`] : []),
    nodes,
    pods: [],
  };
  addRandomPods(draft);
  const budgets = randomPdbs(draft);
  const machines = nodes.flatMap((name) => {
    const grace = dice.chance(0.5) ? dice.pick(GRACE_PERIODS) : undefined;
    if (grace !== undefined) draft.features.add(`terminationGracePeriod ${grace}`);
    return machine(name, grace);
  });
  return {
    name: `${seed}-${number}`,
    features: [...draft.features],
    manifests: documents([
      nodePool(),
      { apiVersion: 'karpenter.k8s.aws/v1', kind: 'EC2NodeClass', metadata: { name: 'default' }, spec: NODE_CLASS },
    ]),
    cluster: documents([...machines, ...machine(REMAINING_NODE, undefined), ...draft.pods, ...budgets]),
    deleted: Object.fromEntries(nodes.map((name, index) => [name, index === 0 ? 0 : dice.pick([0, 0, 3, 25, 200])])),
    now: NOW,
    times: { podStart: dice.pick([1, 5, 20, 100]), podStop: dice.pick([1, 10, 10, 90]), horizon: HORIZON },
  };
}

export function scenarioHash({ manifests, cluster, deleted, times }: DrainScenario): string {
  return createHash('sha256')
    .update(manifests + cluster + JSON.stringify([deleted, times]))
    .digest('hex')
    .slice(0, 12);
}

const TERMS = [{ tags: { team: 'a' } }];
const NODE_CLASS = {
  role: 'node',
  amiSelectorTerms: [{ alias: 'al2023@latest' }],
  subnetSelectorTerms: TERMS,
  securityGroupSelectorTerms: TERMS,
};
const CLASS = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
const TYPE = [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.24xlarge'] }];

function nodePool(): Json {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: {
      template: { spec: { nodeClassRef: CLASS, requirements: TYPE } },
      disruption: { consolidateAfter: 'Never' },
    },
  };
}

/** A node with its NodeClaim. Deleted nodes have a taint, so that replacement pods run on the remaining node. */
function machine(name: string, grace: string | undefined): Json[] {
  const creationTimestamp = new Date(NOW - DAY).toISOString().replace('.000Z', 'Z');
  const providerID = `aws:///us-west-2a/i-${name}`;
  const amounts = { cpu: '96', memory: '384Gi', pods: '700' };
  const labels = {
    'karpenter.sh/nodepool': 'default',
    'karpenter.sh/capacity-type': 'on-demand',
    'karpenter.k8s.aws/ec2nodeclass': 'default',
    'node.kubernetes.io/instance-type': 'm5.24xlarge',
    'topology.kubernetes.io/zone': 'us-west-2a',
    'topology.kubernetes.io/region': 'us-west-2',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/os': 'linux',
  };
  const condition = (type: string) => ({
    type,
    status: 'True',
    reason: type,
    message: '',
    lastTransitionTime: creationTimestamp,
  });
  return [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        uid: `node-${name}`,
        creationTimestamp,
        labels: {
          ...labels,
          'kubernetes.io/hostname': name,
          'karpenter.sh/registered': 'true',
          'karpenter.sh/initialized': 'true',
        },
      },
      spec: { providerID, ...(name === REMAINING_NODE ? {} : { taints: [{ key: 'full', effect: 'NoSchedule' }] }) },
      status: { capacity: amounts, allocatable: amounts, conditions: [condition('Ready')] },
    },
    {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: `${name}c`, uid: `claim-${name}`, creationTimestamp, labels },
      spec: {
        nodeClassRef: CLASS,
        requirements: TYPE,
        ...(grace === undefined ? {} : { terminationGracePeriod: grace }),
      },
      status: {
        providerID,
        nodeName: name,
        capacity: amounts,
        allocatable: amounts,
        conditions: ['Launched', 'Registered', 'Initialized'].map(condition),
      },
    },
  ];
}
