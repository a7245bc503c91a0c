import { readQuantity } from './container-resources';
import { addProblems, preventsUse } from './custom-resource';
import { FieldReader } from './field-reader';
import { FieldPath, ManifestObject, NodePoolManifest } from './model';
import { ProblemLog } from './problem-log';
import { PlainRecord, recordsOf } from './records';
import { asRecord, EC2_NODE_CLASS_API, FieldProblem } from '../../contract';
import { RequirementSpec, resourceAmount, Taint } from '../../model';
import { NodePoolSpec } from '../../scheduling';

const POD_TEMPLATE: FieldPath = ['spec', 'template'];

/** Nothing in these decides what the pool launches, and a pool with a mistake there can still be judged. */
const WITHOUT_INFLUENCE: readonly FieldPath[] = [
  ['spec', 'disruption'],
  [...POD_TEMPLATE, 'metadata', 'annotations'],
  [...POD_TEMPLATE, 'spec', 'expireAfter'],
  [...POD_TEMPLATE, 'spec', 'terminationGracePeriod'],
];
const NODE_CLASS_REF: FieldPath = [...POD_TEMPLATE, 'spec', 'nodeClassRef'];
/** KARP-103 judges these, with the classes that there are. */
const JUDGED_BY_RULE: readonly unknown[] = [undefined, 'group', 'kind', 'name', 'apiVersion'];

export function readNodePool(object: ManifestObject, problems: readonly FieldProblem[], log: ProblemLog): NodePoolManifest {
  const { tokens, kept } = addProblems(object, problems.filter((problem) => !isReference(problem)), log);
  const decisive = kept.filter(decides);
  const template = asRecord(asRecord(object.raw.spec)?.template);
  const ref = asRecord(asRecord(template?.spec)?.nodeClassRef);
  const nodeClassRef = ref && { group: text(ref.group), kind: text(ref.kind), name: text(ref.name), apiVersion: text(ref.apiVersion) };
  const judged = tokens.filter((path) => !WITHOUT_INFLUENCE.some((other) => isInside(path.steps, other)));
  const usable = decisive.length === 0 && judged.length === 0 && object.name !== '' && template !== undefined;
  const spec = usable ? readSpec(object, ec2NodeClass(nodeClassRef), log) : undefined;
  return { object, nodeClassRef, tokens: judged.map((token) => token.text), spec };
}

/** A class of another group that has the same name is another one. */
function ec2NodeClass({ group, name }: NonNullable<NodePoolManifest['nodeClassRef']> = {}): string {
  return group === undefined || group === EC2_NODE_CLASS_API.group ? name ?? '' : '';
}

function isReference({ path, consequence }: FieldProblem): boolean {
  return consequence !== 'launch-fails' && isInside(path, NODE_CLASS_REF) && JUDGED_BY_RULE.includes(path[NODE_CLASS_REF.length]);
}

function decides({ path, consequence }: FieldProblem): boolean {
  return preventsUse(consequence) && !WITHOUT_INFLUENCE.some((other) => isInside(path, other));
}

/** Reads a spec that the checks found nothing wrong with. */
function readSpec(object: ManifestObject, nodeClass: string, log: ProblemLog): NodePoolSpec | undefined {
  const reader = new FieldReader(object, log);
  const spec = asRecord(object.raw.spec) ?? {};
  const template = asRecord(spec.template);
  const nodeSpec = asRecord(template?.spec);
  const limits = readLimits(reader, spec.limits);
  if (reader.broken) return undefined;
  return {
    name: object.name,
    weight: typeof spec.weight === 'number' ? spec.weight : 0,
    nodeClass,
    labels: { ...asRecord(asRecord(template?.metadata)?.labels) } as Record<string, string>,
    requirements: recordsOf(nodeSpec?.requirements).map(requirementOf),
    taints: recordsOf(nodeSpec?.taints).map(({ key, value, effect }) => ({ key, value, effect }) as unknown as Taint),
    limits,
    ...(typeof spec.replicas === 'number' ? { replicas: spec.replicas } : {}),
  };
}

function requirementOf({ key, operator, values, minValues }: PlainRecord): RequirementSpec {
  return { key, operator, values: values ?? [], minValues } as unknown as RequirementSpec;
}

/** A negative limit is accepted, and then nothing is launched. */
function readLimits(reader: FieldReader, raw: unknown): Map<string, bigint> {
  const limits = new Map<string, bigint>();
  for (const [resource, value] of Object.entries(reader.record(['spec', 'limits'], raw) ?? {})) {
    const quantity = readQuantity(reader, ['spec', 'limits', resource], value);
    if (quantity) limits.set(resource, resourceAmount(resource, quantity));
  }
  return limits;
}

function isInside(path: FieldPath, ancestor: FieldPath): boolean {
  return ancestor.every((step, i) => path[i] === step);
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
