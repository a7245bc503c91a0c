import { check, readManifests, Root, SourceFile, withKarpenterOfRepository } from '../../../../src/validation';
import { karpenterTrace } from '../../../../src/validation/manifest/source/karpenter-trace';
import { folderOfText } from '../../../../src/validation/manifest/source/terraform/terraform-folders';
import { writtenResources } from '../../../../src/validation/manifest/source/terraform/written-resources';
import { nodeClass, nodePool } from '../../rules/judge';

const CLASS: SourceFile = { path: 'k8s/class.yaml', text: nodeClass('default', { role: 'nodes' }), isFound: true };
const POOL: SourceFile = { path: 'k8s/pool.yaml', text: nodePool('default'), isFound: true };
const terraform = (text: string, path = 'terraform/main.tf') => {
  const resources = writtenResources({ path, text }, folderOfText(path, text));
  return karpenterTrace({ path, text }, '.tf', { resources });
};
const rootOf = (...sources: SourceFile[]): Root => ({ name: 'k8s', kind: 'files', sources, notes: [] });

/** The sources of the root, with what the Terraform files say. */
function sourcesWith(files: readonly SourceFile[], roots = [rootOf(CLASS, POOL)]): readonly SourceFile[] {
  return withKarpenterOfRepository(roots, [...roots.flatMap(({ sources }) => sources), ...files])[0].sources;
}

const findingsOf = (text: string, ...ids: string[]) =>
  check(sourcesWith(terraform(text))).findings.filter(({ rule }) => ids.includes(rule));
const messagesOf = (text: string, ...ids: string[]) => findingsOf(text, ...ids).map(({ message }) => message);
const awsOf = (text: string) => readManifests(sourcesWith(terraform(text))).writtenAws!;

const TRUST = `assume_role_policy = jsonencode({ Statement = [{ Effect = "Allow", Action = "sts:AssumeRole", Principal = { Service = "ec2.amazonaws.com" } }] })`;
const ROLE = `resource "aws_iam_role" "node" {
  name = "nodes"
  ${TRUST}
}
`;
const attached = (
  policies: readonly string[],
  role = 'aws_iam_role.node.name',
) => `resource "aws_iam_role_policy_attachment" "node" {
  for_each   = toset(${JSON.stringify(policies)})
  role       = ${role}
  policy_arn = "arn:aws:iam::aws:policy/\${each.value}"
}
`;
const NEEDED = ['AmazonEKSWorkerNodePolicy', 'AmazonEKS_CNI_Policy', 'AmazonEC2ContainerRegistryPullOnly'];

