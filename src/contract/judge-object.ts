import { adviseOn } from './advice';
import { FeatureGates } from './feature-gate';
import { FieldProblem } from './field-problem';
import { NEWEST_KARPENTER_VERSION } from './karpenter-version';
import { judgeAtRuntime } from './runtime';
import { findKind, isInside, judgeBySchema, KindSchema, kindsOf, Violation } from './schema';
import { asRecord } from './value-rule';

export interface JudgeOptions {
  /**
   * Of Karpenter for AWS.
   * @default - the newest known
   */
  readonly version?: string;
  /**
   * The kinds of the cluster's own CRDs, instead of the CRDs of the Karpenter version.
   * @default - those of the version
   */
  readonly crds?: readonly KindSchema[];
  /** @default - as Karpenter has them by default */
  readonly featureGates?: FeatureGates;
}

/**
 * All that is wrong with an object that is created: what the API server has against it, then what Karpenter has, and
 * then what both take, though it is not what it says. Undefined if the object is of no kind that they serve.
 */
export function judgeObject(raw: unknown, options: JudgeOptions = {}): Violation[] | undefined {
  const { version = NEWEST_KARPENTER_VERSION, crds, featureGates } = options;
  const object = asRecord(raw);
  const kind = object && findKind(crds ?? kindsOf(version), object.apiVersion, object.kind);
  if (!object || !kind) return undefined;
  const { stored, violations } = judgeBySchema(object, kind);
  return withFurther(withFurther(violations, judgeAtRuntime(stored, { version, featureGates })), adviseOn(stored, version));
}

/** Of a field that is refused already, or that is in or around one that is, nothing more is said. */
function withFurther(violations: readonly Violation[], further: readonly FieldProblem[]): Violation[] {
  const known = (problem: FieldProblem) => violations.some(({ path }) => isInside(path, problem.path) || isInside(problem.path, path));
  return [...violations, ...further.filter((problem) => !known(problem)).map((problem): Violation => ({ ...problem, rule: 'runtime' }))];
}
