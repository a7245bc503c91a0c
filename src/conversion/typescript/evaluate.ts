/* eslint-disable @typescript-eslint/no-require-imports -- converting to YAML must not load a construct library */
import { sameJson } from './equality';
import { Expression } from './expression';

/**
 * Libraries that the program imports. Expressions are evaluated with them to compare the constructs with the manifest.
 */
export const libraries = {
  get nodes(): typeof import('../../nodes') {
    return require('../../nodes');
  },
  get cdk8s(): typeof import('cdk8s') {
    return require('cdk8s');
  },
};

/** Values of the names that a program has declared. */
export type Variables = ReadonlyMap<string, unknown>;

/** Names of cdk8s that a program may import. */
export const CDK8S_NAMES: readonly string[] = ['ApiObject', 'App', 'Chart', 'Cron', 'Duration', 'JsonPatch', 'Size'];

/** Evaluates an expression. */
export function evaluateExpression(expression: Expression, variables: Variables = new Map()): unknown {
  const all = (values: readonly Expression[]) => values.map((value) => evaluateExpression(value, variables));
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'name':
      return resolve(expression.path, variables);
    case 'list':
      return all(expression.items.map(({ value }) => value));
    case 'object':
      return Object.fromEntries(
        expression.entries.map(({ key, value }) => [key, evaluateExpression(value, variables)]),
      );
    case 'call':
      return (evaluateExpression(expression.target, variables) as Record<string, (...args: unknown[]) => unknown>)[
        expression.method
      ](...all(expression.args));
    case 'new':
      return new (resolve(expression.path, variables) as new (...args: unknown[]) => unknown)(...all(expression.args));
  }
}

function resolve([root, ...rest]: readonly string[], variables: Variables): unknown {
  return rest.reduce((value, step) => (value as Record<string, unknown>)[step], resolveRoot(root, variables));
}

function resolveRoot(root: string, variables: Variables): unknown {
  if (variables.has(root)) return variables.get(root);
  if (root === 'nodes') return libraries.nodes;
  return CDK8S_NAMES.includes(root) ? (libraries.cdk8s as Record<string, unknown>)[root] : { Date }[root];
}

/**
 * The first candidate whose value equals the manifest; otherwise the first that evaluates without an error, which a
 * JSON patch then corrects.
 */
export function chooseExpression(
  candidates: ReadonlyArray<Expression | undefined>,
  wanted: unknown,
  variables?: Variables,
): Expression | undefined {
  let fallback: Expression | undefined;
  for (const candidate of candidates) {
    if (!candidate) continue;
    const spec = tryEvaluateSpec(candidate, variables);
    if (spec === undefined) continue;
    if (sameJson(spec, wanted)) return candidate;
    fallback ??= candidate;
  }
  return fallback;
}

function tryEvaluateSpec(expression: Expression, variables?: Variables): unknown {
  try {
    return (evaluateExpression(expression, variables) as { _toSpec(): unknown })._toSpec();
  } catch {
    return undefined;
  }
}
