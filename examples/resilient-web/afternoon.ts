import { Chart, Yaml } from 'cdk8s';
import { check, poolInstanceTypes, SourceFile } from '../../src/validation';

/** When the report of the night is done at last: the last that happened. */
const NOON = '2026-01-05T12:00:00Z';
const MORNING = '2026-01-05T06:00:00Z';

interface NodeFacts {
  readonly name: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
}

/** What this example reads of the manifest of nginx-demo. */
interface Deployment {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: { readonly metadata: { readonly labels: Record<string, string> }; readonly spec: object };
  };
}

/**
 * The cluster as `kubectl get nodes,nodeclaims,pods -o yaml` prints it in the afternoon. The pods of nginx-demo are on
 * the nodes that Karpenter launched for them. Beside these is a node that a report filled all night: now a small API
 * server has it for itself.
 */
export function afternoon(chart: Chart, region: string): SourceFile {
  const objects = chart.toJson();
  const manifests = { path: 'nginx-demo.yaml', text: Yaml.stringify(...objects) };
  const { nodeClaims } = check([manifests], { region });
  const planned = nodeClaims.map(({ id, launch, pods }) => ({ node: { name: id, ...launch!.cheapest }, pods }));
  const reports: NodeFacts = { ...planned[0].node, name: 'web-report', instanceType: 'm6g.2xlarge' };
  const types = poolInstanceTypes([manifests], { region }).pools[0].types;
  const nginx = (objects as Deployment[]).find(({ kind }) => kind === 'Deployment')!;
  const amountsOf = ({ instanceType }: NodeFacts) => {
    const { capacity, allocatable } = types.find(({ name }) => name === instanceType)!;
    return { capacity, allocatable };
  };
  return {
    path: 'afternoon.yaml',
    text: Yaml.stringify(
      ...[...planned.map(({ node }) => node), reports].flatMap((node) => [
        nodeObject(node, amountsOf(node)),
        nodeClaim(node),
      ]),
      ...planned.flatMap(({ node, pods }) =>
        pods.map((pod) => podObject(pod.split('/')[1], node, nginx.metadata.name, nginx.spec.template)),
      ),
      podObject('api-0', reports, 'api', API),
    ),
  };
}

const API = {
  metadata: { labels: { app: 'api' } },
  spec: { containers: [{ name: 'api', image: 'api', resources: { requests: { cpu: '1500m', memory: '2Gi' } } }] },
};

function nodeObject({ name, instanceType, zone, capacityType }: NodeFacts, amounts: object): object {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      creationTimestamp: MORNING,
      labels: {
        'karpenter.sh/nodepool': 'web',
        'karpenter.sh/registered': 'true',
        'karpenter.sh/initialized': 'true',
        'karpenter.sh/capacity-type': capacityType,
        'kubernetes.io/hostname': name,
        'node.kubernetes.io/instance-type': instanceType,
        'topology.kubernetes.io/zone': zone,
      },
    },
    spec: { providerID: `aws:///${zone}/i-${name}` },
    status: amounts,
  };
}

function nodeClaim({ name, zone }: NodeFacts): object {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name, creationTimestamp: MORNING, labels: { 'karpenter.sh/nodepool': 'web' } },
    spec: {
      expireAfter: '720h',
      requirements: [],
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'web' },
    },
    status: {
      nodeName: name,
      providerID: `aws:///${zone}/i-${name}`,
      conditions: [{ type: 'Initialized', status: 'True', lastTransitionTime: MORNING }],
      lastPodEventTime: NOON,
    },
  };
}

function podObject(name: string, node: NodeFacts, workload: string, template: Deployment['spec']['template']): object {
  const [hash, ofReplicaSet] = ['5d9c7', `${workload}-5d9c7`];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: name.replace(workload, ofReplicaSet),
      namespace: 'default',
      labels: { ...template.metadata.labels, 'pod-template-hash': hash },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: ofReplicaSet }],
    },
    spec: { ...template.spec, nodeName: node.name },
    status: { phase: 'Running', startTime: MORNING, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}
