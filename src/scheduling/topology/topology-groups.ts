import { requirementsIdentity } from './requirements-identity';
import { SelectorIndex } from './selector-index';
import { LabelSelector, LabelSelectorExpression, Requirements, selects, Toleration } from '../../model';
import { PodAffinityTerm, PodShape, TopologySpread } from '../input/pod-shape';
import { PodGroup, RunningPod } from '../input/schedule-input';
import { PodVariant } from '../pods/relaxation';

export type TopologyType = 'topology spread' | 'pod affinity' | 'pod anti-affinity';

/** A group of pods to schedule, or a running pod. */
export interface NamespacedPod {
  readonly namespace: string;
  readonly shape: PodShape;
}

/**
 * A topology constraint that many pods share. Karpenter counts for each group how many selected pods are in each
 * domain.
 */
export interface TopologyGroup {
  readonly key: string;
  readonly type: TopologyType;
  /**
   * Required anti-affinity in the opposite direction: the counted pods own it, and the selected pods must stay away
   * from them.
   */
  readonly inverseAntiAffinity: boolean;
  readonly namespaces: ReadonlySet<string>;
  readonly selector?: LabelSelector;
  readonly maxSkew: number;
  readonly minDomains?: number;
  /** Requirements of the nodes that count, ORed; empty if all nodes count. */
  readonly filters: readonly Requirements[];
  /** A node counts if these tolerate its taints; absent if taints are ignored. */
  readonly tolerations?: readonly Toleration[];
  /**
   * A pool contributes domains if these tolerate its taints; absent if taints are ignored. For affinity these are the
   * tolerations of the group's first pod, because they are not part of Karpenter's identity of a group.
   */
  readonly domainTolerations?: readonly Toleration[];
  /** Equal for constraints that Karpenter treats as one group. */
  readonly identity: string;
}

/**
 * Topology groups by Karpenter's identity. Karpenter's hash contains only the label keys of a node filter, cancels
 * pairs of equal list entries, and does not contain minDomains. The group's first pod decides everything that is not in
 * the hash.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/topologygroup.go
 */
export class TopologyGroups {
  public readonly groups: TopologyGroup[] = [];
  /** Groups of pods that are not relaxed yet. */
  public readonly initial = new Set<number>();
  private readonly numbers = new Map<string, number>();
  private readonly index = new SelectorIndex();
  /** Definitions of existing groups by later pods. */
  private readonly repeats: Array<readonly [number, TopologyGroup]> = [];

  constructor(private readonly namespaceLabels: ReadonlyMap<string, Readonly<Record<string, string>>>) {}

  /** Whether the order of pods does not affect the groups. */
  get isOrderIndependent(): boolean {
    return this.repeats.every(([number, repeat]) => detailsOf(repeat) === detailsOf(this.groups[number]));
  }

  /**
   * The groups that constrain a variant: spread, affinity, anti-affinity, each sorted by key. The first one that cannot
   * be met is blamed. Karpenter blames any of them, because it walks a map.
   */
  ofVariant(pods: PodGroup, variant: PodVariant): number[] {
    const numbersByType = [
      variant.spread.map((spread) => this.number(spreadGroup(pods, variant, spread))),
      variant.affinity.map((term) => this.number(this.affinityGroup('pod affinity', pods, variant, term))),
      variant.antiAffinity.map((term) => this.number(this.affinityGroup('pod anti-affinity', pods, variant, term))),
    ];
    return [...new Set(numbersByType.flatMap((numbers) => this.byKey(numbers)))];
  }

  /** Groups sorted by key, so that the first one that cannot be met is blamed. */
  byKey(numbers: readonly number[]): number[] {
    if (numbers.length < 2) return [...numbers];
    const keyOf = (number: number) => this.groups[number].key;
    return [...numbers].sort((left, right) => (keyOf(left) === keyOf(right) ? 0 : keyOf(left) < keyOf(right) ? -1 : 1));
  }

  /** The inverse groups of the pods' required anti-affinity. */
  inverseAntiAffinityOf(pods: NamespacedPod): number[] {
    const terms = pods.shape.podAntiAffinity?.required ?? [];
    if (terms.length === 0) return [];
    return [
      ...new Set(
        terms.map((term) => this.number(this.affinityGroup('pod anti-affinity', pods, pods.shape, term, true))),
      ),
    ];
  }

  /** The groups whose selector selects the pod. */
  selecting(pod: NamespacedPod): number[] {
    return this.candidateGroups(pod).filter(
      (number) => this.groups[number].selector !== undefined && isSelected(this.groups[number], pod),
    );
  }

