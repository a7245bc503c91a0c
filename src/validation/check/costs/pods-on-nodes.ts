import { ResourceList } from '../../../model';
import { PodShape } from '../../../scheduling';
import { SnapshotPod } from '../../cluster/cluster-pod';
import { Owner, workloadOf } from '../../cluster/pod-owners';
import { podGroupIndices } from '../../context/schedule-input';
import { byCodePoint } from '../../order';
import { RuleContext } from '../../rules';

type Groups = ReadonlyMap<number, number>;

/** Pods of one workload with the same requests and labels on one node. DaemonSets are left out. */
export interface PodsOfWorkload {
  readonly namespace: string;
  /** The name of the workload. */
  readonly name: string;
  /** The kind of the workload, if it is known. */
  readonly kind?: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Of one pod, with the resource `pods`. */
  readonly requests: ResourceList;
  readonly pods: number;
}

/** The pods of all nodes: existing nodes in name order, then the planned ones in the order of their creation. */
export function podsOnNodes(context: RuleContext): PodsOfWorkload[][] {
  const { input, plan } = context;
  const filled = new Map(plan.filledNodes.map(({ node, groups }) => [node, groups]));
  const owners = ownersOfRunningPods(context);
  const kinds = kindsOfGroups(context);
  const existing = [...(input.nodes ?? [])].sort((a, b) => byCodePoint(a.name, b.name));
  return [
    ...existing.map(({ name: node, pods }) => [
      ...pods
        .filter(({ daemon }) => !daemon)
        .map(({ namespace, name, shape }) => ({
          namespace,
          ...(owners.get(`${namespace}/${name}`) ?? { name }),
          labels: shape.labels ?? {},
          requests: requestsOf({ shape }),
          pods: 1,
        })),
      ...plannedPods(filled.get(node) ?? new Map(), kinds, context),
    ]),
    ...plan.nodeClaims.map(({ groups }) => plannedPods(groups, kinds, context)),
  ];
}

function plannedPods(groups: Groups, kinds: ReadonlyMap<number, string>, { input }: RuleContext): PodsOfWorkload[] {
  return [...groups].map(([group, pods]) => {
    const { namespace, name, shape } = input.pods[group];
    const kind = kinds.get(group);
    return {
      namespace,
      name,
      ...(kind === undefined ? {} : { kind }),
      labels: shape.labels ?? {},
      requests: requestsOf({ shape }),
      pods,
    };
  });
}

/** The requests of a pod, with the resource `pods`. */
export function requestsOf({ shape }: { readonly shape: PodShape }): ResourceList {
  return new Map([...shape.requests, ['pods', 1n]]);
}

/** The kind of the workload of a pod group, by index into `ScheduleInput.pods`. */
function kindsOfGroups({ model }: RuleContext): ReadonlyMap<number, string> {
  return new Map(
    model.workloads.flatMap((workload) => podGroupIndices(workload).map((group) => [group, workload.kind] as const)),
  );
}

/** The workload of each pod of the cluster, by `namespace/name` of the pod. */
function ownersOfRunningPods({ model }: RuleContext): ReadonlyMap<string, Owner> {
  const objects = [...(model.cluster?.objects ?? []), ...(model.cluster?.replacedObjects ?? [])].filter(
    ({ kind, apiVersion }) => kind === 'Pod' && apiVersion === 'v1',
  );
  return new Map(
    objects.map((object) => new SnapshotPod(object)).map((pod) => [`${pod.namespace}/${pod.name}`, workloadOf(pod)]),
  );
}