describe('AWS resources in Terraform files', () => {
  test('have the policies that a literal for_each attaches', () => {
    expect(awsOf(ROLE + attached(NEEDED)).roles[0].otherPolicies).toEqual(
      NEEDED.map((name) => `arn:aws:iam::aws:policy/${name}`),
    );
    expect(messagesOf(ROLE + attached(NEEDED), 'KARP-603')).toEqual([]);
  });

  test('fail if a node role lacks the policies of a node', () => {
    expect(messagesOf(ROLE + attached(['AmazonEKS_CNI_Policy']), 'KARP-603')).toEqual([
      expect.stringContaining('has no policy to join a cluster or to pull images'),
    ]);
  });

  test.each<[string, string]>([
    [
      'a policy is known only to Terraform',
      attached(['AmazonEKS_CNI_Policy']) +
        'resource "aws_iam_role_policy_attachment" "x" {\n  role = var.role\n  policy_arn = var.policy\n}\n',
    ],
    [
      'a module gets the role',
      attached(['AmazonEKS_CNI_Policy']) +
        'module "policies" {\n  source = "./x"\n  role = aws_iam_role.node.name\n}\n',
    ],
    [
      'for_each is known only to Terraform',
      'resource "aws_iam_role_policy_attachment" "x" {\n  for_each = var.policies\n  role = aws_iam_role.node.name\n  policy_arn = each.value\n}\n',
    ],
  ])('say nothing about a node role if %s', (_, text) => {
    expect(messagesOf(ROLE + text, 'KARP-603')).toEqual([]);
  });

  test('fail if the access entry of nodes is for a role that EC2 may not assume', () => {
    const other = ROLE.replace('"node"', '"other"').replace('"nodes"', '"other"');
    const entry = (role: string, type = 'EC2_LINUX') =>
      `resource "aws_eks_access_entry" "node" {\n  cluster_name = "prod"\n  principal_arn = aws_iam_role.${role}.arn\n  type = "${type}"\n}\n`;
    const messages = (trust: string, text: string) =>
      messagesOf(ROLE + other.replace('ec2.amazonaws.com', trust) + text, 'KARP-604');
    expect(messages('pods.eks.amazonaws.com', entry('other'))).toEqual([
      expect.stringContaining(
        'for role aws_iam_role.other, which EC2 may not assume, and nodes of EC2NodeClass default',
      ),
    ]);
    expect(messages('ec2.amazonaws.com', entry('other'))).toEqual([]);
    expect(messages('pods.eks.amazonaws.com', entry('other', 'STANDARD'))).toEqual([]);
    expect(messages('pods.eks.amazonaws.com', entry('node'))).toEqual([]);
  });

  test('fail if EC2 may not assume the node role', () => {
    const text = ROLE.replace('ec2.amazonaws.com', 'eks.amazonaws.com') + attached(NEEDED);
    expect(messagesOf(text, 'KARP-603')[0]).toContain('which EC2 may not assume');
    const unknown = ROLE.replace('"ec2.amazonaws.com"', 'var.service') + attached(NEEDED);
    expect(messagesOf(unknown, 'KARP-603')).toEqual([]);
  });

  test('fail with a standard access entry, at its type', () => {
    const entry = `resource "aws_eks_access_entry" "node" {
  principal_arn = aws_iam_role.node.arn
  type          = "STANDARD"
}
`;
    const [finding, ...others] = findingsOf(ROLE + attached(NEEDED) + entry, 'KARP-604');
    expect(others).toEqual([]);
    expect(finding.location).toMatchObject({ file: 'terraform/main.tf', line: 12, column: 19 });
    expect(findingsOf(ROLE + entry.replace('aws_iam_role.node.arn', 'var.role'), 'KARP-604')).toEqual([]);
    expect(findingsOf(ROLE + entry.replace('"STANDARD"', 'var.type'), 'KARP-604')).toEqual([]);
  });

  test('never lack an access entry', () => {
    const cluster =
      'resource "aws_eks_cluster" "this" {\n  name = "prod"\n  access_config {\n    authentication_mode = "API"\n  }\n}\n';
    expect(findingsOf(cluster + ROLE + attached(NEEDED), 'KARP-604')).toEqual([]);
  });

  test.each<[string, string]>([
    ['a resource', 'resource "aws_subnet" "a" {\n  tags = { "karpenter.sh/discovery" = "prod-eu" }\n}\n'],
    ['a module', 'module "vpc" {\n  private_subnet_tags = { "karpenter.sh/discovery" = "prod-eu" }\n}\n'],
    [
      'a resource with the tags of a local',
      'locals {\n  tags = { "karpenter.sh/discovery" = "prod-eu" }\n}\nresource "aws_subnet" "a" {\n  tags = merge(local.tags, { Name = "a" })\n}\n',
    ],
  ])('fail if a node class selects another tag than that of %s', (_, text) => {
    expect(messagesOf(text, 'KARP-616')[0]).toContain('it with prod-eu');
    expect(messagesOf(text.replace('"prod-eu"', 'var.name'), 'KARP-616')).toEqual([]);
    expect(messagesOf(text.replace('prod-eu', 'demo'), 'KARP-616')).toEqual([]);
  });

  test('fail at the tags whose key is misspelt (KARP-616)', () => {
    const tags = '{ "karpenter.sh/discovry" = var.name }';
    const lines = [
      `resource "aws_security_group" "a" {\n  tags = ${tags}\n}\n`,
      `module "eks" {\n  node_security_group_tags = ${tags}\n}\n`,
    ];
    const locations = lines.map((text) =>
      findingsOf(text, 'KARP-616').map(({ location: { line, column } }) => [line, column]),
    );
    expect(locations).toEqual([[[2, 10]], [[2, 30]]]);
  });

  test('fail with a misspelt event of a rule', () => {
    const text = `resource "aws_sqs_queue" "karpenter" {
  name = "prod"
}
resource "aws_cloudwatch_event_rule" "karpenter" {
  for_each      = { spot = "EC2 Spot Interruption Warning", state = "EC2 Instance State-change Notification" }
  event_pattern = jsonencode({ source = ["aws.ec2"], "detail-type" = [each.value] })
}
resource "aws_cloudwatch_event_target" "karpenter" {
  for_each = { spot = 1, state = 2 }
  rule     = aws_cloudwatch_event_rule.karpenter[each.key].name
  arn      = aws_sqs_queue.karpenter.arn
}
`;
    expect(messagesOf(text, 'KARP-503')).toEqual([
      expect.stringContaining('rule aws_cloudwatch_event_rule.karpenter[spot] matches "EC2 Spot Interruption Warning"'),
    ]);
    expect(messagesOf(text.replace('[each.value]', 'var.types'), 'KARP-503')).toEqual([]);
  });

  test('fail with a copied target that still names the rule of the original, at the target', () => {
    const rule = (name: string, type: string) =>
      `resource "aws_cloudwatch_event_rule" "${name}" {\n  name = "x-${name}"\n  event_pattern = jsonencode({ source = ["aws.ec2"], "detail-type" = ["${type}"] })\n}\n`;
    const target = (name: string, of: string) =>
      `resource "aws_cloudwatch_event_target" "${name}" {\n  rule = ${of}\n  arn  = aws_sqs_queue.karpenter.arn\n}\n`;
    const text = (of: string) =>
      rule('spot', 'EC2 Spot Instance Interruption Warning') +
      rule('state', 'EC2 Instance State-change Notification') +
      'resource "aws_sqs_queue" "karpenter" {\n  name = "prod"\n}\n' +
      target('spot', of) +
      target('state', 'aws_cloudwatch_event_rule.state.name');
    const [finding, ...others] = findingsOf(text('aws_cloudwatch_event_rule.state.name'), 'KARP-503');
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      remedy: 'write rule = aws_cloudwatch_event_rule.spot.name',
      location: { file: 'terraform/main.tf', line: 13, column: 10 },
    });
    expect(findingsOf(text('var.rule'), 'KARP-503')).toEqual([]);
    expect(findingsOf(text('aws_cloudwatch_event_rule.spot.name'), 'KARP-503')).toEqual([]);
  });

  const controller = (policy: string) => `resource "aws_iam_role" "karpenter" {
  name = "karpenter"
  assume_role_policy = jsonencode({ Statement = [{
    Effect    = "Allow"
    Action    = "sts:AssumeRoleWithWebIdentity"
    Principal = { Federated = module.eks.oidc_provider_arn }
    Condition = { StringEquals = { "\${module.eks.oidc}:sub" = "system:serviceaccount:kube-system:karpenter" } }
  }] })
}
${policy}
resource "aws_iam_role_policy" "karpenter" {
  role   = aws_iam_role.karpenter.id
  policy = POLICY
}
`;

  test.each<[string, string]>([
    [
      'a here-document',
      controller('').replace(
        'POLICY',
        '<<-EOT\n    { "Statement": [{ "Effect": "Allow", "Action": ["ec2:*", "ssm:*", "pricing:*"], "Resource": "*" }] }\n    EOT',
      ),
    ],
    [
      'a data source',
      controller(
        'data "aws_iam_policy_document" "karpenter" {\n  statement {\n    actions = ["ec2:*", "ssm:*", "pricing:*"]\n    resources = ["*"]\n  }\n}',
      ).replace('POLICY', 'data.aws_iam_policy_document.karpenter.json'),
    ],
  ])('fail if the policy of the controller in %s lacks actions', (_, text) => {
    expect(messagesOf(text, 'KARP-601')[0]).toContain('iam:PassRole');
    expect(messagesOf(text.replace('"pricing:*"', 'var.action'), 'KARP-601')).toEqual([]);
  });

  describe('with a release of Karpenter', () => {
    const release = (values: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: karpenter, namespace: kube-system }
spec:
  chart: { spec: { chart: karpenter, version: 1.8.1, sourceRef: { kind: HelmRepository, name: karpenter } } }
  values: ${values}
`;
    const findings = (
      text: string,
      id: string,
      values = '{ settings: { clusterName: prod, interruptionQueue: queue } }',
    ) => {
      const karpenter = { path: 'k8s/karpenter.yaml', text: release(values), isFound: true };
      return check(sourcesWith(terraform(text), [rootOf(CLASS, POOL, karpenter)])).findings.flatMap((finding) =>
        finding.rule === id ? [[finding.message, finding.remedy]] : [],
      );
    };
    const CONTROLLER = `resource "aws_iam_role" "karpenter" {
  assume_role_policy = jsonencode({ Statement = [{ Effect = "Allow", Action = ["sts:AssumeRole", "sts:TagSession"], Principal = { Service = "pods.eks.amazonaws.com" } }] })
}
data "aws_iam_policy_document" "karpenter" {
  statement {
    actions   = ["ec2:CreateFleet", "ec2:RunInstances"]
    resources = ["*"]
  }
  statement {
    actions   = ["iam:PassRole"]
    resources = [aws_iam_role.node.arn]
  }
}
resource "aws_iam_role_policy" "karpenter" {
  role   = aws_iam_role.karpenter.id
  policy = data.aws_iam_policy_document.karpenter.json
}
`;
    const association = (
      namespace: string,
      account: string,
    ) => `resource "aws_eks_pod_identity_association" "karpenter" {
  cluster_name    = "prod"
  namespace       = ${namespace}
  service_account = ${account}
  role_arn        = aws_iam_role.karpenter.arn
}
`;

    test('fail with an association of another namespace or service account', () => {
      const of = (namespace: string, account: string, values?: string) =>
        findings(CONTROLLER + association(namespace, account), 'KARP-606', values);
      expect(of('"karpenter"', '"karpenter"')).toEqual([
        [
          expect.stringContaining(
            'runs as service account kube-system/karpenter, but its role is associated with karpenter/karpenter',
          ),
          'write namespace = "kube-system" in aws_eks_pod_identity_association.karpenter',
        ],
      ]);
      expect(of('"kube-system"', '"karpenter"', '{ serviceAccount: { name: other } }')[0][1]).toBe(
        'write service_account = "other" in aws_eks_pod_identity_association.karpenter',
      );
      expect(of('"kube-system"', '"karpenter"')).toEqual([]);
      expect(of('var.namespace', '"karpenter"')).toEqual([]);
    });

    test('fail if a node class has another role than the one that may be passed', () => {
      const own = association('"kube-system"', '"karpenter"');
      const node = (name: string) => own + ROLE.replace('"nodes"', `"${name}"`);
      expect(findings(CONTROLLER + node('node'), 'KARP-602')).toEqual([
        [
          expect.stringContaining('has role nodes'),
          'write spec.role: node, or allow iam:PassRole on the ARN of role nodes',
        ],
      ]);
      expect(findings(CONTROLLER + node('nodes'), 'KARP-602')).toEqual([]);
      expect(findings(CONTROLLER + node('${var.name}'), 'KARP-602')).toEqual([]);
    });

    test('fail if Karpenter may pass another role of the files, whatever the names are', () => {
      const own = association('"kube-system"', '"karpenter"');
      const wrong = CONTROLLER.replace('aws_iam_role.node.arn', 'aws_iam_role.karpenter.arn');
      expect(findings(wrong + own + ROLE, 'KARP-602')).toHaveLength(1);
      expect(findings(CONTROLLER + own + ROLE, 'KARP-602')).toEqual([]);
    });

    test('fail if the interruption events go to another queue than Karpenter reads', () => {
      const events = (name: string, kind = 'EC2 Spot Instance Interruption Warning') => `resource "aws_sqs_queue" "q" {
  name = ${name}
}
resource "aws_cloudwatch_event_rule" "q" {
  event_pattern = jsonencode({ source = ["aws.ec2"], "detail-type" = ["${kind}"] })
}
resource "aws_cloudwatch_event_target" "q" {
  rule = aws_cloudwatch_event_rule.q.name
  arn  = aws_sqs_queue.q.arn
}
`;
      expect(findings(events('"prod-karpenter"'), 'KARP-502')).toEqual([
        [
          expect.stringContaining(
            'is queue, but the interruption events of the Terraform files go to queue prod-karpenter',
          ),
          'write prod-karpenter',
        ],
      ]);
      for (const passing of [events('"queue"'), events('var.name'), events('"other"', 'AWS Health Event')])
        expect(findings(passing, 'KARP-502')).toEqual([]);
    });

    test('fail if the add-on of the VPC CNI has no addresses for the pods', () => {
      const settings = (value: string) =>
        `configuration_values = jsonencode({ env = { ENABLE_PREFIX_DELEGATION = ${value} } })`;
      const resource = (value: string) =>
        `resource "aws_eks_addon" "cni" {\n  addon_name = "vpc-cni"\n  ${settings(value)}\n}\n`;
      const module = (value: string) =>
        `module "eks" {\n  source = "terraform-aws-modules/eks/aws"\n  addons = { vpc-cni = { ${settings(value)} } }\n}\n`;
      const dense = { ...CLASS, text: nodeClass('default', { role: 'nodes', kubelet: { maxPods: 250 } }) };
      for (const written of [resource, module]) {
        const found = (value: string) =>
          check(sourcesWith(terraform(written(value)), [rootOf(dense, POOL)])).findings.filter(
            ({ rule }) => rule === 'KARP-252',
          );
        expect(found('"false"')).toHaveLength(1);
        expect(found('var.prefixes')).toEqual([]);
      }
    });

    test('fail if the policy of the queue does not let EventBridge send', () => {
      const policy = (service: string) =>
        `jsonencode({ Statement = [{ Effect = "Allow", Action = "sqs:SendMessage", Resource = "*", Principal = { Service = ${service} } }] })`;
      const queue = (inline = '') => `resource "aws_sqs_queue" "queue" {\n  name = "queue"\n${inline}}\n`;
      const separate = (service: string) =>
        `${queue()}resource "aws_sqs_queue_policy" "queue" {\n  queue_url = aws_sqs_queue.queue.url\n  policy = ${policy(service)}\n}\n`;
      const inline = (service: string) => queue(`  policy = ${policy(service)}\n`);
      for (const written of [separate, inline]) {
        expect(findings(written('"ec2.amazonaws.com"'), 'KARP-504')).toHaveLength(1);
        expect(findings(written('["events.amazonaws.com", "sqs.amazonaws.com"]'), 'KARP-504')).toEqual([]);
        expect(findings(written('var.services'), 'KARP-504')).toEqual([]);
      }
      expect(findings(queue(), 'KARP-504')).toEqual([]);
    });
  });

  test('are not read if several folders have them, except parts of modules', () => {
    const subnet = 'resource "aws_subnet" "a" {\n  tags = { "karpenter.sh/discovery" = "prod-eu" }\n}\n';
    const count = (...paths: string[]) =>
      sourcesWith(paths.flatMap((path) => terraform(subnet, path))).flatMap(
        ({ terraformResources = [] }) => terraformResources,
      ).length;
    expect([count('a/x.tf', 'a/y.tf'), count('a/x.tf', 'b/x.tf'), count('a/x.tf', 'modules/b/x.tf')]).toEqual([
      2, 0, 1,
    ]);
  });

  test('are not read if several roots have node classes', () => {
    const other = { ...CLASS, path: 'other/class.yaml' };
    const subnet = terraform('resource "aws_subnet" "a" {\n  tags = { "karpenter.sh/discovery" = "prod-eu" }\n}\n');
    const sources = sourcesWith(subnet, [rootOf(CLASS, POOL), { ...rootOf(other), name: 'other' }]);
    expect(sources.every(({ terraformResources }) => terraformResources === undefined)).toBe(true);
  });
});
