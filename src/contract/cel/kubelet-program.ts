import { celEnv, CelFunc, celFunc, CelScalar, isCelError } from '@bufbuild/cel';
import { boundedPlan } from './bounded-plan';
import { resetCost, CostBudgetExceeded } from './cost';
import { KubeletExpression, KubeletVariables } from '../../model';

const { DOUBLE, INT } = CelScalar;

type Choose = (left: number | bigint, right: number | bigint) => number | bigint;

/** Overloads of `min` or `max`: the result of two integers is an integer, any other result is a double. */
function overloads(name: string, choose: Choose): CelFunc[] {
  const double: Choose = (left, right) => Number(choose(left, right));
  return [
    celFunc(name, [INT, INT], INT, (left, right) => choose(left, right) as bigint),
    celFunc(name, [DOUBLE, DOUBLE], DOUBLE, (left, right) => double(left, right) as number),
    celFunc(name, [INT, DOUBLE], DOUBLE, (left, right) => double(left, right) as number),
    celFunc(name, [DOUBLE, INT], DOUBLE, (left, right) => double(left, right) as number),
  ];
}

const environment = celEnv({
  funcs: [
    ...overloads('max', (left, right) => (left > right ? left : right)),
    ...overloads('min', (left, right) => (left < right ? left : right)),
  ],
});

/** @throws Error if the text is not CEL */
export function kubeletProgram(text: string): KubeletExpression['valueFor'] {
  const program = boundedPlan(environment, text);
  return (variables) => {
    const result = withinBudget(() => program(celVariables(variables)));
    if (result === undefined || isCelError(result)) return undefined;
    if (typeof result === 'bigint') return Number(result);
    return typeof result === 'number' && Number.isFinite(result) ? Math.trunc(result) : undefined;
  };
}

/** Undefined if the expression is too costly. Each instance type has the budget of one object. */
function withinBudget<T>(evaluate: () => T): T | undefined {
  resetCost();
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof CostBudgetExceeded) return undefined;
    throw error;
  }
}

function celVariables({ vcpus, memoryMiB, defaultEnis, ipsPerEni, maxPods, instanceType }: KubeletVariables) {
  return {
    vcpus: BigInt(vcpus),
    memory_mib: BigInt(memoryMiB),
    default_enis: BigInt(defaultEnis),
    ips_per_eni: BigInt(ipsPerEni),
    max_pods: BigInt(maxPods),
    instance_type: instanceType,
  };
}
