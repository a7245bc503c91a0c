import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { read, ROOT } from './pages';
import { stepsOf } from '../../tools/site/walkthrough';

const files = new Map(
  stepsOf(read('docs/start/yaml.md')).flatMap((step) => (step.kind === 'file' ? [[step.path, step.text]] : [])),
);
const NODES = files.get('nodes.yaml')!.replaceAll('name: general', 'name: default');
const WEB = files.get('web.yaml')!.replace('cpu: "8"', 'cpu: 500m');
const SHOP = WEB.replace('name: web\n', 'name: web\n  namespace: shop\n').replace('replicas: 3', 'replicas: 4');
const PROVISIONERS = `apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: { name: default }
spec:
  providerRef: { name: default }
  limits: { resources: { cpu: "100" } }
`;
const NODE = `apiVersion: v1
kind: Node
metadata:
  name: ip-10-0-1-7
  labels:
    karpenter.sh/nodepool: default
    karpenter.sh/registered: "true"
    karpenter.sh/initialized: "true"
    karpenter.sh/capacity-type: on-demand
    node.kubernetes.io/instance-type: m7i.large
    topology.kubernetes.io/zone: eu-west-1a
    topology.kubernetes.io/region: eu-west-1
    kubernetes.io/arch: amd64
    kubernetes.io/os: linux
    kubernetes.io/hostname: ip-10-0-1-7
spec: { providerID: "aws:///eu-west-1a/i-0123456789abcdef0" }
status:
  capacity: { cpu: "2", memory: 8Gi, pods: "29" }
  allocatable: { cpu: 1930m, memory: 7Gi, pods: "29" }
  conditions: [{ type: Ready, status: "True" }]
`;

/** An answer of Prometheus to query_range: the replicas of the Deployment over a day. */
const REPLICAS = JSON.stringify({
  status: 'success',
  data: {
    resultType: 'matrix',
    result: [
      {
        metric: { namespace: 'shop', deployment: 'web' },
        values: [
          [1772409600, '2'],
          [1772452800, '4'],
          [1772492400, '2'],
        ],
      },
    ],
  },
});

/** The files that commands of the pages name, in the folder in which the commands are run. */
export function writeWorkspace(folder: string): void {
  const contents: Readonly<Record<string, string>> = {
    'manifests/nodes.yaml': NODES,
    'manifests/web.yaml': SHOP,
    'before/all.yaml': `${NODES}---\n${SHOP}`,
    'after/all.yaml': `${NODES}---\n${SHOP.replace('500m', '900m')}`,
    'dist/shop.k8s.yaml': `${NODES}---\n${SHOP}`,
    'repository/base/kustomization.yaml': 'resources: [nodes.yaml, web.yaml]\n',
    'repository/base/nodes.yaml': NODES,
    'repository/base/web.yaml': SHOP,
    'repository/overlays/dev/kustomization.yaml': 'resources: [../../base]\n',
    'repository/overlays/prod/kustomization.yaml': 'resources: [../../base]\n',
    'nodes.yaml': NODES,
    'web.yaml': `${NODES}---\n${WEB}`,
    'nodepools.yaml': NODES,
    'provisioners.yaml': PROVISIONERS,
    'cluster.yaml': `${NODES}---\n${NODE}`,
    'replicas.json': REPLICAS,
    'crds/README.txt': 'The folder of the CRDs of a cluster.\n',
  };
  for (const [path, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
}

export function packageScripts(): string[] {
  return Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts);
}
