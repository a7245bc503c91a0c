import { Feature, Json, podOf, someWorkloads } from './draft';
import { Quantity } from '../../../src/model';

function main(workload: Json): Json {
  return podOf(workload).spec.containers[0];
}

/** Ports of pods with the host's network, whose host ports are defaulted in pods, but not in templates. */
const hostNetwork: Feature = {
  name: 'hostNetwork',
  apply(draft) {
    const { dice, daemonSets } = draft;
    if (daemonSets.length === 0) daemonSets.push(agent());
    for (const workload of [...someWorkloads(draft), ...daemonSets.filter(() => dice.chance(0.8))]) {
      if (dice.chance(0.8)) podOf(workload).spec.hostNetwork = true;
      const containerPort = dice.pick([8080, 8080, 9090]);
      main(workload).ports = [
        {
          containerPort,
          ...dice.pick<Json>([{}, {}, { hostPort: containerPort }, { hostPort: 0 }]),
          ...dice.pick<Json>([{}, { protocol: 'TCP' }, { protocol: 'UDP' }]),
          ...dice.pick<Json>([{}, {}, { hostIP: '' }, { hostIP: '0.0.0.0' }]),
        },
      ];
    }
  },
};

function agent(): Json {
  const template: Json = {
    metadata: { labels: { app: 'agent' } },
    spec: {
      containers: [
        { name: 'main', image: 'registry.example/agent:1', resources: { requests: { cpu: '100m', memory: '64Mi' } } },
      ],
    },
  };
  const spec = { selector: { matchLabels: { app: 'agent' } }, template };
  return { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'agent', namespace: 'kube-system' }, spec };
}

/** Volumes whose claims a controller creates for each pod. */
const ephemeralVolumes: Feature = {
  name: 'ephemeralVolumes',
  apply(draft) {
    const { dice, settings, others } = draft;
    const zones = dice.some(settings.zones, dice.between(1, 2));
    const isZonal = dice.chance(0.6);
    others.push({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'scratch' },
      provisioner: 'ebs.csi.aws.com',
      volumeBindingMode: 'WaitForFirstConsumer',
      ...(isZonal
        ? { allowedTopologies: [{ matchLabelExpressions: [{ key: 'topology.kubernetes.io/zone', values: zones }] }] }
        : {}),
    });
    for (const workload of someWorkloads(draft)) {
      const { spec } = podOf(workload);
      const claim = {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 'scratch',
        resources: { requests: { storage: '1Gi' } },
      };
      spec.volumes = [
        ...(spec.volumes ?? []),
        { name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: claim } } },
      ];
    }
  },
};

const KINDS = ['podAffinity', 'podAntiAffinity'] as const;
const TOPOLOGY_KEYS = ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'];

/** Pod affinity whose selectors get the values of the pod's labels. */
const labelKeys: Feature = {
  name: 'labelKeys',
  apply(draft) {
    const { dice, workloads } = draft;
    for (const workload of someWorkloads(draft)) {
      const { spec, metadata } = podOf(workload);
      const app = dice.chance(0.6) ? metadata.labels.app : podOf(dice.pick(workloads)).metadata.labels.app;
      const keys = dice.pick<Json>([
        { matchLabelKeys: ['version'] },
        { mismatchLabelKeys: ['version'] },
        { matchLabelKeys: ['version'], mismatchLabelKeys: ['tier'] },
        { mismatchLabelKeys: ['absent'] },
      ]);
      const term = { topologyKey: dice.pick(TOPOLOGY_KEYS), labelSelector: { matchLabels: { app } }, ...keys };
      const kind = dice.pick(KINDS);
      spec.affinity ??= {};
      spec.affinity[kind] = dice.chance(0.7)
        ? { requiredDuringSchedulingIgnoredDuringExecution: [term] }
        : { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: dice.pick([1, 50]), podAffinityTerm: term }] };
    }
  },
};

