import { Dice } from '../../test/support/schedule-scenario/dice';

export type Json = Readonly<Record<string, unknown>>;

/** Names that objects share, so that references have targets. */
export const NAMES = ['web', 'api', 'job', 'db'];
const CONFIGS = ['settings', 'rules'];

const meta = (dice: Dice, name: string) => ({
  name,
  ...(dice.chance(0.25) ? { namespace: dice.pick(['shop', 'default', 'ops']) } : {}),
  ...(dice.chance(0.4) ? { labels: { app: name, tier: dice.pick(['front', 'back']) } } : {}),
  ...(dice.chance(0.25) ? { annotations: { 'team.example/owner': 'blue', note: 'a,b' } } : {}),
});

function container(dice: Dice, name: string): Json {
  return {
    name,
    image: dice.pick(['nginx', 'nginx:1.25', 'registry.example:5000/team/app:v1', 'busybox@sha256:aaaa']),
    ...(dice.chance(0.5) ? { resources: { requests: { cpu: '500m', memory: '1Gi' } } } : {}),
    ...(dice.chance(0.4)
      ? {
          env: [
            { name: 'MODE', value: 'plain' },
            { name: 'KEY', valueFrom: { secretKeyRef: { name: dice.pick(CONFIGS), key: 'k' } } },
            { name: 'VAR', value: '$(WEB_NAME)-x' },
          ],
        }
      : {}),
    ...(dice.chance(0.4) ? { envFrom: [{ configMapRef: { name: dice.pick(CONFIGS) } }] } : {}),
    ...(dice.chance(0.4) ? { ports: ports(dice) } : {}),
    ...(dice.chance(0.3) ? { volumeMounts: [{ name: 'data', mountPath: '/data' }] } : {}),
    ...(dice.chance(0.2) ? { args: ['--port', '8080', '$(WEB_NAME)'] } : {}),
  };
}

function ports(dice: Dice): Json[] {
  const one = { containerPort: 8080, name: 'http' };
  return dice.pick([[one], [{ ...one, protocol: 'TCP' }], [one, { containerPort: 9090, protocol: 'UDP' }]]);
}

export function podSpec(dice: Dice): Json {
  return {
    containers: [container(dice, 'main'), ...(dice.chance(0.4) ? [container(dice, 'side')] : [])],
    ...(dice.chance(0.2) ? { initContainers: [container(dice, 'init')] } : {}),
    ...(dice.chance(0.4)
      ? {
          volumes: [
            { name: 'data', persistentVolumeClaim: { claimName: dice.pick(NAMES) } },
            { name: 'cm', configMap: { name: dice.pick(CONFIGS) } },
            { name: 's', secret: { secretName: dice.pick(CONFIGS) } },
          ],
        }
      : {}),
    ...(dice.chance(0.3) ? { priorityClassName: dice.pick(NAMES) } : {}),
    ...(dice.chance(0.3) ? { serviceAccountName: dice.pick(NAMES) } : {}),
    ...(dice.chance(0.2) ? { nodeSelector: { 'karpenter.sh/nodepool': 'web' } } : {}),
    ...(dice.chance(0.2) ? { imagePullSecrets: [{ name: dice.pick(CONFIGS) }] } : {}),
    ...(dice.chance(0.2) ? { tolerations: [{ key: 'a', operator: 'Exists' }] } : {}),
    ...(dice.chance(0.25)
      ? {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'topology.kubernetes.io/zone',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: { matchLabels: { app: 'web' } },
            },
          ],
        }
      : {}),
    ...(dice.chance(0.2)
      ? {
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
              ],
            },
          },
        }
      : {}),
  };
}

const template = (dice: Dice, name: string) => ({
  ...(dice.chance(0.85) ? { metadata: { labels: { app: name } } } : {}),
  spec: podSpec(dice),
});

