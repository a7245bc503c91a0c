import { objectIdentity } from './cluster-objects';
import { SnapshotPod } from './cluster-pod';
import { PodOwners } from './pod-owners';
import { asRecord } from '../../contract';
import { formatAmount, merge, Quantity, resourceAmount, ResourceList, shortListText, valueText } from '../../model';
import { ManifestObject } from '../manifest/model';
import { PlainRecord, recordsOf, stringMapOf } from '../manifest/records';

/** Containers that admission webhooks add to the pods of a workload, such as the proxy of a service mesh. */
export interface InjectedContainers {
  readonly names: readonly string[];
  readonly requests: ResourceList;
}

/**
 * By workload: the containers that its newest pod has and its template in the manifests lacks, if a webhook has added
 * them. Other containers belong to an older template.
 *
 * @param objects of the cluster
 */
export function injectedContainers(
  pods: readonly SnapshotPod[],
  owners: PodOwners,
  objects: readonly ManifestObject[],
): Map<ManifestObject, InjectedContainers> {
  const inCluster = new Map(objects.map((object) => [objectIdentity(object), object]));
  const replicaSets = new Map(
    objects
      .filter(({ kind }) => kind === 'ReplicaSet')
      .map((object) => [`${object.namespace ?? 'default'}/${object.name}`, object]),
  );
  const newest = new Map<ManifestObject, SnapshotPod>();
  for (const pod of pods) {
    const owner = pod.isTerminal || pod.isTerminating ? undefined : owners.ownerOf(pod);
    const known = owner && newest.get(owner);
    if (owner && (known === undefined || pod.createdAt > known.createdAt)) newest.set(owner, pod);
  }
  const result = new Map<ManifestObject, InjectedContainers>();
  for (const [workload, pod] of newest) {
    const controller = pod.owners.map(({ name }) => replicaSets.get(`${pod.namespace}/${name}`)).find(Boolean);
    const injected = injectedInto(pod, workload, controller ?? inCluster.get(objectIdentity(workload)));
    if (injected.length > 0)
      result.set(workload, { names: injected.map(({ name }) => valueText(name)), requests: requestsOf(injected) });
  }
  return result;
}

/** A sentence for the assumptions: workloads with the same containers share it. */
export function injectionNotes(injected: ReadonlyMap<ManifestObject, InjectedContainers>): string[] {
  const workloads = new Map<string, string[]>();
  for (const [{ kind, namespace = 'default', name }, { names, requests }] of injected) {
    const amounts = [...requests].map(([resource, amount]) => `${formatAmount(resource, amount)} of ${resource}`);
    const text = `${shortListText(names)}${amounts.length === 0 ? '' : ` (${amounts.join(', ')})`}`;
    workloads.set(text, [...(workloads.get(text) ?? []), `${kind} ${namespace}/${name}`]);
  }
  return [...workloads].map(
    ([text, names]) =>
      `new pods of ${shortListText(names)} are assumed to get what a webhook has added to the running pods: ${text}`,
  );
}

/** Containers, and init containers that keep running. @param controller in the cluster, whose template made the pod */
function injectedInto(
  pod: SnapshotPod,
  workload: ManifestObject,
  controller: ManifestObject | undefined,
): PlainRecord[] {
  const written = containerNames(templateOf(workload.raw));
  const madeWith = controller && containerNames(templateOf(controller.raw));
  const marked = namesInAnnotations(pod);
  const isInjected = (name: unknown) => (madeWith ? !madeWith.has(name) : marked(valueText(name)));
  return runningContainers(pod.object.raw.spec).filter(({ name }) => !written.has(name) && isInjected(name));
}

function runningContainers(spec: unknown): PlainRecord[] {
  const { containers, initContainers } = asRecord(spec) ?? {};
  return [
    ...recordsOf(containers),
    ...recordsOf(initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always'),
  ];
}

function containerNames(spec: PlainRecord | undefined): Set<unknown> {
  return new Set([...recordsOf(spec?.containers), ...recordsOf(spec?.initContainers)].map(({ name }) => name));
}

function templateOf(raw: ManifestObject['raw']): PlainRecord | undefined {
  const spec = asRecord(raw.spec);
  const template = asRecord(spec?.template) ?? asRecord(asRecord(asRecord(spec?.jobTemplate)?.spec)?.template);
  return asRecord(template?.spec) ?? spec;
}

/**
 * Whether an injector says of a container that it has added it, in the annotations of the pod.
 *
 * @see https://istio.io/latest/docs/reference/config/annotations/ sidecar.istio.io/status
 * @see https://linkerd.io/2/reference/proxy-configuration/ linkerd.io/proxy-version
 * @see https://developer.hashicorp.com/vault/docs/deploy/kubernetes/injector/annotations
 */
function namesInAnnotations({ object: { raw } }: SnapshotPod): (name: string) => boolean {
  const annotations = stringMapOf(asRecord(raw.metadata)?.annotations);
  const istio = annotations['sidecar.istio.io/status'] ?? '';
  const isLinkerd = annotations['linkerd.io/proxy-version'] !== undefined;
  const isVault = annotations['vault.hashicorp.com/agent-inject-status'] === 'injected';
  return (name) =>
    istio.includes(JSON.stringify(name)) ||
    (isLinkerd && name === 'linkerd-proxy') ||
    (isVault && name.startsWith('vault-agent'));
}

function requestsOf(containers: readonly PlainRecord[]): ResourceList {
  return merge(
    ...containers.map(({ resources }) => {
      const requests = asRecord(asRecord(resources)?.requests) ?? {};
      return new Map(
        Object.entries(requests).flatMap(([resource, text]) => {
          const amount = Quantity.tryParse(text);
          return amount ? [[resource, resourceAmount(resource, amount)] as const] : [];
        }),
      );
    }),
  );
}
