import { allParts, countOr, jobPart, withRestartPolicy } from './part';
import { asRecord } from '../../../../contract';
import { FieldPath, ManifestObject } from '../../object';
import { PlainRecord, recordsOf } from '../../records';

/** Fields of a driver and of executors that are fields of their pods, with the same form. */
const POD_FIELDS = [
  'affinity',
  'dnsConfig',
  'hostNetwork',
  'initContainers',
  'nodeSelector',
  'priorityClassName',
  'schedulerName',
  'terminationGracePeriodSeconds',
  'tolerations',
  'topologySpreadConstraints',
];

/** Settings of Spark that change the requests, the number or the nodes of its pods. */
const DECISIVE_SETTING =
  /^spark\.(driver|executor|dynamicAllocation|memory\.offHeap|kubernetes\.(driver|executor|node|memoryOverheadFactor))\b.*(cores|memory|instances|xecutors|enabled|selector|podTemplate|Factor|offHeap)/i;

const MIB = 2 ** 20;
/** Spark's least memory overhead, and its share of the memory by the type of the application. */
const LEAST_OVERHEAD_MIB = 384;
const JVM_FACTOR = 0.1;
const OTHER_FACTOR = 0.4;
/** Spark's default memory of the driver and of an executor. */
const DEFAULT_MEMORY = '1g';
const MEMORY = /^(\d+)\s*(?:([kmgt])(?:i?b)?)?$/i;
const MIB_BY_UNIT: Readonly<Record<string, number>> = { k: 2 ** -10, m: 1, g: 2 ** 10, t: 2 ** 20 };

/** The driver, and the executors: `instances`, or the first ones of dynamic allocation. */
export function sparkParts(object: ManifestObject, path: FieldPath): ManifestObject[] | undefined {
  const spec = path.reduce<PlainRecord | undefined>((value, step) => asRecord(value?.[step]), object.raw);
  if (spec === undefined || Object.keys(asRecord(spec.sparkConf) ?? {}).some((key) => DECISIVE_SETTING.test(key)))
    return undefined;
  const isSuspended = spec.suspend === true || object.raw.spec?.suspend === true;
  const executors = executorsOf(spec);
  const partOfRole = (role: 'driver' | 'executor', pods: number | undefined) => {
    const template = templateOf(spec, role);
    if (pods === undefined || template === undefined) return undefined;
    const name = `${object.name}-${role === 'driver' ? 'driver' : 'executors'}`;
    const place = [...path, role];
    // The pod of the driver is written as fields of the driver itself.
    const locateInTemplate = ([first, ...rest]: FieldPath) => (first === 'spec' ? rest : []);
    return jobPart(object, name, isSuspended ? 0 : pods, template, { place, locateInTemplate });
  };
  return allParts([partOfRole('driver', 1), partOfRole('executor', executors)]);
}

function executorsOf(spec: PlainRecord): number | undefined {
  const instances = countOr(asRecord(spec.executor)?.instances, 1);
  const dynamic = asRecord(spec.dynamicAllocation);
  if (dynamic?.enabled !== true) return instances;
  const least = countOr(dynamic.minExecutors, 0);
  const initial = countOr(dynamic.initialExecutors, 0);
  if (least === undefined || initial === undefined) return undefined;
  const written = asRecord(spec.executor)?.instances === undefined ? 0 : instances;
  return written === undefined ? undefined : Math.max(least, initial, written);
}

function templateOf(spec: PlainRecord, role: 'driver' | 'executor'): PlainRecord | undefined {
  const pod = asRecord(spec[role]) ?? {};
  // Fields of the template and of the driver are merged by Spark.
  if (pod.template !== undefined) return undefined;
  const requests = requestsOf(spec, pod);
  if (requests === undefined) return undefined;
  const { coreLimit } = pod;
  const gpu = asRecord(pod.gpu);
  const devices = typeof gpu?.name === 'string' ? { [gpu.name]: gpu.quantity } : {};
  const limits = { memory: requests.memory, ...(coreLimit === undefined ? {} : { cpu: coreLimit }), ...devices };
  const container = { name: `spark-kubernetes-${role}`, image: pod.image ?? spec.image ?? 'spark' };
  const sidecars = recordsOf(pod.sidecars);
  const fields = Object.fromEntries(POD_FIELDS.filter((field) => field in pod).map((field) => [field, pod[field]]));
  const mounted = new Set(recordsOf(pod.volumeMounts).map(({ name }) => name));
  return withRestartPolicy({
    metadata: {
      labels: { ...asRecord(pod.labels), 'spark-role': role },
      ...(asRecord(pod.annotations) ? { annotations: pod.annotations } : {}),
    },
    spec: {
      ...(spec.nodeSelector === undefined ? {} : { nodeSelector: spec.nodeSelector }),
      ...fields,
      volumes: recordsOf(spec.volumes).filter(({ name }) => mounted.has(name)),
      containers: [{ ...container, resources: { requests: { ...requests, ...devices }, limits } }, ...sidecars],
    },
  });
}

/** Spark adds an overhead to the memory, and requests as many CPUs as the pod has cores, if nothing else is written. */
function requestsOf(
  spec: PlainRecord,
  { cores, coreRequest, memory, memoryOverhead }: PlainRecord,
): { readonly cpu: unknown; readonly memory: string } | undefined {
  const factor = Number(spec.memoryOverheadFactor ?? (isOfJvm(spec) ? JVM_FACTOR : OTHER_FACTOR));
  const mebibytes = mebibytesOf(memory ?? DEFAULT_MEMORY);
  if (mebibytes === undefined || !(factor >= 0)) return undefined;
  const overhead =
    memoryOverhead === undefined
      ? Math.max(LEAST_OVERHEAD_MIB, Math.trunc(mebibytes * factor))
      : mebibytesOf(memoryOverhead);
  if (overhead === undefined) return undefined;
  const cpu = coreRequest ?? cores ?? 1;
  return typeof cpu !== 'string' && typeof cpu !== 'number'
    ? undefined
    : { cpu, memory: String((mebibytes + overhead) * MIB) };
}

function isOfJvm({ type }: PlainRecord): boolean {
  return type !== 'Python' && type !== 'R';
}

/** Spark reads a number without a unit as MiB, and `g` as GiB. */
function mebibytesOf(text: unknown): number | undefined {
  const match = typeof text === 'string' || typeof text === 'number' ? MEMORY.exec(String(text).trim()) : null;
  return match ? Math.trunc(Number(match[1]) * (match[2] ? MIB_BY_UNIT[match[2].toLowerCase()] : 1)) : undefined;
}