const MAKERS: ReadonlyArray<(dice: Dice, name: string) => Json> = [
  (dice, name) => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: meta(dice, name),
    spec: {
      ...(dice.chance(0.6) ? { replicas: 2 } : {}),
      ...(dice.chance(0.9) ? { selector: { matchLabels: { app: name } } } : {}),
      template: template(dice, name),
    },
  }),
  (dice, name) => ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: meta(dice, name),
    spec: {
      serviceName: dice.pick(NAMES),
      selector: { matchLabels: { app: name } },
      template: template(dice, name),
      ...(dice.chance(0.5)
        ? {
            volumeClaimTemplates: [
              {
                metadata: { name: 'data' },
                spec: { storageClassName: dice.pick(NAMES), accessModes: ['ReadWriteOnce'] },
              },
            ],
          }
        : {}),
    },
  }),
  (dice, name) => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: meta(dice, name),
    spec: { selector: { matchLabels: { app: name } }, template: template(dice, name) },
  }),
  (dice, name) => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: meta(dice, name),
    spec: { template: template(dice, name) },
  }),
  (dice, name) => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: meta(dice, name),
    spec: { schedule: '0 * * * *', jobTemplate: { spec: { template: template(dice, name) } } },
  }),
  (dice, name) => ({ apiVersion: 'v1', kind: 'Pod', metadata: meta(dice, name), spec: podSpec(dice) }),
  (dice, name) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: meta(dice, name),
    spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080, name: 'http' }] },
  }),
  (dice) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: meta(dice, dice.pick(CONFIGS)),
    data: { key: 'value', json: '{"a": 1}' },
  }),
  (dice) => ({ apiVersion: 'v1', kind: 'Secret', metadata: meta(dice, dice.pick(CONFIGS)), stringData: { k: 'v' } }),
  (dice, name) => ({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: meta(dice, name),
    spec: { storageClassName: dice.pick(NAMES), resources: { requests: { storage: '1Gi' } } },
  }),
  (_, name) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value: 100,
  }),
  (_, name) => ({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name },
    provisioner: 'ebs.csi.aws.com',
  }),
  (dice, name) => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: meta(dice, name),
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: dice.pick(['Deployment', 'StatefulSet']), name: dice.pick(NAMES) },
      maxReplicas: 5,
    },
  }),
  (dice, name) => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: meta(dice, name),
    spec: { maxUnavailable: 1, selector: { matchLabels: { app: name } } },
  }),
  (dice, name) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: meta(dice, name) }),
  (dice, name) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: dice.pick(['RoleBinding', 'ClusterRoleBinding']),
    metadata: { name },
    roleRef: {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: dice.pick(['Role', 'ClusterRole']),
      name: dice.pick(NAMES),
    },
    subjects: [
      {
        kind: 'ServiceAccount',
        name: dice.pick(NAMES),
        ...(dice.chance(0.7) ? { namespace: dice.pick(['shop', 'default']) } : {}),
      },
      { kind: 'ServiceAccount', name: 'default', namespace: 'old' },
    ],
  }),
  (dice, name) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: dice.pick(['Role', 'ClusterRole']),
    metadata: { name },
    rules: [{ apiGroups: [''], resources: ['configmaps'], resourceNames: [dice.pick(CONFIGS)], verbs: ['get'] }],
  }),
  (dice, name) => ({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: meta(dice, name),
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name },
          requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
        },
      },
      limits: { cpu: 100 },
    },
  }),
  (dice, name) => ({
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: meta(dice, name),
    spec: { role: 'node', amiSelectorTerms: [{ alias: 'al2023@latest' }], tags: { a: 'b' } },
  }),
  (_, name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
  (dice, name) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { ...meta(dice, name), annotations: { 'nginx.ingress.kubernetes.io/auth-secret': dice.pick(CONFIGS) } },
    spec: {
      ingressClassName: 'nginx',
      tls: [{ hosts: ['a.example'], secretName: dice.pick(CONFIGS) }],
      rules: [
        { host: 'a.example', http: { paths: [{ path: '/', backend: { service: { name: dice.pick(NAMES) } } }] } },
      ],
    },
  }),
  (dice, name) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: meta(dice, name),
    spec: {
      podSelector: { matchLabels: { app: name } },
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'api' } } }] }],
    },
  }),
  (_, name) => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [{ name: 'a.example', clientConfig: { service: { name: 'web', namespace: 'shop', path: '/v' } } }],
  }),
  (_, name) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${name}s.example.com` },
    spec: { group: 'example.com', names: { kind: 'Thing' } },
  }),
  (dice, name) => ({
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: meta(dice, name),
    spec: {
      containers: [{ name: 'x', image: 'nginx:1' }],
      list: [{ name: 'a' }, { name: 'b' }],
      deep: { enabled: true },
    },
  }),
];

/** An object of any kind. */
export function object(dice: Dice): Json {
  return dice.pick(MAKERS)(dice, dice.pick(NAMES));
}

/** Objects of workloads and pools are drawn more often: patches are for them. */
export function objects(dice: Dice, count: number): Json[] {
  return Array.from({ length: count }, () =>
    dice.chance(0.35) ? dice.pick(MAKERS.slice(0, 3))(dice, dice.pick(NAMES)) : object(dice),
  );
}
