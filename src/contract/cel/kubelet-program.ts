import { celEnv, CelFunc, celFunc, CelScalar, isCelError, parse, plan } from '@bufbuild/cel';
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
  funcs: [...overloads('max', (left, right) => left > right ? left : right), ...overloads('min', (left, right) => left < right ? left : right)],
});

/** @throws Error if the text is not CEL */
export function kubeletProgram(text: string): KubeletExpression['valueFor'] {
  const program = plan(environment, parse(text));
  return (variables) => {
    const result = program(celVariables(variables));
    if (isCelError(result)) return undefined;
    if (typeof result === 'bigint') return Number(result);
    return typeof result === 'number' && Number.isFinite(result) ? Math.trunc(result) : undefined;
  };
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
