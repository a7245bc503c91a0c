import { EmptyNode } from './nearest-node';
import { asRecord } from '../../../contract';
import { ResourceList, valueText } from '../../../model';
import { fitsOnType } from '../../instance-types/node-fit';
import { WorkloadManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import { podSpecOf } from '../common/pod-constraints';

/** At least 100 CPUs without a unit, or millions of CPUs: Karpenter, too, asks whether `M` was meant as `m`. */
const WITHOUT_M = /^([1-9]\d{2,3}|[1-9]\d*M)$/;

/**
 * What to write if the CPUs of the containers were meant in thousandths, such as `500m instead of 500`. Undefined if
 * the pod would not fit on any of the nodes with that.
 */
export function missingCpuUnit(
  workload: WorkloadManifest,
  requests: ResourceList,
  nodes: readonly EmptyNode[],
): string | undefined {
  const { containers, initContainers } = asRecord(podSpecOf(workload)) ?? {};
  const written = [...new Set(recordsOf(containers).map(cpuOf))];
  // The largest of them counts beside the sum of the others, so that it would have to change as well.
  if (recordsOf(initContainers).some((container) => WITHOUT_M.test(cpuOf(container)))) return undefined;
  const surplus = recordsOf(containers).reduce((sum, container) => sum + surplusOf(cpuOf(container)), 0n);
  if (surplus === 0n) return undefined;
  const meant = new Map([...requests, ['cpu', (requests.get('cpu') ?? 0n) - surplus]]);
  if (!nodes.some(({ table, index, daemons }) => fitsOnType(table, index, meant, daemons))) return undefined;
  const texts = written.filter((cpu) => WITHOUT_M.test(cpu));
  return texts.map((cpu) => `${cpu.replace('M', '')}m instead of ${cpu}`).join(', and ');
}

/** The request, or the limit if there is none, as Kubernetes takes it. */
function cpuOf({ resources }: Readonly<Record<string, unknown>>): string {
  const { requests, limits } = asRecord(resources) ?? {};
  return valueText(asRecord(requests)?.cpu ?? asRecord(limits)?.cpu ?? '');
}

/** How much less the amount would be with the unit `m`, in thousandths of a CPU. */
function surplusOf(cpu: string): bigint {
  if (!WITHOUT_M.test(cpu)) return 0n;
  const digits = BigInt(cpu.replace('M', ''));
  return digits * (cpu.endsWith('M') ? 1_000_000_000n : 1000n) - digits;
}
