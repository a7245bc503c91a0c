import { setField, unsafeFix } from '../../../contract';
import { amountsText, formatAmount, listText, ResourceList } from '../../../model';
import { AllowedSize, LimitShortfall, limitShortfall } from '../../instance-types/limit-shortfall';
import { capacityOf } from '../../instance-types/node-fit';
import { stringMapOf } from '../../manifest/records';
import { amountsEvidence } from '../common/figures';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../define-rule';
import { launchingPools } from '../subjects';

/** Amounts of memory are in thousandths of a byte. */
const MILLI = 1000n;
const MIB = 2n ** 20n;
const GIB = 2n ** 30n;
/** The limit of the number of nodes. Each type counts as one. */
const NODES = 'nodes';

/** @see https://karpenter.sh/docs/concepts/nodepools/#speclimits */
export const limitsBelowSmallestNode = defineRule({
  id: 'KARP-310',
  name: 'limits-below-smallest-node',
  severity: 'error',
  summary: 'The limits of a NodePool are below its smallest allowed instance type, so the NodePool launches no nodes.',
  supersededBy: ['KARP-322'],
  subjects: launchingPools({ where: ({ object }) => object.raw?.spec?.limits !== undefined }),
  judge({ object, spec: { limits }, launch: { table, indices, view } }) {
    if (limits.size === 0 || indices.length === 0) return NOT_APPLICABLE;
    const sizes = indices.map((index, position) => ({
      name: view.instanceTypes[position],
      capacity: limits.has(NODES) ? new Map([...capacityOf(table, index), [NODES, 1n]]) : capacityOf(table, index),
    }));
    // A limit of 0 usually disables the NodePool on purpose.
    const zero = [...limits.keys()].filter((resource) => limits.get(resource) === 0n && everySizeHas(resource, sizes));
    if (zero.length > 0) return disabledFinding(zero, limits);
    const shortfall = limitShortfall(limits, sizes);
    const written = stringMapOf(object.raw.spec?.limits);
    return shortfall && tooLowFinding(limits, written, sizes, shortfall);
  },
});

function everySizeHas(resource: string, sizes: readonly AllowedSize[]): boolean {
  return sizes.every(({ capacity }) => (capacity.get(resource) ?? 0n) > 0n);
}

function disabledFinding(zero: readonly string[], limits: ResourceList): SubjectFinding {
  return {
    path: ['spec', 'limits', zero[0]],
    message: `its limit of ${listText(zero)} is 0: the NodePool launches no nodes`,
    remedy: 'raise the limit, or ignore this if the NodePool is meant to be disabled',
    evidence: { limits: amountsEvidence(limits) },
    severity: 'warning',
  };
}

function tooLowFinding(
  limits: ResourceList,
  written: Readonly<Record<string, string>>,
  sizes: readonly AllowedSize[],
  { smallest, exceeded }: LimitShortfall,
): SubjectFinding {
  const oneLimitExcludesAll = [...limits].some(([resource, limit]) =>
    sizes.every(({ capacity }) => (capacity.get(resource) ?? 0n) > limit),
  );
  // If no single limit excludes every type, the limits exclude them together.
  const resources = oneLimitExcludesAll ? exceeded : [...limits.keys()];
  const raised = exceeded.map(
    (resource) => `limits.${resource} to ${formatAmount(resource, smallest.capacity.get(resource) ?? 0n)} or more`,
  );
  const [only, ...others] = exceeded;
  const meant =
    others.length > 0
      ? undefined
      : (withUnit(only, limits, smallest.capacity) ?? withoutMilli(only, written, smallest.capacity));
  return {
    path: ['spec', 'limits', exceeded[0]],
    message:
      `its limits of ${amountsText(resources, limits)} are below ${
        sizes.length === 1 ? 'its only allowed instance type' : `each of its ${sizes.length} allowed instance types`
      }: ` +
      `it launches no nodes; ${sizes.length === 1 ? smallest.name : `the smallest, ${smallest.name},`} has ${amountsText(exceeded, smallest.capacity)}`,
    remedy:
      meant === undefined
        ? `raise ${listText(raised)}, or allow a smaller instance type`
        : `write limits.${only}: ${meant.value}, because ${meant.why}`,
    evidence: {
      limits: amountsEvidence(limits),
      smallest: { instanceType: smallest.name, capacity: amountsEvidence(smallest.capacity) },
      instanceTypes: sizes.length,
      withUnit: meant?.value ?? null,
    },
    fix: unsafeFix(
      ...exceeded.map((resource) =>
        setField(
          ['spec', 'limits', resource],
          meant?.value ?? formatAmount(resource, smallest.capacity.get(resource) ?? 0n),
        ),
      ),
    ),
  };
}

/** A limit that is written in a wrong unit, as it was likely meant. */
interface MeantLimit {
  readonly value: string;
  /** Why the written one is another amount. */
  readonly why: string;
}

/** The limit of memory in Gi, if it is written without a unit and holds a node then. */
function withUnit(resource: string, limits: ResourceList, capacity: ResourceList): MeantLimit | undefined {
  const bytes = limits.get(resource)! / MILLI;
  // Nobody limits a NodePool to less than a MiB.
  if (resource !== 'memory' || bytes <= 0n || bytes >= MIB) return undefined;
  const needed = capacity.get(resource)! / MILLI;
  return bytes * GIB >= needed ? { value: `${bytes}Gi`, why: 'a number without a unit is in bytes' } : undefined;
}

/** The limit in whole CPUs, if it is written in thousandths and holds a node otherwise. */
function withoutMilli(
  resource: string,
  written: Readonly<Record<string, string>>,
  capacity: ResourceList,
): MeantLimit | undefined {
  const [, cpus] = /^(\d{1,3})m$/.exec(written[resource] ?? '') ?? [];
  // Nobody limits a NodePool to less than a CPU.
  if (resource !== 'cpu' || cpus === undefined || BigInt(cpus) * MILLI < capacity.get(resource)!) return undefined;
  return { value: cpus, why: 'm is a thousandth of a CPU' };
}
