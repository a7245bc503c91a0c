import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';

/** What buffers keep room for. */
export interface Workloads {
  readonly webServer: ApiObject;
  readonly importTemplate: ApiObject;
}

/** Says that the image is built for both, so that the pods may also run on the arm64 nodes of the system pool. */
const FOR_BOTH_ARCHITECTURES = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [
        { matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'] }] },
      ],
    },
  },
};

/** One workload for each kind of node. */
export function addWorkloads(scope: Construct): Workloads {
  const matchLabels = { app: 'web' };
  const webServer = new ApiObject(scope, 'WebServer', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 10,
      selector: { matchLabels },
      template: {
        metadata: { labels: matchLabels },
        spec: { ...pod('web', { cpu: '900m', memory: '2Gi' }), affinity: FOR_BOTH_ARCHITECTURES },
      },
    },
  });
  addJob(
    scope,
    'training',
    { cpu: '80', memory: '900Gi', 'nvidia.com/gpu': '8' },
    { key: 'nvidia.com/gpu', value: 'true', effect: 'NoSchedule' },
  );
  addJob(
    scope,
    'sandbox',
    { cpu: '4', memory: '8Gi' },
    { key: 'example.com/sandbox', operator: 'Exists', effect: 'NoExecute' },
  );
  const importTemplate = new ApiObject(scope, 'Import', {
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name: 'import' },
    template: { spec: pod('import', { cpu: '2', memory: '4Gi' }) },
  });
  return { webServer, importTemplate };
}

type Requests = Readonly<Record<string, string>>;

function addJob(scope: Construct, name: string, requests: Requests, toleration: object): void {
  const spec = {
    ...pod(name, requests),
    restartPolicy: 'Never',
    nodeSelector: { 'karpenter.sh/nodepool': name },
    tolerations: [toleration],
  };
  new ApiObject(scope, `${name}-job`, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name },
    spec: { template: { spec } },
  });
}

/** Extended resources have to have limits, and memory should. */
function pod(name: string, requests: Requests): object {
  const { cpu, ...limits } = requests;
  return { containers: [{ name, image: `registry.example.com/${name}:1.4.2`, resources: { requests, limits } }] };
}
