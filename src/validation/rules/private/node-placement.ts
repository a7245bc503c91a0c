/** Where a pod may run whose spec is known from the values of a chart, or in part. */
import { Pool } from './pool';
import { findUnresolved } from './unresolved';
import { asRecord } from '../../../contract';
import { firstUntolerated, Label, Requirement, RequirementSpec, Requirements, Toleration, WELL_KNOWN_LABELS } from '../../../model';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { Answer } from '../../template';

/** Whether nodes of the NodePool, of a capacity type where one is given, meet what the pod requires of its node. */
export function mayRunOn({ spec, requirements }: Pool, pod: PlainRecord, capacityType?: string): Answer {
  const affinity = asRecord(pod.affinity) ? asRecord(pod.affinity)!.nodeAffinity : pod.affinity;
  if (!spec || !requirements || findUnresolved([pod.nodeSelector, affinity, pod.tolerations]) !== undefined) return 'unknown';
  const required = asRecord(asRecord(affinity)?.requiredDuringSchedulingIgnoredDuringExecution);
  const hard = spec.taints.filter(({ effect }) => effect !== 'PreferNoSchedule');
  if (firstUntolerated(hard, recordsOf(pod.tolerations) as unknown as Toleration[]) !== undefined) return 'no';
  const node = requirements.copy();
  if (capacityType !== undefined) {
    if (!node.get(Label.CAPACITY_TYPE).has(capacityType)) return 'no';
    node.add(Requirement.from({ key: Label.CAPACITY_TYPE, operator: 'In', values: [capacityType] }));
  }
  const selector = Object.entries(asRecord(pod.nodeSelector) ?? {}).map(([key, value]): RequirementSpec => ({ key, operator: 'In', values: [String(value)] }));
  const terms = recordsOf(required?.nodeSelectorTerms);
  const ways = terms.length === 0 ? [selector] : terms.map((term) => [...selector, ...recordsOf(term.matchExpressions).map(expressionOf)]);
  return ways.some((way) => node.compatible(Requirements.from(way), WELL_KNOWN_LABELS) === undefined) ? 'yes' : 'no';
}

function expressionOf({ key, operator, values }: PlainRecord): RequirementSpec {
  return { key: String(key), operator: String(operator) as RequirementSpec['operator'], values: Array.isArray(values) ? values.map(String) : [] };
}
