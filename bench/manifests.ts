import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replicasOf, SIZES } from './workload';

export const DEPLOYMENTS = 200;

export interface ManifestFolders {
  /** One file with a NodePool and its class, one with two Deployments, as in a small repository. */
  readonly twoFiles: string;
  /** The pods as 200 Deployments. */
  readonly deployments: string;
  /** The pods as bare Pods: a file of several megabytes. */
  readonly barePods: string;
}

/** Writes the manifests to a new temporary folder. The caller deletes `root`. */
export function writeManifests(pods: number): { readonly root: string; readonly folders: ManifestFolders } {
  const root = mkdtempSync(join(tmpdir(), 'karpenter-bench-'));
  const write = (folder: string, workloads: string[]): string => {
    writeFileSync(join(root, `${folder}-pool.yaml`), POOL);
    writeFileSync(join(root, `${folder}-workloads.yaml`), workloads.join('---\n'));
    return folder;
  };
  const names: ManifestFolders = {
    twoFiles: write('two-files', [deployment(3, 2), deployment(20, 4)]),
    deployments: write(
      'deployments',
      Array.from({ length: DEPLOYMENTS }, (_, at) => deployment(at, replicasOf(at, pods, DEPLOYMENTS))),
    ),
    barePods: write(
      'bare-pods',
      Array.from({ length: pods }, (_, index) => barePod(index)),
    ),
  };
  return { root, folders: names };
}

const POOL = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: default
spec:
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
      requirements:
        - { key: karpenter.sh/capacity-type, operator: In, values: [spot, on-demand] }
---
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata:
  name: default
spec:
  role: KarpenterNodeRole
  amiSelectorTerms: [{ alias: al2023@v20260101 }]
  subnetSelectorTerms: [{ tags: { karpenter.sh/discovery: bench } }]
  securityGroupSelectorTerms: [{ tags: { karpenter.sh/discovery: bench } }]
`;

function container(size: number): string {
  const { cpu, memory } = SIZES[size % SIZES.length];
  return `{ name: app, image: app:1, resources: { requests: { cpu: ${cpu}, memory: ${memory} }, limits: { memory: ${memory} } } }`;
}

function deployment(size: number, replicas: number): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: app-${size}, namespace: default }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: app-${size} } }
  template:
    metadata: { labels: { app: app-${size} } }
    spec:
      containers:
        - ${container(size)}
`;
}

function barePod(index: number): string {
  return `apiVersion: v1
kind: Pod
metadata: { name: pod-${index}, namespace: default }
spec:
  containers:
    - ${container(index)}
`;
}
