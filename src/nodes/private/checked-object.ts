/**
 * Checks the `metadata` and `spec` of an object twice: at construction with the values that are known then, and at
 * synth with the final values.
 */
import { ApiObject, ApiObjectMetadata, Lazy } from 'cdk8s';
import { IConstruct } from 'constructs';
import { dropUnresolvedProblems, produceLazies } from './unresolved';
import { FieldProblem, formatFieldPath, formatFieldProblem } from '../../contract';
import { errorWithoutStack } from '../../model';

export interface ApiIdentity {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * @throws Error if the API server or Karpenter would reject the object
 */
export function newCheckedObject(
  { apiVersion, kind }: ApiIdentity,
  metadata: ApiObjectMetadata | undefined,
  checked: CheckedSpec,
): ApiObject {
  throwOnMisuse({ ...checked, toMetadata: () => ({ ...metadata }) });
  const apiObject = new ApiObject(checked.construct, 'Resource', {
    apiVersion,
    kind,
    metadata,
    spec: Lazy.any({ produce: () => checked.toSpec() }),
  });
  validateAtSynth({ ...checked, toMetadata: () => apiObject.metadata.toJson() });
  return apiObject;
}

/** The `spec` and `metadata` to write into the manifest, and the function that checks them. */
export interface CheckedSpec {
  readonly construct: IConstruct;
  toSpec(): Record<string, unknown>;
  /** @default - the metadata are not checked */
  toMetadata?(): Record<string, unknown>;
  check(spec: unknown, metadata?: Record<string, unknown>): FieldProblem[];
}

/**
 * @throws Error with a line `<construct path>/<field path>: <what is wrong>, got <value>; <what to write instead>` for
 * each problem
 */
export function throwOnMisuse({ construct, toSpec, toMetadata, check }: CheckedSpec): void {
  const [spec, metadata] = [toSpec(), toMetadata?.()];
  const problems = dropUnresolvedProblems(check(spec, metadata), { spec, metadata });
  if (problems.length > 0)
    throw errorWithoutStack(problems.map((p) => `${construct.node.path}/${describe(p)}`).join('\n'));
}

/** Checks again at synth, with the values known then. */
export function validateAtSynth({ construct, toSpec, toMetadata, check }: CheckedSpec): void {
  construct.node.addValidation({
    validate: () => {
      const [spec, metadata] = [produceLazies(toSpec()), toMetadata?.()];
      return dropUnresolvedProblems(check(spec, metadata), { spec, metadata }).map(describe);
    },
  });
}

function describe(problem: FieldProblem): string {
  return `${formatFieldPath(problem.path)}: ${formatFieldProblem(problem)}`;
}
