import { sameJson } from './equality';
import { Expression } from './expression';
import { run, Variables } from './run';

/**
 * The first of several expressions that makes exactly what the manifest holds; where none does, the first that makes
 * anything, which a patch then corrects.
 */
export function choose(candidates: ReadonlyArray<Expression | undefined>, wanted: unknown, variables?: Variables): Expression | undefined {
  let fallback: Expression | undefined;
  for (const candidate of candidates) {
    if (!candidate) continue;
    const made = attempt(candidate, variables);
    if (made === undefined) continue;
    if (sameJson(made, wanted)) return candidate;
    fallback ??= candidate;
  }
  return fallback;
}

function attempt(expression: Expression, variables?: Variables): unknown {
  try {
    return (run(expression, variables) as { _toSpec(): unknown })._toSpec();
  } catch {
    return undefined;
  }
}
