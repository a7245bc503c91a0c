import { celEnv, CelInput, isCelError, parse } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { boundedPlan } from './bounded-plan';
import { spend } from './cost';
import { CelNode } from './evaluate';
import { KUBERNETES_FUNCTIONS } from './kubernetes-functions';
import { parseRule } from './parse-rule';
import { CelError, CelObject, CelValue, isObject, UnknownFunction } from './value';
import { compilePattern } from '../regexp';

const environment = celEnv({ funcs: [...strings, ...KUBERNETES_FUNCTIONS], re2: { compile: compilePattern } });

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
  const program = boundedPlan(environment, rule);
  return (scope) => {
    const variables = Object.fromEntries(
      Object.entries(scope).map(([name, value]) => [name, toLibrary(value) as CelInput]),
    );
    const result = program(variables);
    if (!isCelError(result)) return result as CelValue;
    if (result.message.startsWith('unbound function')) throw new UnknownFunction(result.message);
    throw new CelError(result.message);
  };
}

/** The library represents objects as maps. */
function toLibrary(value: CelValue): unknown {
  spend(1);
  if (Array.isArray(value)) return value.map(toLibrary);
  return isObject(value) ? new Map(Object.entries(value).map(([key, item]) => [key, toLibrary(item)])) : value;
}
