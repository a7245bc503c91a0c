import { CHECKS, Seed } from './seed';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../validation/setup';

const POOLS = [NODE_CLASS, nodePool(['m5.large'])].join('---\n');
const WEB = deployment('web', 2, SMALL);

const KUSTOMIZATIONS: Seed = {
  commands: CHECKS,
  files: {
    'base/kustomization.yaml': `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: [web.yaml, pools.yaml]
images: [{ name: nginx, newName: registry.example.com/nginx, newTag: "1.27" }]
configMapGenerator: [{ name: settings, literals: [REGION=eu-west-1] }]
`,
    'base/web.yaml': WEB,
    'base/pools.yaml': POOLS,
    'overlay/kustomization.yaml': `resources: [../base]
namespace: shop
namePrefix: prod-
nameSuffix: -blue
labels: [{ pairs: { team: shop }, includeSelectors: true }]
commonAnnotations: { owner: shop }
replicas: [{ name: web, count: 3 }]
components: [../component]
replacements: [{ source: { kind: Deployment, name: web }, targets: [{ select: { kind: Deployment }, fieldPaths: [metadata.labels.app] }] }]
patches:
- path: patch.yaml
- target: { kind: Deployment, name: web.*, labelSelector: app=web }
  patch: |-
    - { op: replace, path: /spec/replicas, value: 4 }
    - { op: add, path: /spec/template/spec/containers/0/env, value: [{ name: A, value: b }] }
    - { op: copy, from: /metadata/name, path: /metadata/labels }
    - { op: move, from: /spec/template/spec/containers/0/resources, path: /spec/x }
    - { op: test, path: /kind, value: Deployment }
patchesJson6902: [{ target: { version: v1, kind: NodePool, name: default }, path: pool.json }]
patchesStrategicMerge: [merge.yaml]
`,
    'overlay/patch.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { template: { spec: { $patch: merge, containers: [{ name: main, resources: { requests: { cpu: 1500m } } }] } } }\n',
    'overlay/merge.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { template: { spec: { tolerations: [{ operator: Exists }] } } }\n',
    'overlay/pool.json': '[{ "op": "remove", "path": "/spec/limits/cpu" }]',
    'component/kustomization.yaml':
      'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\npatches: [{ target: { kind: Deployment }, patch: "[{op: remove, path: /spec/x}]" }]\n',
  },
};