  /**
   * The groups that count a running pod, and its inverse anti-affinity groups. A group without a selector counts every
   * running pod of its namespaces, but no pod that is being scheduled.
   */
  counting(pod: RunningPod): number[] {
    const counted = pod.terminating
      ? []
      : this.candidateGroups(pod).filter(
          (number) => !this.groups[number].inverseAntiAffinity && isSelected(this.groups[number], pod),
        );
    return [...counted, ...this.inverseAntiAffinityOf(pod)].sort((left, right) => left - right);
  }

  /** Groups that may select the pod: a superset, from the index. */
  private candidateGroups({ shape: { labels = {} } }: NamespacedPod): number[] {
    return this.index.of(labels);
  }

  private affinityGroup(
    type: TopologyType,
    pods: NamespacedPod,
    { tolerations }: Pick<PodVariant, 'tolerations'>,
    term: PodAffinityTerm,
    inverse = false,
  ): TopologyGroup {
    const namespaces = this.namespacesOf(pods.namespace, term);
    return {
      key: term.topologyKey,
      type,
      inverseAntiAffinity: inverse,
      namespaces,
      selector: term.labelSelector,
      maxSkew: 2 ** 31 - 1,
      filters: [],
      domainTolerations: tolerations,
      identity: JSON.stringify([
        type,
        inverse,
        term.topologyKey,
        [...namespaces].sort(),
        selectorText(term.labelSelector),
      ]),
    };
  }

  private namespacesOf(own: string, { namespaces = [], namespaceSelector }: PodAffinityTerm): Set<string> {
    if (namespaceSelector === undefined) return new Set(namespaces.length === 0 ? [own] : namespaces);
    const selected = [...this.namespaceLabels]
      .filter(([, labels]) => selects(namespaceSelector, labels))
      .map(([name]) => name);
    return new Set([...selected, ...namespaces]);
  }

  private number(group: TopologyGroup): number {
    let number = this.numbers.get(group.identity);
    if (number === undefined) {
      number = this.groups.length;
      this.numbers.set(group.identity, number);
      this.groups.push(group);
      this.index.add(number, group.selector);
    } else {
      this.repeats.push([number, group]);
    }
    return number;
  }
}

function isSelected(
  { namespaces, selector }: TopologyGroup,
  { namespace, shape: { labels = {} } }: NamespacedPod,
): boolean {
  return namespaces.has(namespace) && (selector === undefined || selects(selector, labels));
}

/** The parts of a group that its first pod decides, because they are not in its identity. */
function detailsOf({ minDomains, filters, tolerations, domainTolerations }: TopologyGroup): string {
  return JSON.stringify([
    minDomains ?? null,
    filters.map(requirementsIdentity),
    tolerations ?? null,
    domainTolerations ?? null,
  ]);
}

function spreadGroup(pods: PodGroup, variant: PodVariant, spread: TopologySpread): TopologyGroup {
  const { topologyKey: key, maxSkew, minDomains, nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' } = spread;
  const selector = selectorOf(pods, spread);
  return {
    key,
    type: 'topology spread',
    inverseAntiAffinity: false,
    namespaces: new Set([pods.namespace]),
    selector,
    maxSkew,
    minDomains,
    filters: nodeAffinityPolicy === 'Honor' ? variant.nodeFilters : [],
    tolerations: nodeTaintsPolicy === 'Honor' ? variant.tolerations : undefined,
    domainTolerations: nodeTaintsPolicy === 'Honor' ? variant.tolerations : undefined,
    identity: JSON.stringify([
      'topology spread',
      key,
      pods.namespace,
      maxSkew,
      nodeAffinityPolicy,
      nodeTaintsPolicy,
      unpaired(variant.nodeFilters.map((requirements) => JSON.stringify(requirements.keys()))),
      unpaired(variant.tolerations.map(tolerationText)),
      selectorText(selector),
    ]),
  };
}

function selectorOf(
  { shape }: PodGroup,
  { labelSelector, matchLabelKeys = [] }: TopologySpread,
): LabelSelector | undefined {
  if (labelSelector === undefined) return undefined;
  const labels = shape.labels ?? {};
  const own = matchLabelKeys
    .filter((key) => Object.prototype.hasOwnProperty.call(labels, key))
    .map((key) => ({ key, operator: 'In', values: [labels[key]] }));
  return own.length === 0
    ? labelSelector
    : { ...labelSelector, matchExpressions: [...(labelSelector.matchExpressions ?? []), ...own] };
}

function selectorText(selector: LabelSelector | undefined): string | null {
  if (selector === undefined) return null;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return JSON.stringify([
    Object.entries(matchLabels).sort(([left], [right]) => (left < right ? -1 : 1)),
    [...new Set(matchExpressions.map(expressionText))].sort(),
  ]);
}

/** Sorted entries that occur an odd number of times: Karpenter's hash cancels pairs of equal entries. */
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
