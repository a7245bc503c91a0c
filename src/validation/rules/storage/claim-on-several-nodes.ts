import { asRecord } from '../../../contract';
import { ManifestObject, WorkloadManifest } from '../../manifest/model';
import { recordsOf, stringsOf } from '../../manifest/records';
import { Placement, placementsOf } from '../common/placements';
import { podSpecOf } from '../common/pod-constraints';
import { fail, Outcome, pass, Rule, RuleContext } from '../rule';
import { isEbsDriver } from './attach-limit';
import { countText, Label, shortListText, valueText, workloadNames } from '../../../model';

const ONE_NODE = 'ReadWriteOnce';
const OWN_CLAIM = 'give each pod its own claim, with volumeClaimTemplates of a StatefulSet; run 1 replica';
const REPLICATED: readonly string[] = ['Deployment', 'ReplicaSet', 'StatefulSet'];

/** @see https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes */
export const claimOnSeveralNodes: Rule = {
  id: 'KARP-812',
  name: 'claim-on-several-nodes',
  severity: 'error',
  summary:
    'Pods on several nodes share one ReadWriteOnce claim: its volume attaches to one node, and the pods on the others never start.',
  check(context: RuleContext): Outcome[] {
    const { objects, cluster, workloads } = context.model;
    const attachedOnce = [...(cluster?.objects ?? []), ...objects]
      .filter(isForOneNode)
      .map(({ namespace = 'default', name }) => `${namespace}/${name}`);
    return [...new Set(attachedOnce)].flatMap((claim): Outcome[] => {
      const users = workloads.filter(
        ({ shape, kind }) => kind !== 'DaemonSet' && isEbsDriver(shape?.mountedClaims?.get(claim) ?? ''),
      );
      const placements = users.flatMap((workload) =>
        placementsOf(context, workload).map((placement) => ({ workload, placement })),
      );
      const nodes = [...new Set(placements.map(({ placement }) => placement.node))];
      if (placements.length === 0) return [];
      const used = users.filter((workload) => placements.some((candidate) => candidate.workload === workload));
      const scaled = used.find((workload) => isFreeToSpread(workload));
      if (nodes.length === 1) return [scaled === undefined ? pass(used[0].object) : onOneNodeByChance(claim, scaled)];
      return [
        finding(
          claim,
          used,
          placements.map(({ placement }) => placement),
          nodes,
        ),
      ];
    });
  },
};

function isForOneNode({ apiVersion, kind, raw }: ManifestObject): boolean {
  const modes = stringsOf(raw.spec?.accessModes);
  return (
    apiVersion === 'v1' &&
    kind === 'PersistentVolumeClaim' &&
    modes.length > 0 &&
    modes.every((mode) => mode === ONE_NODE)
  );
}

/** Whether several pods of the workload always run at once, and nothing keeps them on one node. */
function isFreeToSpread(workload: WorkloadManifest): boolean {
  if (!REPLICATED.includes(workload.kind) || workload.replicas < 2) return false;
  const { podAffinity } = asRecord(podSpecOf(workload)?.affinity) ?? {};
  const required = recordsOf(asRecord(podAffinity)?.requiredDuringSchedulingIgnoredDuringExecution);
  return !required.some(({ topologyKey }) => topologyKey === Label.HOSTNAME);
}

function onOneNodeByChance(claim: string, workload: WorkloadManifest): Outcome {
  return fail({
    object: workload.object,
    path: volumePath(workload, claim),
    severity: 'warning',
    message:
      `its ${countText(workload.replicas, 'pod')} share the ${ONE_NODE} claim ${claim}, and only chance puts them on one node in the plan: ` +
      'its EBS volume attaches to one node, and pods on another stay in ContainerCreating (Multi-Attach error)',
    remedy: `${OWN_CLAIM}; or use a ReadWriteMany volume, such as EFS`,
    evidence: { claim, pods: workload.replicas, nodes: 1, workloads: workloadNames([workload]) },
  });
}

function finding(
  claim: string,
  workloads: readonly WorkloadManifest[],
  placements: readonly Placement[],
  nodes: readonly string[],
): Outcome {
  const pods = placements.reduce((sum, placement) => sum + placement.pods, 0);
  const [workload] = workloads;
  const who =
    workloads.length === 1
      ? `its ${countText(pods, 'pod')}`
      : `the ${countText(pods, 'pod')} of ${shortListText(workloadNames(workloads), 3)}`;
  return fail({
    object: workload.object,
    path: volumePath(workload, claim),
    message:
      `${who} share the ${ONE_NODE} claim ${claim}, but are planned on ${nodes.length} nodes: its EBS volume attaches to one node, ` +
      'so pods on the others stay in ContainerCreating (Multi-Attach error)',
    remedy:
      `${workloads.length === 1 ? OWN_CLAIM : 'give each workload its own claim'}; ` +
      'or use a ReadWriteMany volume, such as EFS',
    evidence: { claim, pods, nodes, workloads: workloadNames(workloads) },
  });
}

function volumePath(workload: WorkloadManifest, claim: string): readonly (string | number)[] {
  const volumes = recordsOf(podSpecOf(workload)?.volumes);
  const index = volumes.findIndex(
    ({ persistentVolumeClaim }) =>
      `${workload.namespace}/${valueText(asRecord(persistentVolumeClaim)?.claimName)}` === claim,
  );
  return [...workload.podPath, 'volumes', Math.max(index, 0)];
}
