import { Edit, Effort, podEdit } from './edit';
import { allowEdit } from './pool-edits';
import { RefusedGroup } from './refused-group';
import { selectorTypoEdits } from './selector-typos';
import {
  Label,
  labelName,
  labelWords,
  Requirements,
  selects,
  suggestTopologyKey,
  WELL_KNOWN_LABELS,
} from '../../../model';
import { PodAffinity, PodShape, TopologySpread } from '../../input/pod-shape';
import { Attempt, SolvedWorkload } from '../../refusals/attempt';
import { isTopology, topologyGroupOf } from '../../refusals/launchable-types';
import { selectedPods } from '../../refusals/topology-diagnosis';
import { domainCounts } from '../../refusals/topology-error';
import { TopologyGroup } from '../../topology/topology-groups';

/** Relaxes topology constraints as little as possible. */
export function topologyEdits(refused: RefusedGroup, attempt: Attempt): Edit[] {
  const { group, solved } = refused;
  return blockers(attempt, solved).flatMap((topology) => {
    if (topology.inverseAntiAffinity) return [];
    const meant = meantKey(topology, solved);
    // A misspelt key is no reason to give the constraint up.
    if (meant !== undefined) return [keyEdit(group, topology, meant, Effort.TYPO)];
    if (isOfNoNode(topology, solved))
      return DOMAINS.map((domain) => keyEdit(group, topology, domain, Effort.OTHER_POD));
    switch (topology.type) {
      case 'topology spread':
        return spreadEdits(group, attempt, topology, solved);
      case 'pod affinity':
        // The pods that it must be with need a node first.
        if (isForPendingPods(refused, topology)) return [];
        return [
          ...selectorTypoEdits(refused, topology),
          ...namespaceEdits(refused, topology),
          ...companionEdits(refused, attempt, topology),
          preferenceEdit(group, topology, 'podAffinity'),
        ];
      default:
        return [
          ...(topology.key === Label.ZONE ? [separateNodesEdit(group)] : []),
          preferenceEdit(group, topology, 'podAntiAffinity'),
        ];
    }
  });
}

function isForPendingPods({ solved }: RefusedGroup, topology: TopologyGroup): boolean {
  const number = solved.pods.topologies.groups.indexOf(topology);
  const isEmpty = domainCounts(number, solved).every(([, pods]) => pods === 0);
  return isEmpty && selectedPods(number, solved) === 'left';
}

/**
 * Selects the only domain that the pod can use, such as the zone of its volume, in the pods that it must be with.
 * Otherwise Karpenter may plan them elsewhere.
 */
function companionEdits(
  { group, solved, pods, indices }: RefusedGroup,
  { variant, volumes, template }: Attempt,
  topology: TopologyGroup,
): Edit[] {
  const { key } = topology;
  const own = Requirements.of([variant.strict, volumes, template.requirements].flatMap((part) => part.values()));
  const [domain, ...others] = own.get(key).operator() === 'In' ? own.get(key).values : [];
  const number = solved.pods.topologies.groups.indexOf(topology);
  if (domain === undefined || others.length > 0) return [];
  return solved.pods.classOf.flatMap((podClass, index) => {
    const companion = indices[index];
    const isCounted = solved.pods.classes[podClass].counted.includes(number);
    if (companion === group || !isCounted || pods[companion].shape.nodeSelector[key] !== undefined) return [];
    return [
      podEdit(
        companion,
        Effort.OTHER_POD,
        `select ${labelName(key)} ${domain} in ${pods[companion].namespace}/${pods[companion].name}, whose ${labelName(key)} this pod must share`,
        (shape) => ({ ...shape, nodeSelector: { ...shape.nodeSelector, [key]: domain } }),
      ),
    ];
  });
}

/** Names the only namespace with pods that a term selects, if the pod's own namespace has none. */
function namespaceEdits({ group, pods }: RefusedGroup, { key }: TopologyGroup): Edit[] {
  const { namespace, shape } = pods[group];
  return (shape.podAffinity?.required ?? []).flatMap((term) => {
    const { labelSelector, topologyKey, namespaces = [], namespaceSelector } = term;
    if (topologyKey !== key || labelSelector === undefined || namespaceSelector || namespaces.length > 0) return [];
    const selected = pods.filter((other) => other.count > 0 && selects(labelSelector, other.shape.labels ?? {}));
    const [only, ...others] = new Set(selected.map((other) => other.namespace));
    if (only === undefined || others.length > 0 || only === namespace) return [];
    const moved = (affinity: PodAffinity) => ({
      ...affinity,
      required: affinity.required.map((written) => (written === term ? { ...term, namespaces: [only] } : written)),
    });
    return [
      podEdit(group, Effort.TYPO, `add namespaces: [${only}] to the pod affinity over ${key}`, (changed) => ({
        ...changed,
        podAffinity: changed.podAffinity && moved(changed.podAffinity),
      })),
    ];
  });
}

/** The label that a topology key was likely meant to be, if no pool gives its nodes the written one. */
function meantKey({ key }: TopologyGroup, { templates }: SolvedWorkload): string | undefined {
  if (templates.some(({ requirements }) => requirements.has(key))) return undefined;
  const given = templates.flatMap(({ pool }) => [
    ...Object.keys(pool.labels),
    ...pool.requirements.map((requirement) => requirement.key),
  ]);
  return suggestTopologyKey(key, given);
}

/** The domains that each cluster has. */
const DOMAINS: readonly string[] = [Label.ZONE, Label.HOSTNAME];

