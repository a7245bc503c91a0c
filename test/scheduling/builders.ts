import { Catalog, DEFAULT_NODE_CLASS, NodeClassFacts } from '../../src/catalog';
import { parseResourceList, RequirementSpec } from '../../src/model';
import {
  DaemonSetSpec,
  ExistingNode,
  NodeOverlaySpec,
  NodePoolSpec,
  PodGroup,
  PodShape,
  ScheduleInput,
  SchedulePlan,
  SchedulingSettings,
  schedule,
} from '../../src/scheduling';

export const CATALOG = Catalog.load();

export type Amounts = Readonly<Record<string, string | number>>;

export function shape(requests: Amounts, more: Partial<PodShape> = {}): PodShape {
  return {
    requests: parseResourceList(requests),
    nodeSelector: {},
    requiredNodeAffinity: [],
    preferredNodeAffinity: [],
    tolerations: [],
    notEvaluated: [],
    ...more,
  };
}

export function pods(name: string, count: number, requests: Amounts, more: Partial<PodShape> = {}): PodGroup {
  return { namespace: 'default', name, count, shape: shape(requests, more) };
}

export function daemonSet(name: string, requests: Amounts, more: Partial<PodShape> = {}): DaemonSetSpec {
  return { namespace: 'kube-system', name, shape: shape(requests, more) };
}

export function isIn(key: string, ...values: string[]): RequirementSpec {
  return { key, operator: 'In', values };
}

export const ofTypes = (...names: string[]) => isIn('node.kubernetes.io/instance-type', ...names);

/** On-demand only by default, so that prices are published list prices. */
export function pool(requirements: readonly RequirementSpec[], more: Partial<NodePoolSpec> = {}): NodePoolSpec {
  return {
    name: 'default',
    weight: 0,
    nodeClass: 'default',
    labels: {},
    taints: [],
    limits: new Map(),
    requirements: [...requirements, isIn('karpenter.sh/capacity-type', 'on-demand')],
    ...more,
  };
}

/** An existing node, in zone us-east-1a by default. */
export function node(name: string, allocatable: Amounts, more: Partial<ExistingNode> = {}): ExistingNode {
  const amounts = parseResourceList({ pods: 110, ...allocatable });
  const labels = {
    'kubernetes.io/hostname': name,
    'topology.kubernetes.io/zone': 'us-east-1a',
    'karpenter.sh/nodepool': 'default',
    ...more.labels,
  };
  return { name, taints: [], allocatable: amounts, capacity: amounts, initialized: true, pods: [], ...more, labels };
}

/** A running pod. */
export function running(name: string, requests: Amounts, more: Partial<PodShape> = {}) {
  return { namespace: 'default', name, shape: shape(requests, more), daemon: false };
}

/** The fields of a ScheduleInput in short form; see `input` for the defaults. */
export interface InputFields {
  readonly pools: readonly NodePoolSpec[];
  readonly pods: readonly PodGroup[];
  readonly daemonSets?: readonly DaemonSetSpec[];
  readonly settings?: SchedulingSettings;
  readonly nodeClasses?: readonly NodeClassFacts[];
  readonly nodes?: readonly ExistingNode[];
  readonly nodeOverlays?: readonly NodeOverlaySpec[];
}

export function input({
  pools,
  pods: groups,
  daemonSets = [],
  settings = {},
  nodeClasses = [DEFAULT_NODE_CLASS],
  ...rest
}: InputFields): ScheduleInput {
  return {
    nodePools: pools,
    nodeClasses: new Map(nodeClasses.map((facts) => [facts.name, facts])),
    pods: groups,
    daemonSets,
    settings,
    ...rest,
  };
}

export function planOf(scene: InputFields, catalog: Catalog = CATALOG): SchedulePlan {
  return schedule(input(scene), catalog);
}

/** Number of pods by claim, in order of creation. */
export function podCounts(plan: SchedulePlan): number[] {
  return plan.nodeClaims.map((claim) => claim.pods.length);
}
