import {
  clusterQueues,
  KueueFlavor,
  KueueReference,
  kueueFlavors,
  kueueReferences,
  workloadsOfFlavor,
} from './kueue-queues';
import { quotasAboveLimits } from './quota-above-limits';
import { FieldEdit, renameField, setField, unsafeFix } from '../../../../contract';
import {
  listText,
  nearestName,
  Requirements,
  shortListText,
  suggestLabelKey,
  WELL_KNOWN_LABELS,
  WELL_KNOWN_VALUES,
} from '../../../../model';
import { matchingTypes } from '../../../../scheduling';
import { nodeGroupsOf } from '../../../cluster/node-groups';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { Pool, poolsOf } from '../../common/pool';
import { defineRule, Judgement, SubjectFinding, unknown } from '../../define-rule';
import { RuleContext } from '../../rule';
import { subjectsFrom } from '../../subjects';

type Labels = Readonly<Record<string, string>>;
type Subject = KueueFlavor | KueueReference;

const PATH = ['spec', 'nodeLabels'];
/** Labels that only nodes of Karpenter have. */
const OF_KARPENTER = /^karpenter\./;
const CONSEQUENCE: Readonly<Record<KueueReference['kind'], string>> = {
  LocalQueue: 'Kueue keeps the workload suspended, and Karpenter launches no node for it',
  ClusterQueue: 'the queue is inactive, and Kueue admits none of its workloads',
  ResourceFlavor: 'the queue is inactive (FlavorNotFound), and Kueue admits none of its workloads',
};

/**
 * @see https://kueue.sigs.k8s.io/docs/concepts/resource_flavor/
 * @see https://kueue.sigs.k8s.io/docs/concepts/cluster_queue/
 */
export const kueueLeadsToNoNodes = defineRule<Subject>({
  id: 'KARP-260',
  name: 'kueue-leads-to-no-nodes',
  severity: 'error',
  summary:
    'Kueue admits pods to nodes that no NodePool launches, or to more than it may launch, or a queue or flavor that is named does not exist.',
  subjects: subjectsFrom<Subject>(({ model }) => [...kueueFlavors(model), ...kueueReferences(model)], {
    unknown: (subject) => whyUnresolved('labels' in subject ? subject.labels : [subject.name, ...subject.known]),
  }),
  judge: (subject, context) => ('labels' in subject ? judgeFlavor(subject, context) : judgeReference(subject)),
});

function judgeReference(reference: KueueReference): Judgement {
  const { path, kind, name, known, namespaces = [] } = reference;
  if (known.includes(name)) return undefined;
  const nearest = nearestName(name, known);
  if (nearest === undefined && kind === 'LocalQueue' && (namespaces.length > 0 || known.length === 0))
    return judgeMissingQueue(reference, namespaces);
  if (nearest === undefined) return unknown(`${kind} ${name} is not in the input`);
  return {
    path,
    message: `names ${kind} ${name}, which does not exist (the input has ${shortListText([...new Set(known)].sort())}): ${CONSEQUENCE[kind]}`,
    remedy: `write ${nearest} instead of ${name}`,
    evidence: { kind, name, known },
    fix: unsafeFix(setField(path, nearest)),
  };
}

/** A workload uses only LocalQueues of its own namespace. */
function judgeMissingQueue(
  { path, object, kind, name, known }: KueueReference,
  namespaces: readonly string[],
): SubjectFinding {
  const own = object.namespace === undefined ? 'the namespace of the workload' : `namespace ${object.namespace}`;
  const evidence = { kind, name, known, namespaces };
  if (namespaces.length === 0)
    return {
      path,
      severity: 'warning',
      message: `names LocalQueue ${name}, but the input has ClusterQueues and no LocalQueue: unless something else creates it, ${CONSEQUENCE.LocalQueue}`,
      remedy: `create LocalQueue ${name} in ${own}, with the ClusterQueue in spec.clusterQueue`,
      evidence,
    };
  return {
    path,
    message: `names LocalQueue ${name}, which is in namespace ${listText(namespaces)} and not in ${own}: ${CONSEQUENCE.LocalQueue}`,
    remedy: `create LocalQueue ${name} in ${own}, or move ${namespaces.length === 1 ? 'it' : 'one'} there`,
    evidence,
  };
}

