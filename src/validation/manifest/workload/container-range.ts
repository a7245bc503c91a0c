import { FieldProblem, rejected } from '../../../contract';
import { formatAmount, ResourceList } from '../../../model';
import { FieldPath } from '../model';

/** What a LimitRange says of each container of its namespace. */
export interface ContainerRange {
  /** `<namespace>/<name>` of the LimitRange. */
  readonly name: string;
  readonly min: ResourceList;
  readonly max: ResourceList;
  /** The limits of containers that set none: the defaults, or else the maxima. */
  readonly defaultLimits: ResourceList;
}

/** The defaults of a namespace for containers that do not set a resource, and the ranges that they are refused by. */
export interface ContainerDefaults {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
  readonly ranges: readonly ContainerRange[];
}

interface Resources {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/**
 * Why the API server refuses a pod with a container of these resources: the first amount outside of a LimitRange.
 *
 * @param path of the container's `resources`
 * @see https://kubernetes.io/docs/concepts/policy/limit-range/
 */
export function rangeProblem(
  path: FieldPath,
  { requests, limits }: Resources,
  defaults: ContainerDefaults,
): FieldProblem | undefined {
  const problemOf = (field: 'requests' | 'limits', resource: string, amount: bigint): FieldProblem | undefined => {
    const fieldPath = [...path, field, resource];
    for (const { name, min, max, defaultLimits } of defaults.ranges) {
      const most = max.get(resource);
      if (most !== undefined && amount > most)
        return outside(fieldPath, resource, amount, `at most ${formatAmount(resource, most)}, the max`, name);
      const least = min.get(resource);
      if (least !== undefined && amount < least)
        return outside(fieldPath, resource, amount, `at least ${formatAmount(resource, least)}, the min`, name);
      const limit = defaultLimits.get(resource);
      if (field === 'requests' && limit !== undefined && !limits.has(resource) && amount > limit)
        return aboveDefault(fieldPath, resource, amount, limit, name);
    }
    return undefined;
  };
  for (const field of ['limits', 'requests'] as const) {
    for (const [resource, amount] of field === 'limits' ? limits : requests) {
      const problem = problemOf(field, resource, amount);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function outside(path: FieldPath, resource: string, amount: bigint, bound: string, range: string): FieldProblem {
  const [, field] = /the (max|min)$/.exec(bound)!;
  const got = formatAmount(resource, amount);
  return rejected(
    path,
    `must be ${bound} of LimitRange ${range}`,
    got,
    `${field === 'max' ? 'raise' : 'lower'} ${field}.${resource} of LimitRange ${range} to ${got}, or ask for ${field === 'max' ? 'less' : 'more'}`,
  );
}

function aboveDefault(path: FieldPath, resource: string, amount: bigint, limit: bigint, range: string): FieldProblem {
  return rejected(
    path,
    `must be at most ${formatAmount(resource, limit)}, the limit that LimitRange ${range} gives a container without one`,
    formatAmount(resource, amount),
    `write limits.${resource}: ${formatAmount(resource, amount)} in the container, or raise the default of the LimitRange`,
  );
}
