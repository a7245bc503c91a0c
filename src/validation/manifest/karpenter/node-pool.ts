import { isSuperfluous, logFieldProblems, preventsUse } from './custom-resource';
import { asRecord, EC2_NODE_CLASS_API, FieldProblem } from '../../../contract';
import { Label, RequirementSpec, resourceAmount, Taint } from '../../../model';
import { NodePoolSpec } from '../../../scheduling';
import { FieldReader } from '../field-reader';
import { findUnresolved } from '../find-unresolved';
import { FieldPath, ManifestObject, NodePoolManifest } from '../model';
import { ProblemLog } from '../problem-log';
import { PlainRecord, recordsOf, stringOrUndefined } from '../records';
import { readQuantity } from '../workload/pod-resources';

const NODE_TEMPLATE: FieldPath = ['spec', 'template'];

/** Fields that do not affect what the pool launches. A pool with a mistake in them can still be judged. */
const NON_LAUNCH_FIELDS: readonly FieldPath[] = [
  ['spec', 'disruption'],
  [...NODE_TEMPLATE, 'metadata', 'annotations'],
  [...NODE_TEMPLATE, 'spec', 'expireAfter'],
  [...NODE_TEMPLATE, 'spec', 'terminationGracePeriod'],
];
const REQUIREMENTS: FieldPath = [...NODE_TEMPLATE, 'spec', 'requirements'];
const KUBELET: FieldPath = [...NODE_TEMPLATE, 'spec', 'kubelet'];
const NODE_CLASS_REF: FieldPath = [...NODE_TEMPLATE, 'spec', 'nodeClassRef'];
/** KARP-103 judges these fields of the reference: it knows the existing node classes. */
const FIELDS_OF_KARP_103: readonly unknown[] = [undefined, 'group', 'kind', 'name', 'apiVersion'];

export function readNodePool(
  object: ManifestObject,
  problems: readonly FieldProblem[],
  log: ProblemLog,
): NodePoolManifest {
  const { tokens, logged } = logFieldProblems(
    object,
    problems.filter((problem) => !isReportedByRule(problem)),
    log,
  );
  const launchProblems = logged.filter(affectsLaunch);
  const template = asRecord(object.raw.spec?.template);
  const ref = asRecord(asRecord(template?.spec)?.nodeClassRef);
  const nodeClassRef = ref && {
    group: stringOrUndefined(ref.group),
    kind: stringOrUndefined(ref.kind),
    name: stringOrUndefined(ref.name),
    apiVersion: stringOrUndefined(ref.apiVersion),
  };
  const unknownZones = requirementsWithUnknownZones(template);
  const otherFields = [...NON_LAUNCH_FIELDS, ...unknownZones.map((index) => [...REQUIREMENTS, index])];
  const launchTokens = tokens.filter((token) => !otherFields.some((field) => isInside(token.path, field)));
  const isUsable =
    launchProblems.length === 0 && launchTokens.length === 0 && object.name !== '' && template !== undefined;
  const spec = isUsable ? readSpec(object, ec2NodeClassName(nodeClassRef), log) : undefined;
  const misplacedKubelet = logged.some(isMisplacedKubelet) ? asRecord(asRecord(template?.spec)?.kubelet) : undefined;
  return {
    object,
    nodeClassRef,
    tokens: launchTokens.map((token) => token.text),
    spec,
    ...(unknownZones.length > 0 ? { hasUnknownZones: true } : {}),
    ...(misplacedKubelet ? { misplacedKubelet } : {}),
  };
}

/** The name of the EC2NodeClass; empty if the reference is to another API group. */
function ec2NodeClassName({ group, name }: NonNullable<NodePoolManifest['nodeClassRef']> = {}): string {
  return group === undefined || group === EC2_NODE_CLASS_API.group ? (name ?? '') : '';
}

/** Whether a requirement names zones that are all known only at deployment, such as those of a data source. */
export function requiresUnknownZones(requirement: unknown): boolean {
  const { key, operator, values } = asRecord(requirement) ?? {};
  return (
    key === Label.ZONE &&
    operator === 'In' &&
    [values].flat().length > 0 &&
    [values].flat().every((value) => findUnresolved(value) !== undefined)
  );
}

/** Their indices. */
function requirementsWithUnknownZones(template: PlainRecord | undefined): number[] {
  const requirements = asRecord(template?.spec)?.requirements;
  if (!Array.isArray(requirements)) return [];
  return requirements.flatMap((requirement, index) => (requiresUnknownZones(requirement) ? [index] : []));
}

function isReportedByRule({ path, consequence }: FieldProblem): boolean {
  return (
    consequence !== 'launch-fails' &&
    isInside(path, NODE_CLASS_REF) &&
    FIELDS_OF_KARP_103.includes(path[NODE_CLASS_REF.length])
  );
}

function affectsLaunch(problem: FieldProblem): boolean {
  const { path, consequence } = problem;
  if (isSuperfluous(problem) || isMisplacedKubelet(problem)) return false;
  return preventsUse(consequence) && !NON_LAUNCH_FIELDS.some((field) => isInside(path, field));
}

/** The settings of the kubelet, which a NodePool had until v1beta1. */
function isMisplacedKubelet({ path }: FieldProblem): boolean {
  return path.length === KUBELET.length && isInside(path, KUBELET);
}

/** Reads a spec without problems. */
function readSpec(object: ManifestObject, nodeClass: string, log: ProblemLog): NodePoolSpec | undefined {
  const reader = new FieldReader(object, log);
  const spec = asRecord(object.raw.spec) ?? {};
  const template = asRecord(spec.template);
  const nodeSpec = asRecord(template?.spec);
  const limits = readLimits(reader, spec.limits);
  if (reader.invalid) return undefined;
  return {
    name: object.name,
    weight: typeof spec.weight === 'number' ? spec.weight : 0,
    nodeClass,
    labels: { ...asRecord(asRecord(template?.metadata)?.labels) } as Record<string, string>,
    requirements: recordsOf(nodeSpec?.requirements)
      .filter((requirement) => !requiresUnknownZones(requirement))
      .map(requirementOf),
    taints: recordsOf(nodeSpec?.taints).map(({ key, value, effect }) => ({ key, value, effect }) as unknown as Taint),
    limits,
    ...(typeof spec.replicas === 'number' ? { replicas: spec.replicas } : {}),
  };
}

function requirementOf({ key, operator, values, minValues }: PlainRecord): RequirementSpec {
  return { key, operator, values: values ?? [], minValues } as unknown as RequirementSpec;
}

/** The API accepts a negative limit; Karpenter then launches nothing. */
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
