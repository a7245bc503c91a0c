import { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';

/** What one container of a daemonset asks for. */
interface ContainerRequests {
  readonly name: string;
  readonly image: string;
  readonly cpu?: string;
  readonly memory?: string;
}

interface DaemonSetSetup {
  readonly name: string;
  readonly containers: readonly ContainerRequests[];
  /** Keeps its pods off Fargate, where daemonsets cannot run. */
  readonly notOnFargate?: boolean;
}

/** Requests as the EKS add-ons and charts ship them: they are taken from every node before any other pod is placed. */
const DAEMON_SETS: readonly DaemonSetSetup[] = [
  {
    name: 'aws-node',
    containers: [
      { name: 'aws-node', image: 'amazon-k8s-cni:v1.20.4', cpu: '25m' },
      { name: 'aws-eks-nodeagent', image: 'aws-network-policy-agent:v1.2.7', cpu: '25m' },
    ],
  },
  { name: 'kube-proxy', containers: [{ name: 'kube-proxy', image: 'kube-proxy:v1.33.5', cpu: '100m' }] },
  {
    name: 'ebs-csi-node',
    containers: [
      { name: 'ebs-plugin', image: 'aws-ebs-csi-driver:v1.51.0', cpu: '10m', memory: '40Mi' },
      { name: 'node-driver-registrar', image: 'csi-node-driver-registrar:v2.15.0', cpu: '10m', memory: '40Mi' },
      { name: 'liveness-probe', image: 'livenessprobe:v2.17.0', cpu: '10m', memory: '40Mi' },
    ],
  },
  {
    name: 'efs-csi-node',
    containers: [
      { name: 'efs-plugin', image: 'aws-efs-csi-driver:v2.1.12', cpu: '10m', memory: '40Mi' },
      { name: 'csi-driver-registrar', image: 'csi-node-driver-registrar:v2.15.0', cpu: '10m', memory: '40Mi' },
      { name: 'liveness-probe', image: 'livenessprobe:v2.17.0', cpu: '10m', memory: '40Mi' },
    ],
  },
  {
    name: 'fluent-bit',
    containers: [{ name: 'fluent-bit', image: 'aws-for-fluent-bit:2.34.0', cpu: '50m', memory: '100Mi' }],
    notOnFargate: true,
  },
];

export function addDaemonSets(scope: Construct): void {
  for (const setup of DAEMON_SETS) {
    const matchLabels = { 'app.kubernetes.io/name': setup.name };
    new ApiObject(scope, setup.name, {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: setup.name, namespace: 'kube-system' },
      spec: { selector: { matchLabels }, template: { metadata: { labels: matchLabels }, spec: podSpec(setup) } },
    });
  }
}

function podSpec({ containers, notOnFargate }: DaemonSetSetup): object {
  return {
    priorityClassName: 'system-node-critical',
    tolerations: [{ operator: 'Exists' }],
    affinity: notOnFargate ? awayFromFargate() : undefined,
    containers: containers.map(({ name, image, cpu, memory }) => ({
      name,
      image,
      resources: { requests: { cpu, memory } },
    })),
  };
}

function awayFromFargate(): object {
  const expression = { key: 'eks.amazonaws.com/compute-type', operator: 'NotIn', values: ['fargate'] };
  return {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [expression] }] },
    },
  };
}
