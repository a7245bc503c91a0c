import { removeField, unsafeFix } from '../../../../contract';
import { Label } from '../../../../model';
import { WorkloadManifest } from '../../../manifest/model';
import { constraintPath, requirementAlternatives } from '../../common/pod-constraints';
import { SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';

/** Names that EC2 makes, by private address or by instance ID. Machines outside of EC2 keep their names. */
const NAME_OF_INSTANCE = /^(?:ip-\d{1,3}(?:-\d{1,3}){3}|i-[0-9a-f]{8,17})(?:\.[a-z0-9.-]+)?$/;
/** Kinds whose pods outlive a node. Volumes may tie those of a StatefulSet to it. */
const KINDS: readonly string[] = ['Deployment', 'ReplicaSet'];

/** Pods that select one EC2 instance by its name: no node that replaces it has this name. */
export function pinnedFinding({ input }: RuleContext, workload: WorkloadManifest): SubjectFinding | undefined {
  const { kind, shape } = workload;
  if (!KINDS.includes(kind) || shape === undefined) return undefined;
  const names = requirementAlternatives(shape).map((specs) =>
    specs.flatMap(({ key, operator, values = [] }) => (key === Label.HOSTNAME && operator === 'In' ? values : [])),
  );
  const isKnown = (name: string) =>
    (input.nodes ?? []).some((node) => node.name === name || node.labels[Label.HOSTNAME] === name);
  const all = names.flat();
  if (names.some((some) => some.length === 0) || !all.every((name) => NAME_OF_INSTANCE.test(name)) || all.some(isKnown))
    return undefined;
  const path = constraintPath(workload, shape, Label.HOSTNAME);
  return {
    path,
    message: `its pods select the node ${all[0]}: no node that Karpenter launches has this name, so that they stay Pending once the node is gone`,
    remedy: `remove ${Label.HOSTNAME}, and select a label of a NodePool, a zone or an instance type instead`,
    evidence: { missing: [Label.HOSTNAME], hostnames: all },
    ...(Label.HOSTNAME in shape.nodeSelector ? { fix: unsafeFix(removeField(path)) } : {}),
    severity: 'warning',
  };
}
