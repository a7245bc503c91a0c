import { resetCost, CostBudgetExceeded } from './cost';
import { evaluate } from './evaluate';
import { parseRule } from './parse-rule';
import { CelError, CelValue, UnknownFunction } from './value';
import { KubeletExpression, KubeletVariables } from '../../model';

/** @throws Error if the text is not CEL */
export function kubeletProgram(text: string): KubeletExpression['valueFor'] {
  const program = parseRule(text);
  return (variables) => {
    const result = valueOf(() => evaluate(program, celVariables(variables)));
    if (typeof result === 'bigint') return Number(result);
    return typeof result === 'number' && Number.isFinite(result) ? Math.trunc(result) : undefined;
  };
}

/** Undefined if the evaluation fails, or is too costly. Each instance type has the budget of one object. */
function valueOf(evaluation: () => CelValue): CelValue | undefined {
  resetCost();
  try {
    return evaluation();
  } catch (error) {
    if ([CelError, UnknownFunction, CostBudgetExceeded].some((expected) => error instanceof expected)) return undefined;
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
