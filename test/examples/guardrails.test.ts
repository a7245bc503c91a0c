import { Testing } from 'cdk8s';
import { GuardrailsChart } from '../../examples/guardrails/chart';
import { rejections } from '../support/guardrails';

const manifests: any[] = Testing.synth(new GuardrailsChart(Testing.app(), 'guardrails'));
const [poolPolicy, classPolicy] = manifests.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy');
const nodeClass = manifests.find(({ kind }) => kind === 'EC2NodeClass');
const nodePool = manifests.find(({ kind }) => kind === 'NodePool');

/** The NodePool with other requirements on one label, or without one. */
function withRequirement(key: string, ...changed: object[]): object {
  const pool = structuredClone(nodePool);
  const { spec } = pool.spec.template;
  spec.requirements = [...spec.requirements.filter((requirement: any) => requirement.key !== key), ...changed];
  return pool;
}

test('the guardrails accept the NodePool and the EC2NodeClass of the example', () => {
  expect(rejections(poolPolicy, nodePool)).toEqual([]);
  expect(rejections(classPolicy, nodeClass)).toEqual([]);
});

test.each<[string, object, string]>([
  ['any instance size', withRequirement('karpenter.k8s.aws/instance-cpu'), 'at most 16 CPUs'],
  [
    'spot capacity',
    withRequirement('karpenter.sh/capacity-type', {
      key: 'karpenter.sh/capacity-type',
      operator: 'In',
      values: ['spot', 'on-demand'],
    }),
    'capacity types on-demand',
  ],
  ['101 CPUs', { ...nodePool, spec: { ...nodePool.spec, limits: { cpu: 101 } } }, 'limit on cpu of at most 100'],
])('the guardrails reject the NodePool with %s, for one reason', (_, pool, message) => {
  expect(rejections(poolPolicy, pool)).toEqual([expect.stringContaining(message)]);
});

test('the team may change NodePools, and only read EC2NodeClasses', () => {
  const { rules } = manifests.find(({ kind }) => kind === 'ClusterRole');
  const verbsOn = (resource: string) => rules.find(({ resources }: any) => resources.includes(resource)).verbs;
  expect(verbsOn('nodepools')).toEqual(expect.arrayContaining(['create', 'update', 'patch', 'delete']));
  expect(verbsOn('ec2nodeclasses')).toEqual(['get', 'list', 'watch']);
  const { subjects } = manifests.find(({ kind }) => kind === 'ClusterRoleBinding');
  expect(subjects).toMatchObject([{ kind: 'Group', name: 'team-search' }]);
});
