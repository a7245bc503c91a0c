import { EmptyNode } from './nearest-node';
import { asRecord, FieldPath, setField, unsafeFix } from '../../../contract';
import { shortListText, valueText } from '../../../model';
import { allocatableOf, fitsOnType } from '../../instance-types/node-fit';
import { WorkloadManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { podSpecOf } from '../common/pod-constraints';
import { SubjectFinding } from '../define-rule';
import { fail, Outcome, RuleFinding } from '../rule';

/** At least 10 CPUs without a unit: nobody means fewer thousandths. */
const WHOLE_CPUS = /^[1-9]\d{1,3}$/;
/** A DaemonSet that is meant to fill its nodes requests about as much as these have, and not twice as much. */
const TIMES_LARGEST = 2;
const THOUSANDTHS = 1000n;

interface MissingUnit {
  readonly workload: WorkloadManifest;
  readonly cpu: string;
  /** The first is that of the request, if there is one. */
  readonly paths: readonly FieldPath[];
}

/**
 * Findings about DaemonSets of a NodePool whose CPUs were meant in thousandths, such as `50m` instead of `50`. None if
 * the DaemonSets do not fit on any of the nodes with that.
 */
export function missingUnits(
  nodePool: string,
  workloads: readonly WorkloadManifest[],
  nodes: readonly EmptyNode[],
): SubjectFinding[] {
  const largest = Math.max(...nodes.map(({ table, index }) => Number(allocatableOf(table, index).get('cpu') ?? 0n)));
  const isMissing = (cpu: string) =>
    WHOLE_CPUS.test(cpu) && Number(cpu) * Number(THOUSANDTHS) >= TIMES_LARGEST * largest;
  const missing = workloads.flatMap((workload) => containersWithoutUnit(workload, isMissing));
  const surplus = missing.reduce((sum, { cpu }) => sum + BigInt(cpu) * (THOUSANDTHS - 1n), 0n);
  const fits = nodes.some(({ table, index, daemons }) => {
    const cpu = (daemons.get('cpu') ?? 0n) - surplus;
    return cpu >= 0n && fitsOnType(table, index, new Map([...daemons, ['cpu', cpu]]));
  });
  return fits ? missing.map((container) => findingOf(container, [nodePool])) : [];
}

/** One finding for each container, which names all NodePools that cannot launch nodes because of its CPUs. */
export function mergeMissingUnits(outcomes: readonly Outcome[]): Outcome[] {
  const merged = new Map<string, RuleFinding>();
  const others: Outcome[] = [];
  for (const outcome of outcomes) {
    if (outcome.state !== 'fail' || outcome.finding.evidence.withUnit === undefined) {
      others.push(outcome);
      continue;
    }
    const { finding } = outcome;
    const { object, path, evidence } = finding;
    const key = JSON.stringify([object.kind, object.namespace, object.name, path]);
    const nodePools = [merged.get(key)?.evidence.nodePools ?? [], evidence.nodePools].flat().map(valueText);
    merged.set(key, {
      ...finding,
      message: messageOf(String(evidence.cpu), nodePools),
      evidence: { ...evidence, nodePools },
    });
  }
  return [...others, ...[...merged.values()].map(fail)];
}

function containersWithoutUnit(workload: WorkloadManifest, isMissing: (cpu: string) => boolean): MissingUnit[] {
  const { containers, initContainers } = asRecord(podSpecOf(workload)) ?? {};
  // The largest of them counts beside the sum of the others, so that it would have to change as well.
  if (recordsOf(initContainers).some((container) => isMissing(cpusOf(container)[0]?.cpu ?? ''))) return [];
  return recordsOf(containers).flatMap((container, index): MissingUnit[] => {
    const [first, ...more] = cpusOf(container);
    if (first === undefined || !isMissing(first.cpu)) return [];
    const path = [...workload.podPath, 'containers', index, 'resources'];
    const paths = [first, ...more.filter(({ cpu }) => isMissing(cpu))].map(({ list }) => [...path, list, 'cpu']);
    return [{ workload, cpu: first.cpu, paths }];
  });
}

/** The request and the limit: Kubernetes takes the limit if there is no request. */
function cpusOf({ resources }: Readonly<Record<string, unknown>>): Array<{ list: string; cpu: string }> {
  return ['requests', 'limits'].flatMap((list) => {
    const cpu = asRecord(asRecord(resources)?.[list])?.cpu;
    return cpu === undefined || cpu === null ? [] : [{ list, cpu: valueText(cpu) }];
  });
}

function findingOf({ workload, cpu, paths }: MissingUnit, nodePools: readonly string[]): SubjectFinding {
  const withUnit = `${cpu}m`;
  return {
    object: workload.object,
    path: paths[0],
    message: messageOf(cpu, nodePools),
    remedy: `write ${withUnit}, or allow larger instance types if each node shall give ${cpu} CPUs to the DaemonSet`,
    evidence: { cpu, withUnit, nodePools },
    fix: unsafeFix(...paths.map((path) => setField(path, withUnit))),
  };
}

function messageOf(cpu: string, nodePools: readonly string[]): string {
  const [pools, them] = nodePools.length === 1 ? ['NodePool', 'it'] : ['NodePools', 'them'];
  return (
    `requests ${cpu} CPUs on each node, more than any instance type that ${pools} ${shortListText(nodePools)} ` +
    `${nodePools.length === 1 ? 'allows' : 'allow'}: Karpenter launches no nodes from ${them}`
  );
}
