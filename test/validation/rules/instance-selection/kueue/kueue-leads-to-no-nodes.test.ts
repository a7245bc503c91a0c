import { kueueLeadsToNoNodes } from '../../../../../src/validation/rules/instance-selection/kueue/kueue-leads-to-no-nodes';
import { NODE_CLASS, nodePool } from '../../../setup';
import { judge, manifest } from '../../judge';

const rule = kueueLeadsToNoNodes;
const VERSION = 'kueue.x-k8s.io/v1beta1';
const POOL = nodePool(['m5.large', 'm5.xlarge'], 'batch');

const flavor = (nodeLabels: object) => manifest(VERSION, 'ResourceFlavor', 'batch', { nodeLabels });
const clusterQueue = (name: string) =>
  manifest(VERSION, 'ClusterQueue', 'team', { resourceGroups: [{ coveredResources: ['cpu'], flavors: [{ name }] }] });
const ofFlavor = (nodeLabels: object) => judge(rule, [NODE_CLASS, POOL, flavor(nodeLabels)]);

describe('KARP-260 kueue-leads-to-no-nodes', () => {
  test.each([
    [{ 'karpenter.sh/nodepool': 'bacth' }, 'write karpenter.sh/nodepool: batch'],
    [{ 'karpenter.sh/capacity-type': 'OnDemand' }, 'write karpenter.sh/capacity-type: on-demand'],
    [{ 'node.kubernetes.io/instance-type': 'm5.lagre' }, 'write node.kubernetes.io/instance-type: m5.large'],
    [
      { 'karpenter.k8s.aws/instance-family': 'p5' },
      'write labels that the nodes of a NodePool have: karpenter.sh/nodepool: batch',
    ],
  ])('reports labels that no NodePool has: %j', (labels, remedy) => {
    const [finding] = ofFlavor(labels).findings;
    expect(finding).toMatchObject({ path: ['spec', 'nodeLabels', Object.keys(labels)[0]], remedy });
    expect(finding.message).toContain('they stay Pending');
  });

  test('passes labels of a NodePool, of a node, and of a NodePool that launches nothing for another reason', () => {
    const passed = ['pass ResourceFlavor/batch'];
    expect(ofFlavor({ 'karpenter.sh/nodepool': 'batch', 'karpenter.k8s.aws/instance-cpu': '2' }).states).toEqual(
      passed,
    );
    const broken = nodePool(['m5.lagre'], 'broken');
    const labels = { 'karpenter.sh/nodepool': 'broken' };
    expect(judge(rule, [NODE_CLASS, broken, flavor(labels)]).states).toEqual(passed);
  });

  test('warns of a quota above the limits of the NodePools that launch the nodes of the flavor', () => {
    const quota = (nominalQuota: number) => {
      const flavors = [{ name: 'batch', resources: [{ name: 'cpu', nominalQuota }] }];
      return manifest(VERSION, 'ClusterQueue', 'team', { resourceGroups: [{ coveredResources: ['cpu'], flavors }] });
    };
    const limited = POOL.replace('cpu: 1000', 'cpu: 40');
    const labels = flavor({ 'karpenter.sh/nodepool': 'batch' });
    expect(judge(rule, [NODE_CLASS, limited, labels, quota(100)]).findings).toMatchObject([
      {
        object: { kind: 'ClusterQueue' },
        severity: 'warning',
        message:
          'is 100 CPUs, and limits of NodePool batch allow nodes with 40 CPUs: Kueue admits more pods than get a node, and the rest stays Pending',
        remedy: 'write nominalQuota: 40 or less, or raise the limits of NodePool batch',
      },
    ]);
    expect(judge(rule, [NODE_CLASS, limited, labels, quota(40)]).findings).toEqual([]);
    expect(judge(rule, [NODE_CLASS, POOL.replace('cpu: 1000, ', ''), labels, quota(100)]).findings).toEqual([]);
  });

  test('is not evaluated if nodes that Karpenter does not launch may have the labels', () => {
    expect(ofFlavor({ 'example.com/rack': 'one' }).whys).toEqual([
      'nodes that Karpenter does not launch may have its labels',
    ]);
  });

  test('warns of labels that no NodePool gives, if a workload is queued for the flavor', () => {
    const local = manifest(VERSION, 'LocalQueue', 'jobs', { clusterQueue: 'team' });
    const job = (queue: string) => `apiVersion: batch/v1
kind: Job
metadata: { name: train, labels: { kueue.x-k8s.io/queue-name: ${queue} } }
spec: { template: { spec: { containers: [{ name: main, image: i }] } } }
`;
    const judged = (labels: object, queue: string) =>
      judge(rule, [NODE_CLASS, POOL, flavor(labels), clusterQueue('batch'), local, job(queue)]);
    expect(judged({ 'node-group': 'batch' }, 'jobs').findings).toMatchObject([
      {
        severity: 'warning',
        path: ['spec', 'nodeLabels', 'node-group'],
        message: expect.stringContaining('the pods of Job train stay Pending'),
        remedy: expect.stringContaining('write node-group: batch in spec.template.metadata.labels of NodePool batch'),
      },
    ]);
    expect(judged({ 'node-group': 'batch' }, 'others').findings).toEqual([]);
    expect(judged({ 'node-group': 'batch', 'kubernetes.io/arch': 'amd64' }, 'jobs').findings).toEqual([]);
  });

  test('reports a flavor or queue that does not exist, if another one has almost its name', () => {
    const local = manifest(VERSION, 'LocalQueue', 'jobs', { clusterQueue: 'teams' });
    const job = `apiVersion: batch/v1
kind: Job
metadata: { name: train, labels: { kueue.x-k8s.io/queue-name: job } }
spec: { template: { spec: { containers: [{ name: main, image: i }] } } }
`;
    expect(judge(rule, [flavor({}), clusterQueue('batsh'), local, job]).findings).toMatchObject([
      { object: { kind: 'ClusterQueue' }, remedy: 'write batch instead of batsh' },
      { object: { kind: 'LocalQueue' }, remedy: 'write team instead of teams' },
      { object: { kind: 'Job' }, path: ['metadata', 'labels', 'kueue.x-k8s.io/queue-name'] },
    ]);
    expect(judge(rule, [flavor({}), clusterQueue('batch')]).findings).toEqual([]);
    expect(judge(rule, [flavor({}), clusterQueue('reserved')]).whys).toEqual([
      'ResourceFlavor reserved is not in the input',
    ]);
  });

  describe('a LocalQueue of another namespace', () => {
    const inNamespace = (document: string, namespace: string) => {
      const object = JSON.parse(document);
      return JSON.stringify({ ...object, metadata: { ...object.metadata, namespace } });
    };
    const local = (namespace: string) =>
      inNamespace(manifest(VERSION, 'LocalQueue', 'jobs', { clusterQueue: 'team' }), namespace);
    const job = JSON.stringify({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'train', namespace: 'hpc', labels: { 'kueue.x-k8s.io/queue-name': 'jobs' } },
      spec: { template: { spec: { containers: [{ name: 'main', image: 'i' }] } } },
    });
    const judged = (...documents: string[]) => judge(rule, [flavor({}), clusterQueue('batch'), job, ...documents]);

    test('is reported, unless the namespace of the workload has one too', () => {
      expect(judged(local('research')).findings).toMatchObject([
        {
          object: { kind: 'Job' },
          message: expect.stringContaining('LocalQueue jobs, which is in namespace research and not in namespace hpc'),
          remedy: 'create LocalQueue jobs in namespace hpc, or move it there',
        },
      ]);
      expect(judged(local('research'), local('hpc')).findings).toEqual([]);
      expect(judged(local('${team}')).findings).toEqual([]);
    });

    test('is only a warning if the input has ClusterQueues and no LocalQueue', () => {
      expect(judged().findings).toMatchObject([{ severity: 'warning', object: { kind: 'Job' } }]);
      expect(judge(rule, [flavor({}), job]).outcomes).toEqual([]);
    });
  });
});
