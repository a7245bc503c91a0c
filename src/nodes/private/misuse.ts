/** How a construct tells that it was misused: at once where the value is known, at synth where it is not. */
import { IConstruct } from 'constructs';
import { produceLazies, withoutUnresolved } from './unresolved';
import { FieldProblem, formatFieldPath, formatFieldProblem } from '../../contract';

/** A `spec` as it will stand in the manifest, with its metadata, and the rules for it. */
export interface CheckedSpec {
  readonly construct: IConstruct;
  toSpec(): Record<string, unknown>;
  /** @default - it is not checked */
  toMetadata?(): Record<string, unknown>;
  check(spec: unknown, metadata?: Record<string, unknown>): FieldProblem[];
}

/**
 * @throws Error with a line `<construct path>/<field path>: <what is wrong>, got <value>; <what to write instead>` for
 * each problem
 */
export function throwOnMisuse({ construct, toSpec, toMetadata, check }: CheckedSpec): void {
  const [spec, metadata] = [toSpec(), toMetadata?.()];
  const problems = withoutUnresolved(check(spec, metadata), { spec, metadata });
  if (problems.length > 0) throw new Error(problems.map((p) => `${construct.node.path}/${describe(p)}`).join('\n'));
}

/** Checks again when the app is synthesised, with the values of that moment. */
export function validateAtSynth({ construct, toSpec, toMetadata, check }: CheckedSpec): void {
  construct.node.addValidation({
    validate: () => {
      const [spec, metadata] = [produceLazies(toSpec()), toMetadata?.()];
      return withoutUnresolved(check(spec, metadata), { spec, metadata }).map(describe);
    },
  });
}

function describe(problem: FieldProblem): string {
  return `${formatFieldPath(problem.path)}: ${formatFieldProblem(problem)}`;
}
