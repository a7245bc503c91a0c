import { Draft, Feature, Json, podOf, someWorkloads } from './draft';

/** StorageClass of these claims; the feature `volumes` has another one. */
const STORAGE_CLASS = 'kept';
const EBS = 'ebs.csi.aws.com';

/** Claims of earlier pods, which new pods with the same ordinal mount again; most are bound to a volume. */
export const statefulVolumes: Feature = {
  name: 'statefulVolumes',
  apply(draft) {
    const { dice } = draft;
    addStorageClass(draft);
    for (const workload of someWorkloads(draft)) {
      if (!['Deployment', 'ReplicaSet', 'StatefulSet'].includes(workload.kind)) continue;
      workload.kind = 'StatefulSet';
      workload.spec.serviceName = workload.metadata.name;
      const templates = dice.pick([['data'], ['data'], ['data', 'wal']]);
      workload.spec.volumeClaimTemplates = templates.map((name) => ({ metadata: { name }, spec: claimSpec() }));
      const start = dice.chance(0.2) ? dice.between(1, 5) : 0;
      if (start > 0) workload.spec.ordinals = { start };
      const ordinals = Array.from({ length: workload.spec.replicas + 1 }, (_, index) => start + index);
      for (const ordinal of dice.some(ordinals, Math.round(ordinals.length * dice.pick([0, 0.3, 0.7, 1])))) {
        for (const name of templates)
          if (dice.chance(0.9))
            addClaim(draft, `${name}-${workload.metadata.name}-${ordinal}`, { namespace: workload.metadata.namespace });
      }
    }
  },
};

function addStorageClass({ dice, settings, others }: Draft): void {
  if (others.some(({ kind, metadata }) => kind === 'StorageClass' && metadata.name === STORAGE_CLASS)) return;
  const zones = dice.chance(0.3) ? dice.some(settings.zones, dice.between(1, 2)) : [];
  const allowed = zones.map((zone) => ({
    matchLabelExpressions: [{ key: 'topology.ebs.csi.aws.com/zone', values: [zone] }],
  }));
  others.push({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: STORAGE_CLASS },
    provisioner: EBS,
    volumeBindingMode: 'WaitForFirstConsumer',
    ...(allowed.length > 0 ? { allowedTopologies: allowed } : {}),
  });
}

function claimSpec(): Json {
  return {
    accessModes: ['ReadWriteOnce'],
    storageClassName: STORAGE_CLASS,
    resources: { requests: { storage: '10Gi' } },
  };
}

const STATES = ['bound', 'bound', 'bound', 'bound', 'bound', 'bound', 'bound', 'pending', 'lost', 'leaving'];

/** An existing claim, with its volume if it is bound. */
function addClaim(
  { dice, settings, cluster }: Draft,
  name: string,
  told: { namespace?: string; kind?: string; zone?: string },
): void {
  const { namespace = 'default', kind = dice.pick(STATES) } = told;
  const volume = `pv-${namespace}-${name}`;
  const claim = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name, namespace, annotations: {} },
    spec: claimSpec(),
    status: { phase: 'Pending' },
  };
  const bound: Json = {
    ...claim,
    metadata: { ...claim.metadata, annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
    spec: { ...claim.spec, volumeName: volume },
    status: { phase: 'Bound' },
  };
  if (kind === 'lost') bound.status.phase = 'Lost';
  if (kind === 'leaving') bound.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
  cluster.push(kind === 'pending' ? claim : bound);
  if (kind === 'pending' || kind === 'lost') return;
  const key = dice.pick(['topology.kubernetes.io/zone', 'topology.ebs.csi.aws.com/zone']);
  cluster.push({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volume },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '10Gi' },
      storageClassName: STORAGE_CLASS,
      csi: { driver: EBS, volumeHandle: volume },
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key, operator: 'In', values: [told.zone ?? dice.pick(settings.zones)] }] },
          ],
        },
      },
    },
  });
}

/** One to three claims for one pod, in a random zone if none is given. */
export function mountClaims(draft: Draft, { metadata, spec }: Json, zone?: string): void {
  const { dice } = draft;
  addStorageClass(draft);
  spec.volumes = Array.from({ length: dice.between(1, 3) }, (_, index) => {
    const claimName = `own-${metadata.name}-${index}`;
    addClaim(draft, claimName, { namespace: metadata.namespace, kind: 'bound', zone });
    return { name: `own-${index}`, persistentVolumeClaim: { claimName } };
  });
}

/** Claims shared by the pods of one workload, of several workloads, or with pods outside the input. */
export function shareClaims(draft: Draft): void {
  const { dice, cluster, workloads } = draft;
  addStorageClass(draft);
  const running = cluster.filter(({ kind, spec }) => kind === 'Pod' && spec.nodeName !== undefined);
  for (let count = dice.between(1, 3); count > 0; count -= 1) {
    const claimName = `shared-${count}`;
    const namespace = dice.pick(['default', 'default', 'prod']);
    addClaim(draft, claimName, { namespace, kind: dice.pick(['bound', 'pending', 'pending']) });
    const specs = [
      ...workloads.map((workload) => [workload, podOf(workload).spec]),
      ...running.map((each) => [each, each.spec]),
    ].filter(([{ metadata }]) => (metadata.namespace ?? 'default') === namespace);
    for (const [, spec] of dice.some(specs, dice.between(2, 12))) {
      spec.volumes = [...(spec.volumes ?? []), { name: claimName, persistentVolumeClaim: { claimName } }];
    }
  }
}

/** A CSINode with the driver's volume limit; without one the number is unlimited. */
export function csiNode(name: string, count?: number): Json {
  const driver = {
    name: EBS,
    nodeID: `i-${name}`,
    topologyKeys: [],
    ...(count === undefined ? {} : { allocatable: { count } }),
  };
  return { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name }, spec: { drivers: [driver] } };
}

/** Features that are applied before the cluster's nodes get their pods. */
export const STORAGE_FEATURES: readonly Feature[] = [statefulVolumes];
