import { celEnv, CelFunc, celFunc, CelScalar, isCelError } from '@bufbuild/cel';
import { boundedPlan } from './bounded-plan';
import { resetCost, TooCostly } from './cost';
import { KubeletExpression, KubeletVariables } from '../../model';

const { DOUBLE, INT } = CelScalar;

type Pick = (left: number | bigint, right: number | bigint) => number | bigint;

/** Of whole numbers it is one, and of any other pair it is none. */
function choice(name: string, pick: Pick): CelFunc[] {
  const double: Pick = (left, right) => Number(pick(left, right));
  return [
    celFunc(name, [INT, INT], INT, (left, right) => pick(left, right) as bigint),
    celFunc(name, [DOUBLE, DOUBLE], DOUBLE, (left, right) => double(left, right) as number),
    celFunc(name, [INT, DOUBLE], DOUBLE, (left, right) => double(left, right) as number),
    celFunc(name, [DOUBLE, INT], DOUBLE, (left, right) => double(left, right) as number),
  ];
}

const environment = celEnv({
  funcs: [...choice('max', (left, right) => left > right ? left : right), ...choice('min', (left, right) => left < right ? left : right)],
});

/** @throws Error if the text is no CEL */
export function kubeletProgram(text: string): KubeletExpression['valueFor'] {
  const program = boundedPlan(environment, text);
  return (variables) => {
    const result = withinBudget(() => program(named(variables)));
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
    if (error instanceof TooCostly) return undefined;
    throw error;
  }
}

function named({ vcpus, memoryMiB, defaultEnis, ipsPerEni, maxPods, instanceType }: KubeletVariables) {
  return {
    vcpus: BigInt(vcpus),
    memory_mib: BigInt(memoryMiB),
    default_enis: BigInt(defaultEnis),
    ips_per_eni: BigInt(ipsPerEni),
    max_pods: BigInt(maxPods),
    instance_type: instanceType,
  };
}
