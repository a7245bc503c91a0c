import { check, CheckOptions, SourceFile } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool } from '../setup';

const EKS: CheckOptions = { systemDaemonSets: 'eks' };
/** An m7i.2xlarge has 7.91 CPUs for pods. */
const POOL = nodePool(['m7i.2xlarge']);
const FULL = deployment('web', 1, 'cpu: 7910m, memory: 8Gi');
const FULL_BESIDE_EKS = deployment('web', 1, 'cpu: 7760m, memory: 8Gi');

function daemonSet(name: string, cpu: string): string {
  return `apiVersion: apps/v1
kind: DaemonSet
metadata: { name: ${name}, namespace: kube-system }
spec:
  selector: { matchLabels: { k8s-app: ${name} } }
  template:
    metadata: { labels: { k8s-app: ${name} } }
    spec:
      tolerations: [{ operator: Exists }]
      containers: [{ name: main, image: i, resources: { requests: { cpu: ${cpu} } } }]
`;
}

function assumption(sources: readonly SourceFile[], options: CheckOptions = EKS): string | undefined {
  return check(sources, options).assumptions.find((sentence) => sentence.includes('as EKS installs'));
}

describe('the DaemonSets of EKS that the input lacks', () => {
  test('take 150m of CPU from each node', () => {
    expect(check(manifests(NODE_CLASS, POOL, FULL), EKS).summary.scheduledPods).toBe(0);
    expect(check(manifests(NODE_CLASS, POOL, FULL_BESIDE_EKS), EKS).summary.scheduledPods).toBe(1);
  });

  test('take nothing without the option, and with none', () => {
    expect(check(manifests(NODE_CLASS, POOL, FULL)).summary.scheduledPods).toBe(1);
    const { summary, assumptions } = check(manifests(NODE_CLASS, POOL, FULL), { systemDaemonSets: 'none' });
    expect(summary.scheduledPods).toBe(1);
    expect(assumptions.join()).not.toContain('aws-node');
  });

  test('are named in one assumption', () => {
    expect(assumption(manifests(NODE_CLASS, POOL, FULL))).toBe(
      'aws-node and kube-proxy are not in the input: each node is assumed to run them as EKS installs them, with 150m of cpu (--system-daemonsets none leaves them out)',
    );
  });

  test('are counted by the remedy for a pod that is too large', () => {
    const { findings } = check(manifests(NODE_CLASS, POOL, FULL), EKS);
    expect(findings.find(({ rule }) => rule === 'KARP-301')?.remedy).toContain('lower cpu from 7910m to 7760m');
  });

  test('are replaced by those of the input', () => {
    const sources = manifests(NODE_CLASS, POOL, FULL_BESIDE_EKS, daemonSet('aws-node', '1m'));
    expect(assumption(sources)).toContain('kube-proxy is not in the input: each node is assumed to run it');
    const both = manifests(NODE_CLASS, POOL, FULL, daemonSet('aws-node', '0'), daemonSet('kube-proxy', '0'));
    expect(assumption(both)).toBeUndefined();
    expect(check(both, EKS).summary.scheduledPods).toBe(1);
  });

  test.each([
    [
      'a StorageClass of the EBS CSI driver',
      'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: gp3 }\nprovisioner: ebs.csi.aws.com\n',
      'ebs-csi-node',
    ],
    [
      'an add-on of eksctl',
      'apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: { name: a, region: us-east-1 }\naddons: [{ name: eks-pod-identity-agent }]\n',
      'eks-pod-identity-agent',
    ],
  ])('include that of %s', (_, object, name) => {
    expect(assumption(manifests(NODE_CLASS, POOL, FULL, object))).toContain(`kube-proxy and ${name} are not`);
  });

  test('are not assumed for an input without NodePools', () => {
    expect(assumption(manifests(FULL))).toBeUndefined();
  });

  test('are not assumed for nodes of EKS Auto Mode', () => {
    const pool = POOL.replace(
      'group: karpenter.k8s.aws, kind: EC2NodeClass',
      'group: eks.amazonaws.com, kind: NodeClass',
    );
    expect(assumption(manifests(pool, FULL))).toBeUndefined();
  });
});

describe('the DaemonSets of EKS in a cluster', () => {
  const NODE =
    'apiVersion: v1\nkind: Node\nmetadata: { name: n1 }\nstatus: { allocatable: { cpu: "2", memory: 4Gi, pods: "29" } }\n';
  const POD = `apiVersion: v1
kind: Pod
metadata: { name: aws-node-x, namespace: kube-system, ownerReferences: [{ apiVersion: apps/v1, kind: DaemonSet, name: aws-node, controller: true }] }
spec: { nodeName: n1, containers: [{ name: main, image: i }] }
`;
  const withCluster = (...objects: string[]) => ({
    ...EKS,
    cluster: [{ path: 'cluster.yaml', text: objects.join('---\n') }],
  });

  test('are assumed if its files list no DaemonSets', () => {
    const { assumptions } = check(manifests(NODE_CLASS, POOL, FULL), withCluster(NODE, POD));
    expect(assumptions.join('\n')).toContain('aws-node and kube-proxy are not in the input');
    expect(assumptions.join('\n')).not.toContain('new nodes are planned without its pods');
  });

  test('are those that its files list', () => {
    const options = withCluster(NODE, daemonSet('cilium', '100m'));
    expect(assumption(manifests(NODE_CLASS, POOL, FULL), options)).toBeUndefined();
  });
});
