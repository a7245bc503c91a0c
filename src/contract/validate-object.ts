import { FeatureGates } from './feature-gate';
import { asRecord, FieldProblem } from './field-problem';
import { KarpenterKind, KIND_APIS } from './karpenter-api';
import { NEWEST_KARPENTER_VERSION } from './karpenter-version';
import { runtimeValidate } from './runtime-validation';
import { findKind, isInside, KindSchema, kindsOf, validateCreate, Violation } from './schema';
import { warningsFor } from './warnings';

export interface ValidationOptions {
  /**
   * The version of Karpenter for AWS.
   * @default - the newest known version
   */
  readonly version?: string;
  /**
   * The kinds of the cluster's own CRDs, instead of the CRDs of the Karpenter version.
   * @default - the kinds of the version
   */
  readonly crds?: readonly KindSchema[];
  /** @default - Karpenter's defaults */
  readonly featureGates?: FeatureGates;
}

/**
 * All problems of an object that is created: first those that the API server reports, then those that Karpenter
 * reports, then settings that both accept but that do not work as written. Undefined if the kind is not served.
 */
export function validateObject(raw: unknown, options: ValidationOptions = {}): Violation[] | undefined {
  const { version = NEWEST_KARPENTER_VERSION, crds, featureGates } = options;
  const object = asRecord(raw);
  const kind = object && findKind(crds ?? kindsOf(version), object.apiVersion, object.kind);
  if (!object || !kind) return undefined;
  const { stored, violations } = validateCreate(object, kind);
  return withoutRepeats(
    withoutRepeats(violations, runtimeValidate(stored, { version, featureGates })),
    warningsFor(stored, version),
  );
}

/** Adds problems, except for those of fields that already have a problem, and of their parents and children. */
function withoutRepeats(violations: readonly Violation[], added: readonly FieldProblem[]): Violation[] {
  const isReported = (problem: FieldProblem) =>
    violations.some(({ path }) => isInside(path, problem.path) || isInside(problem.path, path));
  return [
    ...violations,
    ...added.filter((problem) => !isReported(problem)).map((problem): Violation => ({ ...problem, rule: 'runtime' })),
  ];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * All problems of a `spec`. Empty if the API server accepts it and all settings work as written. All feature gates that
 * fields need are assumed to be enabled.
 *
 * @param metadata is checked, too; without a name, a valid name is assumed
 */
export function checkSpec(kind: KarpenterKind, spec: unknown, metadata: Fields = {}): FieldProblem[] {
  const { apiVersion } = KIND_APIS[kind];
  const object = {
    apiVersion,
    kind,
    metadata: { ...metadata, name: metadata.name ?? 'checked' },
    ...(spec === undefined ? {} : { spec }),
  };
  return validateObject(object, { featureGates: { NodeClassCEL: true, DRANVIDIAGPU: true } })!;
}

export const checkNodePoolSpec = (spec: unknown, metadata?: Fields): FieldProblem[] =>
  checkSpec('NodePool', spec, metadata);

export const checkEc2NodeClassSpec = (spec: unknown, metadata?: Fields): FieldProblem[] =>
  checkSpec('EC2NodeClass', spec, metadata);

export const checkNodeOverlaySpec = (spec: unknown, metadata?: Fields): FieldProblem[] =>
  checkSpec('NodeOverlay', spec, metadata);

export const checkCapacityBufferSpec = (spec: unknown, metadata?: Fields): FieldProblem[] =>
  checkSpec('CapacityBuffer', spec, metadata);

/** Problems of a key in the labels or requirements of a NodePool. */
export function checkNodePoolLabelKey(key: string): FieldProblem[] {
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'checked' };
  return checkNodePoolSpec({ template: { spec: { nodeClassRef, requirements: [{ key, operator: 'Exists' }] } } });
}
