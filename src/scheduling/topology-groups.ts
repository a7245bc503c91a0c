import { LabelSelector, LabelSelectorExpression, Requirements, selects, Toleration } from '../model';
import { PodAffinityTerm, PodShape, TopologySpread } from './pod-shape';
import { PodVariant } from './relaxation';
import { requirementsIdentity } from './requirement-sets';
import { PodGroup, RunningPod } from './schedule-input';
import { SelectorIndex } from './selector-index';

export type TopologyType = 'topology spread' | 'pod affinity' | 'pod anti-affinity';

/** Pods to come, or one that runs already. */
export interface NamespacedPod {
  readonly namespace: string;
  readonly shape: PodShape;
}

/** What many pods share: how many pods of a kind are in each domain of a label. */
export interface TopologyGroup {
  readonly key: string;
  readonly type: TopologyType;
  /** Seen from the pods that others keep away. */
  readonly inverse: boolean;
  readonly namespaces: ReadonlySet<string>;
  readonly selector?: LabelSelector;
  readonly maxSkew: number;
  readonly minDomains?: number;
  /** Nodes that count, ORed; empty: all. */
  readonly filters: readonly Requirements[];
  /** Tolerations that the taints of a node that counts are held against; absent: taints do not matter. */
  readonly tolerations?: readonly Toleration[];
  /** The same for the pools that domains come from. Of affinity, those of the pod that comes first: to Karpenter they are no part of the group. */
  readonly domainTolerations?: readonly Toleration[];
  /** Equal for what Karpenter counts as one group. */
  readonly identity: string;
}

/**
 * Groups by what Karpenter takes for the same. Its hash knows of a node filter only the label keys, counts equal entries of a list
 * in pairs as nothing, and leaves minDomains out: the pod that comes first decides those.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/topologygroup.go
 */
export class TopologyGroups {
  public readonly groups: TopologyGroup[] = [];
  /** Groups that some pod has before anything is relaxed. */
  public readonly initial = new Set<number>();
  private readonly numbers = new Map<string, number>();
  private readonly index = new SelectorIndex();
  /** What pods that came later said of a group. */
  private readonly repeats: Array<readonly [number, TopologyGroup]> = [];

  constructor(private readonly namespaceLabels: ReadonlyMap<string, Readonly<Record<string, string>>>) {}

  /** Whether it is all the same which pod comes first. */
  get isOrderly(): boolean {
    return this.repeats.every(([number, repeat]) => detailsOf(repeat) === detailsOf(this.groups[number]));
  }

  /** The groups that constrain a variant. */
  ofVariant(pods: PodGroup, variant: PodVariant): number[] {
    const numbers = [
      ...variant.spread.map((spread) => this.number(spreadGroup(pods, variant, spread))),
      ...variant.affinity.map((term) => this.number(this.affinityGroup('pod affinity', pods, variant, term))),
      ...variant.antiAffinity.map((term) => this.number(this.affinityGroup('pod anti-affinity', pods, variant, term))),
    ];
    return [...new Set(numbers)];
  }

  /** The groups by which the pods keep others away: their required anti-affinity alone. */
  inverseOf(pods: NamespacedPod): number[] {
    const terms = pods.shape.podAntiAffinity?.required ?? [];
    if (terms.length === 0) return [];
    return [...new Set(terms.map((term) => this.number(this.affinityGroup('pod anti-affinity', pods, pods.shape, term, true))))];
  }

  /** The groups whose selector selects the pod. */
  selecting(pod: NamespacedPod): number[] {
    return this.near(pod).filter((number) => this.groups[number].selector !== undefined && isSelected(this.groups[number], pod));
  }

  /** The groups that count a pod that runs, or by which it keeps others away. Without a selector every pod of the namespace counts, while none of those to come does. */
  counting(pod: RunningPod): number[] {
    const counted = pod.terminating ? [] : this.near(pod).filter((number) => !this.groups[number].inverse && isSelected(this.groups[number], pod));
    return [...counted, ...this.inverseOf(pod)].sort((one, other) => one - other);
  }

  /** Those that may select it. */
  private near({ shape: { labels = {} } }: NamespacedPod): number[] {
    return this.index.of(labels);
  }

