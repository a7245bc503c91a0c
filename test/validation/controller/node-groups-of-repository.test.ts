import { check, Root, withKarpenterOfRepository } from '../../../src/validation';
import { karpenterTrace } from '../../../src/validation/manifest/source/karpenter-trace';
import { folderOfText } from '../../../src/validation/manifest/source/terraform/terraform-folders';
import { writtenNodeGroups } from '../../../src/validation/manifest/source/terraform/written-node-groups';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../setup';

const writtenGroups = (text: string) => writtenNodeGroups({ path: 'eks.tf', text }, folderOfText('eks.tf', text));
const groupsOf = (text: string) => writtenGroups(text).map(({ place, ...group }) => group);

describe('node groups in Terraform', () => {
  test('are those of resources, with labels and taints', () => {
    const text = `resource "aws_eks_node_group" "system" {
  labels = { role = "core" }
  taint {
    key    = "role"
    value  = "core"
    effect = "NO_SCHEDULE"
  }
}
`;
    const taints = [{ key: 'role', value: 'core', effect: 'NoSchedule' }];
    expect(groupsOf(text)).toEqual([{ name: 'system', labels: { role: 'core' }, taints }]);
  });

  test('have places, and the number of nodes that they start with', () => {
    const text = `resource "aws_eks_node_group" "a" {
  scaling_config {
    desired_size = 3
    min_size     = 1
  }
}
module "eks" {
  eks_managed_node_group_defaults = { min_size = 2 }
  eks_managed_node_groups         = { b = {}, c = { min_size = var.least } }
}
`;
    expect(writtenGroups(text).map(({ name, nodes, place }) => [name, nodes, place?.line])).toEqual([
      ['a', 3, 1],
      ['b', 2, 9],
      ['c', undefined, 9],
    ]);
  });

  test('are those of modules, by name or in a list', () => {
    const text = `module "eks" {
  eks_managed_node_groups = {
    base = { instance_types = ["t3.medium"] }
    gpu  = { labels = { team = "ml" }, taints = { gpu = { key = "gpu", effect = "NO_EXECUTE" } } }
  }
}
module "other" {
  node_groups = [{ name = "first", taints = [] }]
}
`;
    expect(groupsOf(text)).toEqual([
      { name: 'base', labels: {}, taints: [] },
      { name: 'gpu', labels: { team: 'ml' }, taints: [{ key: 'gpu', effect: 'NoExecute' }] },
      { name: 'first', labels: {}, taints: [] },
    ]);
  });

  test('are those of modules for one group', () => {
    const text = `module "system" {
  source = "terraform-aws-modules/eks/aws//modules/eks-managed-node-group"
  labels = { role = "core" }
  taints = var.taints
}
`;
    expect(groupsOf(text)).toEqual([{ name: 'system', labels: { role: 'core' } }]);
  });

  test('have no labels and taints if only Terraform knows them', () => {
    const text = `resource "aws_eks_node_group" "this" {
  for_each = var.groups
  labels   = each.value.labels
  dynamic "taint" {
    for_each = each.value.taints
  }
}
module "eks" {
  node_groups = var.groups
}
`;
    expect(groupsOf(text)).toEqual([{ name: 'this' }, { name: 'node_groups' }]);
  });

  test.each(['# aws_eks_node_group is not used\n', 'module "eks" {\n  eks_managed_node_groups = {}\n}\n'])(
    'are none in %j',
    (text) => {
      expect(groupsOf(text)).toEqual([]);
    },
  );
});

describe('pods that no NodePool accepts', () => {
  const TAINTS = '      taints: [{ key: team, value: data, effect: NoSchedule }]\n';
  const POOLS = [NODE_CLASS, nodePool(['m5.large']).replace('      nodeClassRef:', `${TAINTS}      nodeClassRef:`)];
  const severities = (groups: string, pod = '', resources = SMALL) => {
    const text = [...POOLS, deployment('web', 2, resources, pod)].join('---\n');
    const source = { path: 'apps/all.yaml', text, isFound: true };
    const root: Root = { name: 'apps', kind: 'files', sources: [source], notes: [] };
    const eks = { path: 'eks.tf', text: groups, isFound: true };
    const trace = karpenterTrace(eks, '.tf', { nodeGroups: groupsOf(groups) });
    const [{ sources }] = withKarpenterOfRepository([root], [source, ...trace]);
    const { findings, unschedulable, notEvaluated } = check(sources);
    return {
      rules: findings.flatMap(({ rule, severity }) =>
        ['KARP-106', 'KARP-211', 'KARP-213', 'KARP-402'].includes(rule) ? [`${rule} ${severity}`] : [],
      ),
      pending: unschedulable.length,
      elsewhere: notEvaluated.length,
    };
  };
  const GROUP = 'module "eks" {\n  eks_managed_node_groups = { base = { labels = { role = "core" } } }\n}\n';
  const PENDING = { rules: ['KARP-211 error'], pending: 2, elsewhere: 0 };
  const ELSEWHERE = { rules: ['KARP-211 info'], pending: 0, elsewhere: 2 };

  test('are a warning without a node group, because Karpenter itself runs on nodes that the input lacks', () => {
    const { rules, ...counts } = severities('');
    expect(counts).toEqual({ pending: 2, elsewhere: 0 });
    expect(rules.filter((rule) => !rule.endsWith(' info'))).toEqual(['KARP-211 warning']);
  });

  test('are an error without a node group if they are for a NodePool', () => {
    const { rules } = severities('', '      nodeSelector: { karpenter.sh/nodepool: default }\n');
    expect(rules).toEqual(expect.arrayContaining(PENDING.rules));
  });

  test.each([
    ['without constraints', ''],
    ['that select its label', '      nodeSelector: { role: core }\n'],
  ])('are a note with a node group that may run them: pods %s', (_, pod) => {
    const { rules, ...counts } = severities(GROUP, pod);
    expect(counts).toEqual({ pending: 0, elsewhere: 2 });
    expect(rules.filter((rule) => !rule.endsWith(' info'))).toEqual([]);
  });

  test('are a note with a node group whose labels only Terraform knows', () => {
    const { rules, elsewhere } = severities(
      'module "eks" {\n  node_groups = var.groups\n}\n',
      '      nodeSelector: { role: core }\n',
    );
    expect(elsewhere).toBe(2);
    expect(rules.filter((rule) => !rule.endsWith(' info'))).toEqual([]);
  });

  test.each([
    ['another value of its label', '      nodeSelector: { role: batch }\n', SMALL],
    ['a NodePool', '      nodeSelector: { karpenter.sh/nodepool: default }\n', SMALL],
    ['a GPU', '', 'cpu: 1, nvidia.com/gpu: 1 }, limits: { nvidia.com/gpu: 1'],
  ])('are an error if they ask for %s', (_, pod, resources) => {
    const { rules, pending } = severities(GROUP, pod, resources);
    expect(pending).toBe(2);
    expect(rules.join()).toContain(' error');
  });

  test('have no finding twice', () => {
    expect(severities(GROUP).rules).toEqual(['KARP-402 info', ...ELSEWHERE.rules]);
  });
});