const ARGO_CD: Seed = {
  commands: CHECKS,
  files: {
    'apps/web/web.yaml': WEB,
    'apps/pools/pools.yaml': POOLS,
    'clusters/east/pools.yaml': POOLS,
    'clusters/west/kustomization.yaml': 'resources: [../../apps/web, ../../apps/pools]\n',
    'app.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: east, namespace: argocd }
spec:
  source: { repoURL: https://github.com/acme/shop.git, path: clusters/east, directory: { recurse: true } }
  destination: { server: "https://east", namespace: shop }
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: { name: karpenter }
spec:
  sources:
  - { repoURL: public.ecr.aws/karpenter, chart: karpenter, targetRevision: ~1.8.0, helm: { values: "settings: { clusterName: main }", valuesObject: { replicas: 2 }, parameters: [{ name: settings.interruptionQueue, value: q }] } }
  - { repoURL: https://github.com/acme/shop.git, path: clusters/west, ref: values, kustomize: { namePrefix: a-, patches: [{ target: { kind: Deployment }, patch: "[]" }] } }
  destination: { name: west, namespace: karpenter }
`,
    'set.yaml': `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: { name: set }
spec:
  generators:
  - matrix:
      generators:
      - git: { repoURL: https://github.com/acme/shop.git, directories: [{ path: apps/* }, { path: apps/old, exclude: true }] }
      - list: { elements: [{ to: a, values: { region: eu } }, { to: b }] }
  - clusters: { selector: { matchLabels: { a: b } } }
  template:
    metadata: { name: "{{path.basename}}" }
    spec:
      source: { repoURL: https://github.com/acme/shop.git, path: "{{path}}" }
      destination: { name: "{{to}}", namespace: "{{ .values.region }}" }
`,
  },
};

const FLUX: Seed = {
  commands: CHECKS,
  files: {
    'clusters/east/flux.yaml': `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: flux-system, namespace: flux-system }
spec: { url: ssh://git@github.com/acme/shop }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: apps, namespace: flux-system }
spec:
  path: ./apps
  targetNamespace: shop
  sourceRef: { kind: GitRepository, name: flux-system }
  kubeConfig: { secretRef: { name: east } }
  dependsOn: [{ name: infra }]
  patches: [{ target: { kind: Deployment }, patch: "[{op: add, path: /spec/replicas, value: 3}]" }]
  postBuild: { substitute: { replicas: "3", region: eu-west-1 }, substituteFrom: [{ kind: ConfigMap, name: vars }, { kind: Secret, name: secret, optional: true }] }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: vars, namespace: flux-system }
data: { cpu: "1", name: web }
---
apiVersion: v1
kind: Secret
metadata: { name: secret, namespace: flux-system }
data: { password: cGFzcw== }
stringData: { a: b }
`,
    'clusters/west/flux.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: west }
spec: { path: ./clusters/west, sourceRef: { kind: GitRepository, name: flux-system } }
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: karpenter, namespace: karpenter }
spec:
  chart: { spec: { chart: karpenter, version: 1.8.x, sourceRef: { kind: HelmRepository, name: karpenter } } }
  chartRef: { kind: OCIRepository, name: karpenter }
  valuesFrom: [{ kind: ConfigMap, name: vars, valuesKey: x, targetPath: settings.clusterName }]
  values: { replicas: 2, settings: { clusterName: main, interruptionQueue: main, featureGates: { spotToSpotConsolidation: true } }, controller: { resources: { requests: { cpu: 1, memory: 1Gi } }, env: [{ name: BATCH_MAX_DURATION, value: 10s }] } }
`,
    'apps/web.yaml': WEB.replace('replicas: 2', 'replicas: ${replicas:=2}').replace('500m', '${cpu}'),
    'apps/pools.yaml': POOLS,
  },
};

const SETTINGS: Seed = {
  commands: [
    ['check', '.'],
    ['check', '.', '--settings', './values.yaml'],
    ['check', '.', '--baseline', './baseline.json'],
    ['check', './all.yaml', '--settings', './values.yaml', '--format', 'json'],
    ['check', './all.yaml', '--scheduler-config', './scheduler.yaml'],
    ['check', './all.yaml', '--fix', '--dry-run'],
    ['diff', './all.yaml', './values.yaml'],
    ['explain', './all.yaml', '--pod', 'web'],
    ['instance-types', './all.yaml', '--nodepool', 'default'],
  ],
  files: {
    'karpenter-constructs.yaml': `acknowledge:
- { rule: KARP-401, subject: Deployment/shop/web, reason: it is a test, until: 2026-03-31 }
severity: { KARP-402: info }
flags: { region: eu-west-1, zones: [eu-west-1a], root: [a] }
`,
    '.gitignore': 'dist\n*.log\n!/keep\n',
    'values.yaml': `replicas: 2
settings: { clusterName: main, interruptionQueue: main, vmMemoryOverheadPercent: 0.075, reservedENIs: "1", preferencePolicy: Respect, featureGates: { nodeRepair: true }, batchMaxDuration: 10s }
controller: { env: [{ name: SCHEDULER_CONFIG, value: "{}" }], resources: { requests: { cpu: 1 } } }
`,
    'scheduler.yaml': `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles: [{ schedulerName: default-scheduler, pluginConfig: [{ name: PodTopologySpread, args: { defaultingType: List, defaultConstraints: [{ maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: ScheduleAnyway }] } }] }]
`,
    'baseline.json':
      '{ "schemaVersion": "1", "findings": [{ "rule": "KARP-401", "severity": "warning", "kind": "Deployment", "namespace": "default", "name": "web", "path": "spec" }] }',
    'all.yaml': `${POOLS}---\n${WEB.replace('kind: Deployment\nmetadata: {', 'kind: Deployment\nmetadata: { annotations: { karpenter-constructs.dev/acknowledge: "KARP-401: it is a test" },')}---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { maxUnavailable: 0, selector: { matchLabels: { app: web } } }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, minReplicas: 2, maxReplicas: 5 }
`,
  },
};

export const REPOSITORY_SEEDS: readonly Seed[] = [KUSTOMIZATIONS, ARGO_CD, FLUX, SETTINGS];
