import { Expression } from './expression';
import { runtime } from './runtime';

/** Names that a program has declared, and what they stand for. */
export type Variables = ReadonlyMap<string, unknown>;

/** What the names of cdk8s are that a program may import. */
export const CDK8S_NAMES: readonly string[] = ['ApiObject', 'App', 'Chart', 'Cron', 'Duration', 'JsonPatch', 'Size'];

/** The value of an expression. */
export function run(expression: Expression, variables: Variables = new Map()): unknown {
  const all = (values: readonly Expression[]) => values.map((value) => run(value, variables));
  switch (expression.kind) {
    case 'literal': return expression.value;
    case 'name': return resolve(expression.path, variables);
    case 'list': return all(expression.items.map(({ value }) => value));
    case 'object': return Object.fromEntries(expression.entries.map(({ key, value }) => [key, run(value, variables)]));
    case 'call': return (run(expression.target, variables) as Record<string, (...args: unknown[]) => unknown>)[expression.method](...all(expression.args));
    case 'new': return new (resolve(expression.path, variables) as new (...args: unknown[]) => unknown)(...all(expression.args));
  }
}

function resolve([root, ...rest]: readonly string[], variables: Variables): unknown {
  return rest.reduce((value, step) => (value as Record<string, unknown>)[step], resolveRoot(root, variables));
}

function resolveRoot(root: string, variables: Variables): unknown {
  if (variables.has(root)) return variables.get(root);
  if (root === 'nodes') return runtime.nodes;
  return CDK8S_NAMES.includes(root) ? (runtime.cdk8s as Record<string, unknown>)[root] : { Date }[root];
}