function judgeFlavor(flavor: KueueFlavor, context: RuleContext): Judgement {
  const { labels } = flavor;
  const pools = poolsOf(context);
  const groups = nodeGroupsOf(context.model);
  const isOfGroup = groups.some((group) => Object.entries(labels).every(([key, value]) => group.labels[key] === value));
  const launching = pools.filter((pool) => launchesNodesWith(pool, labels));
  if (pools.length === 0 || isOfGroup) return undefined;
  if (launching.length > 0) return quotasAboveLimits(flavor.object.name, launching, clusterQueues(context.model));
  const unusable = pools.find(({ requirements }) => requirements === undefined);
  if (unusable !== undefined) return unknown(`NodePool ${unusable.name} may have its labels: ${unusable.why}`);
  const correction = correctionOf(labels, pools);
  const own = Object.keys(labels).find((key) => OF_KARPENTER.test(key));
  if (correction === undefined && own === undefined) return judgeOwnLabels(flavor, pools, context);
  const named = listText(Object.entries(labels).map(([key, value]) => `${key}: ${value}`));
  const [key = own!] = correction?.edited ?? [];
  return {
    path: [...PATH, key],
    message: `no NodePool launches nodes with ${named}, which Kueue adds to the node selector of the pods that it admits with this flavor: they stay Pending`,
    remedy: correction?.remedy ?? `write labels that the nodes of a NodePool have: ${shortListText(labelsOf(pools))}`,
    evidence: { nodeLabels: labels },
    ...(correction === undefined ? {} : { fix: unsafeFix(correction.edit) }),
  };
}

/**
 * Labels of the team, which no NodePool gives. Nodes that Karpenter does not launch may have them, so this is only a
 * warning, and only if a workload of the input waits for the flavor.
 */
function judgeOwnLabels({ object, labels }: KueueFlavor, pools: readonly Pool[], context: RuleContext): Judgement {
  const missing = Object.keys(labels).filter((key) => !WELL_KNOWN_LABELS.has(key));
  const queued = workloadsOfFlavor(context.model, object.name);
  if (queued.length === 0 || missing.length < Object.keys(labels).length)
    return unknown('nodes that Karpenter does not launch may have its labels');
  const named = listText(missing.map((key) => `${key}: ${labels[key]}`));
  const pool = pools.length === 1 ? `NodePool ${pools[0].name}` : 'the NodePool that is meant';
  return {
    path: [...PATH, missing[0]],
    message:
      `no NodePool launches nodes with ${named}, which Kueue adds to the node selector of the pods that it admits with this flavor: ` +
      `unless nodes that Karpenter does not launch have it, the pods of ${shortListText(queued, 3)} stay Pending`,
    remedy: `write ${named} in spec.template.metadata.labels of ${pool}, or labels that its nodes have, such as ${shortListText(labelsOf(pools), 3)}`,
    evidence: { nodeLabels: labels, workloads: queued },
    severity: 'warning',
  };
}

/** Whether nodes of the NodePool can have the labels. Unknown instance types count, as does a NodePool without any. */
function launchesNodesWith({ requirements, launch }: Pool, labels: Labels): boolean {
  const wanted = Requirements.fromLabels(labels);
  if (requirements?.compatible(wanted, WELL_KNOWN_LABELS) !== undefined || requirements === undefined) return false;
  if (launch === undefined || launch.indices.length === 0) return true;
  const common = requirements.copy();
  common.add(...wanted.values());
  return matchingTypes(launch.table, common, launch.indices).length > 0;
}

interface Correction {
  readonly remedy: string;
  readonly edit: FieldEdit;
  /** The label that changes. */
  readonly edited: readonly [key: string];
}

/** One label with the nearest key or value with which a NodePool launches such nodes. */
function correctionOf(labels: Labels, pools: readonly Pool[]): Correction | undefined {
  const known = pools.flatMap(({ requirements }) => requirements?.values() ?? []);
  for (const [key, value] of Object.entries(labels)) {
    const values = known.filter((requirement) => requirement.key === key).flatMap(({ values: own }) => [...own]);
    const meant = nearestName(value, [...values, ...(WELL_KNOWN_VALUES.get(key) ?? [])]);
    if (meant !== undefined && pools.some((pool) => launchesNodesWith(pool, { ...labels, [key]: meant })))
      return { remedy: `write ${key}: ${meant}`, edit: setField([...PATH, key], meant), edited: [key] };
    const keys = known.map((requirement) => requirement.key);
    const meantKey = WELL_KNOWN_LABELS.has(key) ? undefined : (suggestLabelKey(key) ?? nearestName(key, keys));
    if (meantKey === undefined) continue;
    const { [key]: _, ...others } = labels;
    if (pools.some((pool) => launchesNodesWith(pool, { ...others, [meantKey]: value })))
      return { remedy: `write ${meantKey}: ${value}`, edit: renameField([...PATH, key], meantKey), edited: [key] };
  }
  return undefined;
}

function labelsOf(pools: readonly Pool[]): string[] {
  return pools.map(({ name }) => `karpenter.sh/nodepool: ${name}`);
}