/** Whether no NodePool gives its nodes the label, and no running node has it. */
function isOfNoNode(topology: TopologyGroup, solved: SolvedWorkload): boolean {
  const { key } = topology;
  const isGiven = key === Label.HOSTNAME || WELL_KNOWN_LABELS.has(key);
  return !isGiven && domainCounts(solved.pods.topologies.groups.indexOf(topology), solved).length === 0;
}

function keyEdit(group: number, { key, type }: TopologyGroup, meant: string, effort: Effort): Edit {
  const renamed = <Term extends { readonly topologyKey: string }>(term: Term): Term =>
    term.topologyKey === key ? { ...term, topologyKey: meant } : term;
  const inAffinity = (affinity: PodAffinity | undefined) =>
    affinity && {
      required: affinity.required.map(renamed),
      preferred: affinity.preferred.map((preference) => ({ ...preference, term: renamed(preference.term) })),
    };
  return podEdit(group, effort, `write ${meant} instead of ${key} in the ${type}`, (shape) => ({
    ...shape,
    topologySpread: shape.topologySpread?.map(renamed),
    podAffinity: inAffinity(shape.podAffinity),
    podAntiAffinity: inAffinity(shape.podAntiAffinity),
  }));
}

function blockers({ refusal, picks }: Attempt, { pods: { topologies } }: SolvedWorkload): readonly TopologyGroup[] {
  const failed = isTopology(refusal) ? topologies.groups[topologyGroupOf(refusal)] : undefined;
  return failed === undefined ? picks.map(({ group }) => group) : [failed];
}

function spreadEdits(
  group: number,
  { variant, template: { pool, requirements } }: Attempt,
  topology: TopologyGroup,
  solved: SolvedWorkload,
): Edit[] {
  const { key, maxSkew, minDomains } = topology;
  const counts = domainCounts(solved.pods.topologies.groups.indexOf(topology), solved).filter(([domain]) =>
    variant.strict.get(key).has(domain),
  );
  const change = (description: string, to: Partial<TopologySpread>) =>
    podEdit(group, Effort.LOOSER_TOPOLOGY, description, (shape) => ({
      ...shape,
      topologySpread: shape.topologySpread?.map((spread) =>
        spread.topologyKey === key ? { ...spread, ...to } : spread,
      ),
    }));
  const neededSkew =
    Math.max(0, ...counts.map(([, count]) => count)) + 1 - Math.min(Infinity, ...counts.map(([, count]) => count));
  const unreached = counts.filter(([domain]) => !requirements.get(key).has(domain)).map(([domain]) => domain);
  return [
    ...unreached.map((domain) => allowEdit(pool, key, domain)),
    ...(unreached.length > 1 ? [allowEdit(pool, key, ...unreached)] : []),
    ...(minDomains !== undefined && counts.length > 0 && counts.length < minDomains
      ? [
          change(`lower minDomains of the topology spread over ${key} from ${minDomains} to ${counts.length}`, {
            minDomains: counts.length,
          }),
        ]
      : []),
    ...(neededSkew > maxSkew && Number.isFinite(neededSkew)
      ? [
          change(`raise maxSkew of the topology spread over ${key} from ${maxSkew} to ${neededSkew}`, {
            maxSkew: neededSkew,
          }),
        ]
      : []),
    change(
      `make the topology spread over ${key} ScheduleAnyway${minDomains === undefined ? '' : ', without minDomains'}, so that a ${domainWord(key)} may get more pods than another`,
      { whenUnsatisfiable: 'ScheduleAnyway', minDomains: undefined },
    ),
  ];
}

function domainWord(key: string): string {
  return key === Label.HOSTNAME ? 'node' : labelWords(key);
}

/** Keeps the pods on nodes of their own, if there are more of them than zones. */
function separateNodesEdit(group: number): Edit {
  const perNode = ({ required, preferred: wished }: PodAffinity) => ({
    required: required.map((term) =>
      term.topologyKey === Label.ZONE ? { ...term, topologyKey: Label.HOSTNAME } : term,
    ),
    preferred: wished,
  });
  return podEdit(
    group,
    Effort.LOOSER_TOPOLOGY,
    `write ${Label.HOSTNAME} instead of ${Label.ZONE} in the pod anti-affinity, so that they share no node with those that it selects, but may share a zone`,
    (shape) => ({ ...shape, podAntiAffinity: shape.podAntiAffinity && perNode(shape.podAntiAffinity) }),
  );
}

/** Turns required terms into preferences with the largest weight. */
function preferenceEdit(group: number, { key, type }: TopologyGroup, field: 'podAffinity' | 'podAntiAffinity'): Edit {
  const loss =
    field === 'podAffinity'
      ? `they may run ${key === Label.HOSTNAME ? 'on' : 'in'} another ${domainWord(key)} than those`
      : `they may share a ${domainWord(key)} with those`;
  return podEdit(
    group,
    Effort.LOOSER_TOPOLOGY,
    `prefer the ${type} over ${key} instead of requiring it, so that ${loss} that it selects`,
    (shape) => ({ ...shape, [field]: preferred(shape, field, key) }),
  );
}

function preferred(shape: PodShape, field: 'podAffinity' | 'podAntiAffinity', key: string): PodAffinity | undefined {
  const affinity = shape[field];
  if (affinity === undefined) return undefined;
  const relaxed = affinity.required.filter(({ topologyKey }) => topologyKey === key);
  return {
    required: affinity.required.filter((term) => !relaxed.includes(term)),
    preferred: [...relaxed.map((term) => ({ weight: 100, term })), ...affinity.preferred],
  };
}
