import { AGENT_STARTUP_TAINTS } from '../../../contract';
import { nearestName, Requirements, RequirementSpec, Taint, Toleration, untolerated, valueText } from '../../../model';
import { Controller, chartDefault, chartValue } from '../../controller';
import { ManifestObject, WrittenNodeGroup } from '../../manifest/model';
import { recordsOf, stringMapOf } from '../../manifest/records';

export const NO_LABEL = 'no such label';

const TERMS = ['nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms'];
/** Labels that Kubernetes, EKS or an agent gives to nodes, which no definition of a node group has. */
const OF_OTHERS = /(?:^|[./])(?:kubernetes\.io|k8s\.io|k8s\.aws|amazonaws\.com|eksctl\.io)\//;
/** Labels that only nodes of Karpenter have. */
const OF_KARPENTER = /^karpenter\.(?:sh|k8s\.aws)\/(?!controller$)/;

/** What Karpenter's own pods require of their node. */
export interface KarpenterPods {
  readonly object: ManifestObject;
  readonly tolerations: readonly Toleration[];
  /** Requirements on labels: one of the lists has to be met. */
  readonly alternatives: ReadonlyArray<readonly RequirementSpec[]>;
  pathOf: Controller['pathOf'];
}

/** Why a node group does not take the pods. */
export interface WhyNot {
  readonly taint?: Taint;
  /** The position of the taint in the group's list. */
  readonly taintIndex?: number;
  /** The required label, and what the group has instead. */
  readonly wanted?: string;
  readonly found?: string;
  /** Whether the group is certainly meant: it has the label with another value, or a similar one. */
  readonly isNear: boolean;
}

/** @param given the values with the defaults of the chart; a value that is missing has the default of the chart */
export function podsOf({ object, values, pathOf }: Pick<Controller, 'object' | 'values' | 'pathOf'>): KarpenterPods {
  const valueOf = (name: string) => (values[name] === undefined ? chartDefault([name]) : values[name]);
  const selected = Object.entries(stringMapOf(valueOf('nodeSelector'))).map(
    ([key, value]): RequirementSpec => ({ key, operator: 'In', values: [value] }),
  );
  const terms = recordsOf(chartValue({ affinity: valueOf('affinity') }, 'affinity', ...TERMS)).map(
    ({ matchExpressions }) => recordsOf(matchExpressions) as unknown as RequirementSpec[],
  );
  return {
    object,
    pathOf,
    tolerations: recordsOf(valueOf('tolerations')) as Toleration[],
    alternatives: (terms.length === 0 ? [[]] : terms).map((term) => [...selected, ...term]),
  };
}

/** Undefined if the group takes the pods, or may take them. */
export function whyNot({ tolerations, alternatives }: KarpenterPods, group: WrittenNodeGroup): WhyNot | undefined {
  const taints = (group.taints ?? []).filter(({ key, effect }) => effect !== 'PreferNoSchedule' && !isRemoved(key));
  const [taint] = untolerated(taints, tolerations);
  if (taint) return { taint, taintIndex: group.taints!.indexOf(taint), isNear: true };
  const { labels } = group;
  if (labels === undefined) return undefined;
  const known = Requirements.fromLabels(labels);
  const missing = alternatives.map((specs) => {
    // Without nodes of Karpenter there is nothing to start with, which is another rule's finding.
    if (
      specs.some(({ key, operator }) => OF_KARPENTER.test(key) && operator !== 'DoesNotExist' && operator !== 'NotIn')
    )
      return undefined;
    const custom = specs.filter(({ key }) => !OF_OTHERS.test(key) && !OF_KARPENTER.test(key));
    return custom.find((spec) => known.compatible(Requirements.from([spec]), new Set()) !== undefined);
  });
  if (missing.length === 0 || missing.some((spec) => spec === undefined)) return undefined;
  return labelRefusal(missing[0]!, labels);
}

/** Whether an agent removes the taint when it has started on the node. */
function isRemoved(key: string): boolean {
  return AGENT_STARTUP_TAINTS.some((agent) => agent.key === key) || /not-ready|startup/i.test(key);
}

function labelRefusal({ key, values = [] }: RequirementSpec, labels: Readonly<Record<string, string>>): WhyNot {
  const wanted = values.length === 0 ? key : `${key}=${values.map(valueText).join(' or ')}`;
  const own = Object.hasOwn(labels, key);
  const domain = key.slice(0, key.indexOf('/') + 1);
  const similar =
    nearestName(key, Object.keys(labels)) ??
    (domain === '' ? undefined : Object.keys(labels).find((other) => other.startsWith(domain)));
  const shown = own ? key : similar;
  return {
    wanted,
    found: shown === undefined ? NO_LABEL : `${shown}=${labels[shown]}`,
    isNear: shown !== undefined,
  };
}
