import { asRecord, FieldPath, setField, unsafeFix } from '../../../contract';
import { formatAmount, listText, merge, Quantity, resourceAmount, ResourceList, valueText } from '../../../model';
import { fitsOnType } from '../../instance-types/node-fit';
import { isToken } from '../../manifest/field-reader';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../../manifest/model';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { podSpecOf, targetsNonKarpenterNodes } from '../common/pod-constraints';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../define-rule';
import { subjectsFrom } from '../subjects';
import { nearestNode, EmptyNode } from './nearest-node';
import { emptyNodesFor } from './pod-larger-than-largest-allowed-node';

const ALL_CONTAINERS = '*';
const CHANGING: readonly unknown[] = [undefined, 'Auto', 'Recreate', 'InPlaceOrRecreate', 'Initial'];
const RESOURCES = ['cpu', 'memory'] as const;
const GIB_IN_THOUSANDTHS = 1000n * 2n ** 30n;
const MIB_IN_THOUSANDTHS = 1000n * 2n ** 20n;
const CORE = 1000n;

type Resource = (typeof RESOURCES)[number];
type Bound = 'minAllowed' | 'maxAllowed';

interface VerticalAutoscaler {
  readonly object: ManifestObject;
  readonly workload: WorkloadManifest;
}

/** An amount that the autoscaler may give a container, or that the container has. */
interface Allowed {
  readonly container: string;
  readonly resource: Resource;
  readonly amount: bigint;
  /** Where the bound is written. @default - the autoscaler does not bound it */
  readonly path?: FieldPath;
}

/** @see https://kubernetes.io/docs/concepts/workloads/autoscaling/vertical-pod-autoscale/ */
export const verticalAutoscalerBeyondNodes = defineRule<VerticalAutoscaler>({
  id: 'KARP-331',
  name: 'vertical-autoscaler-beyond-nodes',
  severity: 'warning',
  summary:
    'A VerticalPodAutoscaler may raise the requests of pods above the largest node that their NodePools allow, or bounds a container that does not exist.',
  subjects: subjectsFrom(({ model }) => verticalAutoscalers(model)),
  judge({ object, workload }, context) {
    const { shape } = workload;
    const misspelt = boundsOfNoContainer(object, workload);
    if (misspelt !== undefined) return misspelt;
    if (shape === undefined || targetsNonKarpenterNodes(workload)) return NOT_APPLICABLE;
    const nodes = emptyNodesFor(context, shape);
    // KARP-301 reports pods that fit on no node as they are.
    if (nodes === undefined || nodes.length === 0 || !fits(nodes, shape.requests)) return NOT_APPLICABLE;
    return judgeBound('minAllowed', object, workload, nodes) ?? judgeBound('maxAllowed', object, workload, nodes);
  },
});

/** The only policy bounds a container that the pods lack, and the pods have one container. */
function boundsOfNoContainer({ raw }: ManifestObject, workload: WorkloadManifest): SubjectFinding | undefined {
  const policies = recordsOf(asRecord(raw?.spec?.resourcePolicy)?.containerPolicies);
  const [{ containerName = ALL_CONTAINERS, minAllowed, maxAllowed } = {}] = policies;
  const names = recordsOf(podSpecOf(workload)?.containers).map(({ name }) => name);
  const isBound = minAllowed !== undefined || maxAllowed !== undefined;
  if (policies.length !== 1 || names.length !== 1 || typeof names[0] !== 'string' || !isBound) return undefined;
  if (containerName === ALL_CONTAINERS || containerName === names[0] || isToken(containerName)) return undefined;
  const path: FieldPath = ['spec', 'resourcePolicy', 'containerPolicies', 0, 'containerName'];
  return {
    path,
    message:
      `bounds container ${valueText(containerName)}, and the only container of ${workload.kind} ${workload.name} is ${names[0]}: ` +
      'nothing bounds the requests that the autoscaler gives it',
    remedy: `write containerName: ${names[0]}`,
    evidence: { container: containerName, only: names[0] },
    fix: unsafeFix(setField(path, names[0])),
  };
}

