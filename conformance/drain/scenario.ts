import { createHash } from 'node:crypto';
import { drawnBudgets, drawnPods } from './pods';
import { Dice } from '../schedule/scenario/dice';
import { Json } from '../schedule/scenario/draft';
import { documents } from '../schedule/scenario/generate';

/** Nodes that somebody deletes, with pods of many kinds, and another that has room for all of them. */
export interface DrainScenario {
  readonly name: string;
  /** What it has of those things that decide. */
  readonly features: readonly string[];
  /** A NodePool and its node class. */
  readonly manifests: string;
  /** Nodes, claims, pods and PodDisruptionBudgets. */
  readonly cluster: string;
  /** Names of nodes, and after how many seconds each is deleted. */
  readonly deleted: Readonly<Record<string, number>>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Seconds. */
  readonly times: { readonly podStart: number; readonly podStop: number; readonly horizon: number };
}

/** Namespaces and labels are of one, so that PodDisruptionBudgets are of pods on both nodes. */
export interface DrainDraft {
  readonly dice: Dice;
  readonly now: number;
  readonly features: Set<string>;
  /** Names of those that are deleted. */
  readonly nodes: readonly string[];
  readonly pods: Json[];
}

export const OTHER = 'stays';

const NOW = Date.UTC(2026, 2, 2, 6);
const DAY = 86_400_000;
/** Nobody waits for longer here. */
const HORIZON = 900;
const GRACE_PERIODS = ['0s', '20s', '1m', '5m', '10m'];

/** The scenario with this number: always the same for a seed. */
export function generate(seed: number, number: number): DrainScenario {
  const dice = new Dice(seed, number);
  const nodes = Array.from({ length: dice.pick([1, 1, 1, 2, 3]) }, (_, at) => `goes-${at}`);
  const draft: DrainDraft = { dice, now: NOW, features: new Set(nodes.length > 1 ? [`${nodes.length} nodes`] : []), nodes, pods: [] };
  drawnPods(draft);
  const budgets = drawnBudgets(draft);
  const machines = nodes.flatMap((name) => {
    const grace = dice.chance(0.5) ? dice.pick(GRACE_PERIODS) : undefined;
    if (grace !== undefined) draft.features.add(`terminationGracePeriod ${grace}`);
    return machine(name, grace);
  });
  return {
    name: `${seed}-${number}`,
    features: [...draft.features],
    manifests: documents([nodePool(), { apiVersion: 'karpenter.k8s.aws/v1', kind: 'EC2NodeClass', metadata: { name: 'default' }, spec: NODE_CLASS }]),
    cluster: documents([...machines, ...machine(OTHER, undefined), ...draft.pods, ...budgets]),
    deleted: Object.fromEntries(nodes.map((name, at) => [name, at === 0 ? 0 : dice.pick([0, 0, 3, 25, 200])])),
    now: NOW,
    times: { podStart: dice.pick([1, 5, 20, 100]), podStop: dice.pick([1, 10, 10, 90]), horizon: HORIZON },
  };
}

export function scenarioHash({ manifests, cluster, deleted, times }: DrainScenario): string {
  return createHash('sha256').update(manifests + cluster + JSON.stringify([deleted, times])).digest('hex').slice(0, 12);
}

const TERMS = [{ tags: { team: 'a' } }];
const NODE_CLASS = { role: 'node', amiSelectorTerms: [{ alias: 'al2023@latest' }], subnetSelectorTerms: TERMS, securityGroupSelectorTerms: TERMS };
const CLASS = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
const TYPE = [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.24xlarge'] }];

function nodePool(): Json {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'default' },
    spec: { template: { spec: { nodeClassRef: CLASS, requirements: TYPE } }, disruption: { consolidateAfter: 'Never' } },
  };
}

/** Those that go take no more pods, so that what comes in the place of others is on the one that stays. */
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
  const condition = (type: string) => ({ type, status: 'True', reason: type, message: '', lastTransitionTime: creationTimestamp });
  return [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        uid: `node-${name}`,
        creationTimestamp,
        labels: { ...labels, 'kubernetes.io/hostname': name, 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' },
      },
      spec: { providerID, ...(name === OTHER ? {} : { taints: [{ key: 'full', effect: 'NoSchedule' }] }) },
      status: { capacity: amounts, allocatable: amounts, conditions: [condition('Ready')] },
    },
    {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodeClaim',
      metadata: { name: `${name}c`, uid: `claim-${name}`, creationTimestamp, labels },
      spec: { nodeClassRef: CLASS, requirements: TYPE, ...(grace === undefined ? {} : { terminationGracePeriod: grace }) },
      status: { providerID, nodeName: name, capacity: amounts, allocatable: amounts, conditions: ['Launched', 'Registered', 'Initialized'].map(condition) },
    },
  ];
}
