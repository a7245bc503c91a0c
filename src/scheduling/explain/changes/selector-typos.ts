import { Edit, Effort, podEdit } from './edit';
import { RefusedGroup } from './refused-group';
import { LabelSelector, nearestKeyOfValue, nearestNames } from '../../../model';
import { PodAffinityTerm } from '../../input/pod-shape';
import { PodGroup } from '../../input/schedule-input';
import { TopologyGroup } from '../../topology/topology-groups';

/** Corrects a label of a required pod affinity that no pod has, if it resembles the value or the key of pods there. */
export function selectorTypoEdits({ group, pods }: RefusedGroup, { key: topologyKey }: TopologyGroup): Edit[] {
  const { namespace, shape } = pods[group];
  return (shape.podAffinity?.required ?? []).flatMap((term) => {
    const { labelSelector, namespaces = [], namespaceSelector } = term;
    if (term.topologyKey !== topologyKey || labelSelector === undefined || namespaceSelector) return [];
    const meant = namespaces.length === 0 ? [namespace] : namespaces;
    const others = pods.filter((other) => other.count > 0 && meant.includes(other.namespace));
    return selectedValues(labelSelector).flatMap(([label, value]) => {
      const values = others.flatMap((other) => other.shape.labels?.[label] ?? []);
      const [right, ...more] = values.includes(value) ? [] : nearestNames(value, [...new Set(values)]);
      const key = values.length > 0 ? undefined : misspeltKey(label, value, others, labelSelector);
      if ((right === undefined || more.length > 0) && key === undefined) return [];
      const selector = key === undefined ? withValue(labelSelector, label, right) : withKey(labelSelector, label, key);
      const changed: PodAffinityTerm = { ...term, labelSelector: selector };
      const text =
        key === undefined ? `${label}: ${right} instead of ${value}` : `${key}: ${value} instead of ${label}: ${value}`;
      return [
        podEdit(group, Effort.TYPO, `write ${text} in the pod affinity`, (pod) => ({
          ...pod,
          podAffinity: pod.podAffinity && {
            ...pod.podAffinity,
            required: pod.podAffinity.required.map((written) => (written === term ? changed : written)),
          },
        })),
      ];
    });
  });
}

/** The labels that selected pods must have with exactly this value. */
function selectedValues({ matchLabels = {}, matchExpressions = [] }: LabelSelector): Array<readonly [string, string]> {
  const single = matchExpressions.filter(({ operator, values = [] }) => operator === 'In' && values.length === 1);
  return [...Object.entries(matchLabels), ...single.map(({ key, values }) => [key, values![0]] as const)];
}

/** The key of pods with the value that the selector means, if it is one typing error away. */
function misspeltKey(
  label: string,
  value: string,
  others: readonly PodGroup[],
  { matchLabels = {} }: LabelSelector,
): string | undefined {
  const keys = others.flatMap(({ shape: { labels = {} } }) =>
    Object.keys(labels).filter((key) => labels[key] === value),
  );
  return matchLabels[label] === value ? nearestKeyOfValue(label, keys) : undefined;
}

function withKey(selector: LabelSelector, label: string, key: string): LabelSelector {
  const { [label]: value, ...others } = selector.matchLabels!;
  return { ...selector, matchLabels: { ...others, [key]: value } };
}

function withValue({ matchLabels, matchExpressions }: LabelSelector, label: string, value: string): LabelSelector {
  const isLabel = matchLabels?.[label] !== undefined;
  return {
    ...(matchLabels && { matchLabels: isLabel ? { ...matchLabels, [label]: value } : matchLabels }),
    ...(matchExpressions && {
      matchExpressions: matchExpressions.map((expression) =>
        !isLabel && expression.key === label && expression.operator === 'In'
          ? { ...expression, values: [value] }
          : expression,
      ),
    }),
  };
}