/** Amounts below one byte, which add up: shares of the memory of m5.large and m5.xlarge. */
const fractionalBytes: Feature = {
  name: 'fractionalBytes',
  apply(draft) {
    const { dice } = draft;
    for (const workload of someWorkloads(draft)) {
      const mebibytes = dice.pick([6903, 6903, 14162]);
      const shares = dice.pick([3, 6, 7, 7, 9, 11]);
      const memory = Math.floor((mebibytes * 2 ** 20 * 1000) / shares) + dice.pick([0, 0, 1]);
      const { resources } = main(workload);
      resources.requests = { cpu: '50m', memory: `${memory}m` };
      // The API server rejects a request above its limit.
      const limit = resources.limits?.memory;
      if (limit !== undefined && BigInt(memory) > Quantity.parse(limit).milliValue()) delete resources.limits.memory;
    }
  },
};

/** Node affinity to NodePools: Karpenter counts the heaviest preference as required when it validates pods. */
const nodePoolAffinity: Feature = {
  name: 'nodePoolAffinity',
  apply(draft) {
    const { dice, pools } = draft;
    const names = [...pools.map(({ metadata }) => metadata.name as string), 'other'];
    const expression = (): Json => {
      const operator = dice.pick(['In', 'In', 'NotIn', 'NotIn', 'Exists', 'DoesNotExist']);
      const values = operator === 'In' || operator === 'NotIn' ? { values: dice.some(names, dice.between(1, 2)) } : {};
      return { key: 'karpenter.sh/nodepool', operator, ...values };
    };
    const zone = (): Json => ({
      key: 'topology.kubernetes.io/zone',
      operator: 'In',
      values: [dice.pick(draft.settings.zones)],
    });
    for (const workload of someWorkloads(draft)) {
      const { spec } = podOf(workload);
      const required = () => ({ nodeSelectorTerms: [{ matchExpressions: [expression()] }] });
      const preferred = () => ({
        weight: dice.pick([1, 10, 10, 100]),
        preference: { matchExpressions: [dice.chance(0.8) ? expression() : zone()] },
      });
      spec.affinity ??= {};
      spec.affinity.nodeAffinity = {
        ...(dice.chance(0.6) ? { requiredDuringSchedulingIgnoredDuringExecution: required() } : {}),
        ...(dice.chance(0.8)
          ? { preferredDuringSchedulingIgnoredDuringExecution: Array.from({ length: dice.between(1, 2) }, preferred) }
          : {}),
      };
    }
  },
};

/** Defaults that some manifests write and others leave out. */
const explicitDefaults: Feature = {
  name: 'explicitDefaults',
  apply(draft) {
    const { dice, workloads } = draft;
    for (const workload of workloads) {
      const { metadata } = workload;
      const { spec } = podOf(workload);
      if (dice.chance(0.5)) metadata.namespace ??= 'default';
      if (dice.chance(0.5)) spec.hostNetwork ??= false;
      if (dice.chance(0.3)) spec.nodeSelector ??= {};
      if (dice.chance(0.3)) spec.affinity ??= {};
      if (dice.chance(0.3)) spec.tolerations ??= [];
      if (dice.chance(0.5)) spec.schedulerName = 'default-scheduler';
      if (dice.chance(0.3)) spec.priority = 0;
      for (const toleration of spec.tolerations ?? [])
        if (toleration.value !== undefined && dice.chance(0.5)) toleration.operator ??= 'Equal';
      for (const port of main(workload).ports ?? []) if (dice.chance(0.5)) port.protocol ??= 'TCP';
      for (const constraint of spec.topologySpreadConstraints ?? []) {
        if (dice.chance(0.5)) constraint.nodeAffinityPolicy ??= 'Honor';
        if (dice.chance(0.5)) constraint.nodeTaintsPolicy ??= 'Ignore';
        if (dice.chance(0.3) && constraint.whenUnsatisfiable === 'DoNotSchedule') constraint.minDomains ??= 1;
      }
    }
  },
};

export const ADMISSION_FEATURES: readonly Feature[] = [
  hostNetwork,
  ephemeralVolumes,
  labelKeys,
  fractionalBytes,
  nodePoolAffinity,
  explicitDefaults,
];
