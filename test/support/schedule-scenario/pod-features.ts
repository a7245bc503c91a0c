import { Draft, Feature, Json, podOf, someWorkloads } from './draft';

function main(workload: Json): Json {
  return podOf(workload).spec.containers[0];
}

const initContainers: Feature = {
  name: 'initContainers',
  apply(draft) {
    const { dice } = draft;
    for (const workload of someWorkloads(draft)) {
      podOf(workload).spec.initContainers = Array.from({ length: dice.between(1, 3) }, (_, index) => ({
        name: `init-${index}`,
        image: 'registry.example/init:1',
        ...(dice.chance(0.4) ? { restartPolicy: 'Always' } : {}),
        resources: { requests: { cpu: dice.pick(['100m', '1', '3']), memory: dice.pick(['128Mi', '2Gi']) } },
      }));
    }
  },
};

const requestsAndLimits: Feature = {
  name: 'requestsAndLimits',
  apply(draft) {
    const { dice } = draft;
    for (const workload of someWorkloads(draft)) {
      const pod = podOf(workload);
      dice.pick([
        () => {
          main(workload).resources = { limits: { cpu: '700m', memory: '900Mi' } };
        },
        () => {
          main(workload).resources.requests = {
            ...main(workload).resources.requests,
            'ephemeral-storage': dice.pick(['1Gi', '10Gi', '25Gi']),
          };
        },
        () => {
          pod.spec.overhead = { cpu: '250m', memory: '120Mi' };
        },
        () => {
          pod.spec.containers.push({
            name: 'sidecar',
            image: 'registry.example/proxy:1',
            resources: { requests: { cpu: '100m', memory: '128Mi' } },
          });
        },
        () => {
          pod.spec.resources = { requests: { cpu: '2', memory: '2Gi' } };
        },
        () => {
          main(workload).resources.requests = {
            cpu: dice.pick(['0.1', '1e-1', '333m', '1500u']),
            memory: dice.pick(['1e9', '500M', '129e6', '1.5Gi']),
          };
        },
      ])();
    }
  },
};

const devices: Feature = {
  name: 'devices',
  apply(draft) {
    const { dice } = draft;
    for (const workload of someWorkloads(draft)) {
      const amount = dice.pick(['1', '1', '2', '4', '8']);
      const name = dice.pick([
        'nvidia.com/gpu',
        'nvidia.com/gpu',
        'aws.amazon.com/neuron',
        'vpc.amazonaws.com/pod-eni',
        'vpc.amazonaws.com/efa',
        'example.com/widget',
      ]);
      const { resources } = main(workload);
      resources.requests = { ...resources.requests, [name]: amount };
      resources.limits = { ...resources.limits, [name]: amount };
    }
  },
};

const hostPorts: Feature = {
  name: 'hostPorts',
  apply(draft) {
    const { dice } = draft;
    for (const workload of someWorkloads(draft)) {
      main(workload).ports = [
        {
          containerPort: 8080,
          hostPort: dice.pick([8080, 9090]),
          ...dice.pick<Json>([{}, { protocol: 'UDP' }, { hostIP: '10.0.0.1' }]),
        },
      ];
    }
  },
};

function volumes(draft: Draft): void {
  const { dice, settings } = draft;
  const zonal = dice.chance(0.6);
  draft.others.push({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: 'ebs.csi.aws.com',
    volumeBindingMode: 'WaitForFirstConsumer',
    ...(zonal
      ? {
          allowedTopologies: dice.some(settings.zones, dice.between(1, 2)).map((zone) => ({
            matchLabelExpressions: [
              { key: dice.pick(['topology.kubernetes.io/zone', 'topology.ebs.csi.aws.com/zone']), values: [zone] },
            ],
          })),
        }
      : {}),
  });
  for (const workload of someWorkloads(draft)) {
    const namespace = workload.metadata.namespace as string | undefined;
    const name = `data-${workload.metadata.name}`;
    draft.others.push({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, ...(namespace ? { namespace } : {}) },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'fast', resources: { requests: { storage: '10Gi' } } },
    });
    podOf(workload).spec.volumes = [{ name: 'data', persistentVolumeClaim: { claimName: name } }];
  }
}

/** Pods that Karpenter ignores by default. */
const resourceClaims: Feature = {
  name: 'resourceClaims',
  apply(draft) {
    for (const workload of someWorkloads(draft)) {
      podOf(workload).spec.resourceClaims = [{ name: 'gpu', resourceClaimTemplateName: 'one-gpu' }];
      main(workload).resources.claims = [{ name: 'gpu' }];
    }
  },
};

/** Fields that Karpenter ignores. */
const priorities: Feature = {
  name: 'priorities',
  apply(draft) {
    const { dice, others } = draft;
    others.push({
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'important' },
      value: dice.pick([-10, 1000, 1000000]),
    });
    for (const workload of someWorkloads(draft)) podOf(workload).spec.priorityClassName = 'important';
  },
};

export const POD_FEATURES: readonly Feature[] = [
  initContainers,
  requestsAndLimits,
  devices,
  hostPorts,
  { name: 'volumes', apply: volumes },
  resourceClaims,
  priorities,
];
