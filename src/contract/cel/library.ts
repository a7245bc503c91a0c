import { celEnv, isCelError, parse, plan } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { CelNode } from './evaluate';
import { KUBERNETES_FUNCTIONS } from './kubernetes-functions';
import { parseRule } from './parse-rule';
import { CelError, CelObject, CelValue, isObject, UnknownFunction } from './value';

const environment = celEnv({ funcs: [...strings, ...KUBERNETES_FUNCTIONS] });

/**
 * Parses a rule to a `CelNode`. Undefined if `CelNode` cannot represent the rule. @throws Error if the rule is not CEL
 */
export function nodeOf(rule: string): CelNode | undefined {
  parse(rule);
  try {
    return parseRule(rule);
  } catch {
    return undefined;
  }
}

/**
 * Compiles a rule with the library.
 *
 * @throws Error if the rule is not CEL
 */
export function compileRule(rule: string): (scope: CelObject) => CelValue {
  const program = plan(environment, parse(rule));
  return (scope) => {
    const variables = Object.fromEntries(Object.entries(scope).map(([name, value]) => [name, toLibrary(value)]));
    const result = program(variables as Parameters<typeof program>[0]);
    if (!isCelError(result)) return result as CelValue;
    if (result.message.startsWith('unbound function')) throw new UnknownFunction(result.message);
    throw new CelError(result.message);
  };
}

/** The library represents objects as maps. */
function toLibrary(value: CelValue): unknown {
  if (Array.isArray(value)) return value.map(toLibrary);
  return isObject(value) ? new Map(Object.entries(value).map(([key, item]) => [key, toLibrary(item)])) : value;
}