function judgeBound(
  bound: Bound,
  object: ManifestObject,
  workload: WorkloadManifest,
  nodes: readonly EmptyNode[],
): SubjectFinding | undefined {
  const allowed = allowedAmounts(bound, object, workload);
  const requests = new Map([...workload.shape!.requests, ...sums(allowed, workload)]);
  if (fits(nodes, requests)) return undefined;
  const { node, shortages } = nearestNode(nodes, merge(requests, new Map([['pods', 1n]])));
  const [short] = shortages.filter(({ resource }) => allowed.some((each) => each.resource === resource && each.path));
  if (short === undefined) return undefined;
  const resource = short.resource as Resource;
  const [largest] = allowed
    .filter((each) => each.resource === resource && each.path)
    .sort((a, b) => (a.amount < b.amount ? 1 : -1));
  const possible = rounded(resource, largest.amount - short.missing);
  const pools = [...new Set(nodes.map(({ pool }) => pool.name))].sort();
  const field = `${bound}.${resource}`;
  return {
    path: largest.path!,
    ...(bound === 'minAllowed' ? { severity: 'error' as const } : {}),
    message:
      `${field}: ${formatAmount(resource, largest.amount)} of container ${largest.container} lets ${workload.kind} ${workload.object.name} ` +
      `grow to ${formatAmount(resource, requests.get(resource)!)} of ${resource} a pod, more than any node of NodePool ${listText(pools, 'or')}: ` +
      `the nearest, ${node.table.names[node.index]}, has ${formatAmount(resource, short.allocatable)}`,
    remedy:
      possible === undefined
        ? `lower ${field}, or let a NodePool allow larger instance types`
        : `write ${field}: ${possible} or less, or let a NodePool allow larger instance types`,
    evidence: {
      container: largest.container,
      field,
      nearest: node.table.names[node.index],
      possible: possible ?? null,
    },
    ...(possible === undefined ? {} : { fix: unsafeFix(setField(largest.path!, possible)) }),
    related: { object: workload.object, path: [...workload.podPath, 'containers'], label: 'the pods that it changes' },
  };
}

function fits(nodes: readonly EmptyNode[], requests: ResourceList): boolean {
  const all = merge(requests, new Map([['pods', 1n]]));
  return nodes.some(({ table, index, daemons }) => fitsOnType(table, index, all, daemons));
}

/** The requests of a pod whose containers all have the allowed amounts. */
function sums(allowed: readonly Allowed[], { shape }: WorkloadManifest): Map<string, bigint> {
  return new Map(
    RESOURCES.flatMap((resource): Array<[string, bigint]> => {
      const own = allowed.filter((each) => each.resource === resource);
      const sum = own.reduce((total, { amount }) => total + amount, 0n);
      const written = shape!.requests.get(resource) ?? 0n;
      return own.some(({ path }) => path) ? [[resource, sum > written ? sum : written]] : [];
    }),
  );
}

function allowedAmounts(bound: Bound, { raw }: ManifestObject, workload: WorkloadManifest): Allowed[] {
  const policies = recordsOf(asRecord(raw.spec?.resourcePolicy)?.containerPolicies);
  return recordsOf(podSpecOf(workload)?.containers).flatMap((container) => {
    const name = valueText(container.name);
    const named = policies.findIndex(({ containerName }) => containerName === name);
    const index = named >= 0 ? named : policies.findIndex(({ containerName }) => containerName === '*');
    return RESOURCES.map((resource): Allowed => {
      const current = amountOf(resource, requestsOf(container)[resource]) ?? 0n;
      const most = index < 0 || !controls(policies[index], resource) ? undefined : asRecord(policies[index][bound]);
      const amount = amountOf(resource, most?.[resource]);
      return amount === undefined || amount <= current
        ? { container: name, resource, amount: current }
        : {
            container: name,
            resource,
            amount,
            path: ['spec', 'resourcePolicy', 'containerPolicies', index, bound, resource],
          };
    });
  });
}

function controls({ mode, controlledResources }: PlainRecord, resource: Resource): boolean {
  return mode !== 'Off' && (!Array.isArray(controlledResources) || controlledResources.includes(resource));
}

function requestsOf({ resources }: PlainRecord): PlainRecord {
  const { requests, limits } = asRecord(resources) ?? {};
  return { ...asRecord(limits), ...asRecord(requests) };
}

function amountOf(resource: Resource, value: unknown): bigint | undefined {
  const quantity = Quantity.tryParse(value);
  return quantity && resourceAmount(resource, quantity);
}

/** A whole number of CPUs or GiB, or of MiB, that is not larger. Undefined if nothing useful is left. */
function rounded(resource: Resource, amount: bigint): string | undefined {
  if (resource === 'cpu') return amount >= CORE ? String(amount / CORE) : undefined;
  if (amount >= GIB_IN_THOUSANDTHS) return `${amount / GIB_IN_THOUSANDTHS}Gi`;
  return amount >= MIB_IN_THOUSANDTHS ? `${amount / MIB_IN_THOUSANDTHS}Mi` : undefined;
}

/** The autoscalers that change pods of the input. */
function verticalAutoscalers({ objects, workloads }: ManifestModel): VerticalAutoscaler[] {
  return objects.flatMap((object): VerticalAutoscaler[] => {
    if (object.kind !== 'VerticalPodAutoscaler' || !object.apiVersion.startsWith('autoscaling.k8s.io/')) return [];
    const { targetRef, updatePolicy } = asRecord(object.raw.spec) ?? {};
    const { kind, name } = asRecord(targetRef) ?? {};
    if (!CHANGING.includes(asRecord(updatePolicy)?.updateMode)) return [];
    const workload = workloads.find(
      (each) =>
        each.object.kind === kind &&
        each.object.name === name &&
        (each.object.namespace ?? 'default') === (object.namespace ?? 'default'),
    );
    return workload ? [{ object, workload }] : [];
  });
}