  private affinityGroup(
    type: TopologyType, pods: NamespacedPod, { tolerations }: Pick<PodVariant, 'tolerations'>, term: PodAffinityTerm, inverse = false,
  ): TopologyGroup {
    const namespaces = this.namespacesOf(pods.namespace, term);
    return {
      key: term.topologyKey,
      type,
      inverse,
      namespaces,
      selector: term.labelSelector,
      maxSkew: 2 ** 31 - 1,
      filters: [],
      domainTolerations: tolerations,
      identity: JSON.stringify([type, inverse, term.topologyKey, [...namespaces].sort(), selectorText(term.labelSelector)]),
    };
  }

  private namespacesOf(own: string, { namespaces = [], namespaceSelector }: PodAffinityTerm): Set<string> {
    if (namespaceSelector === undefined) return new Set(namespaces.length === 0 ? [own] : namespaces);
    const selected = [...this.namespaceLabels].filter(([, labels]) => selects(namespaceSelector, labels)).map(([name]) => name);
    return new Set([...selected, ...namespaces]);
  }

  private number(group: TopologyGroup): number {
    let found = this.numbers.get(group.identity);
    if (found === undefined) {
      found = this.groups.length;
      this.numbers.set(group.identity, found);
      this.groups.push(group);
      this.index.add(found, group.selector);
    } else {
      this.repeats.push([found, group]);
    }
    return found;
  }
}

function isSelected({ namespaces, selector }: TopologyGroup, { namespace, shape: { labels = {} } }: NamespacedPod): boolean {
  return namespaces.has(namespace) && (selector === undefined || selects(selector, labels));
}

/** What is no part of a group's identity: the pod that comes first decides it. */
function detailsOf({ minDomains, filters, tolerations, domainTolerations }: TopologyGroup): string {
  return JSON.stringify([minDomains ?? null, filters.map(requirementsIdentity), tolerations ?? null, domainTolerations ?? null]);
}

function spreadGroup(pods: PodGroup, variant: PodVariant, spread: TopologySpread): TopologyGroup {
  const { topologyKey: key, maxSkew, minDomains, nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' } = spread;
  const selector = selectorOf(pods, spread);
  return {
    key,
    type: 'topology spread',
    inverse: false,
    namespaces: new Set([pods.namespace]),
    selector,
    maxSkew,
    minDomains,
    filters: nodeAffinityPolicy === 'Honor' ? variant.nodeFilters : [],
    tolerations: nodeTaintsPolicy === 'Honor' ? variant.tolerations : undefined,
    domainTolerations: nodeTaintsPolicy === 'Honor' ? variant.tolerations : undefined,
    identity: JSON.stringify([
      'topology spread', key, pods.namespace, maxSkew, nodeAffinityPolicy, nodeTaintsPolicy,
      unpaired(variant.nodeFilters.map((requirements) => JSON.stringify(requirements.keys()))),
      unpaired(variant.tolerations.map(tolerationText)),
      selectorText(selector),
    ]),
  };
}

function selectorOf({ shape }: PodGroup, { labelSelector, matchLabelKeys = [] }: TopologySpread): LabelSelector | undefined {
  if (labelSelector === undefined) return undefined;
  const labels = shape.labels ?? {};
  const own = matchLabelKeys.filter((key) => Object.prototype.hasOwnProperty.call(labels, key))
    .map((key) => ({ key, operator: 'In', values: [labels[key]] }));
  return own.length === 0 ? labelSelector : { ...labelSelector, matchExpressions: [...(labelSelector.matchExpressions ?? []), ...own] };
}

function selectorText(selector: LabelSelector | undefined): string | null {
  if (selector === undefined) return null;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return JSON.stringify([
    Object.entries(matchLabels).sort(([left], [right]) => left < right ? -1 : 1),
    [...new Set(matchExpressions.map(expressionText))].sort(),
  ]);
}

/** Entries that occur an odd number of times: what is left where two equal ones cancel each other out. */
function unpaired(entries: readonly string[]): string[] {
  const left = new Set<string>();
  for (const entry of entries) {
    if (!left.delete(entry)) left.add(entry);
  }
  return [...left].sort();
}

function tolerationText({ key = '', operator = '', value = '', effect = '', tolerationSeconds }: Toleration): string {
  return JSON.stringify([key, operator, value, effect, tolerationSeconds ?? null]);
}

function expressionText({ key, operator, values = [] }: LabelSelectorExpression): string {
  return JSON.stringify([key, operator, unpaired(values)]);
}
