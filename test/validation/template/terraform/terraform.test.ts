import { CONTROLLER_POLICY, karpenterPlan, NODE_CLASS, NODE_POOL } from './karpenter-plan';
import { plan, state } from './plan';
import { check, readManifests, rootsOf, withKarpenterOfRepository, withSharedPools } from '../../../../src/validation';
import { isActionAllowed } from '../../../../src/validation/template';

const file = (raw: object) => ({ path: 'plan.json', text: JSON.stringify(raw) });
const WEB = {
  path: 'web.yaml',
  text: `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: main, image: web, resources: { requests: { cpu: "1", memory: 1Gi } } }] }
`,
};
const CONTROLLER = 'module.karpenter.aws_iam_role.controller[0]';
const AGENT = 'module.eks.aws_eks_addon.before_compute["eks-pod-identity-agent"]';
const CHART = 'helm_release.karpenter';

function awsOf(raw: object) {
  return readManifests([file(raw)]).aws;
}

function controllerOf(raw: object) {
  return awsOf(raw).roles.find(({ resource }) => resource.object.name === CONTROLLER)!;
}

function findings(raw: object, ...rules: string[]) {
  return check([file(raw), WEB]).findings.filter(({ rule }) => rules.includes(rule));
}

describe('a plan of the module karpenter', () => {
  test('plans the workloads beside it with its NodePools, in the region of the provider', () => {
    const { summary, nodePools, assumptions } = check([file(karpenterPlan()), WEB]);
    expect(summary).toMatchObject({ pods: 2, scheduledPods: 2, errors: 0 });
    expect(nodePools.map(({ name }) => name)).toEqual(['default']);
    expect(assumptions.join('\n')).toContain('prices of eu-west-1');
    expect(assumptions.join('\n')).toContain('Karpenter is 1.6.0');
  });

  test('attaches policies by references, if names and ARNs are known only after the apply', () => {
    expect(isActionAllowed(controllerOf(karpenterPlan()), 'sqs:ReceiveMessage')).toBe('yes');
    expect(controllerOf(karpenterPlan()).policies.map(({ resource }) => resource.object.name)).toEqual([
      'module.karpenter.aws_iam_policy.controller[0]',
    ]);
    const node = awsOf(karpenterPlan()).roles.find(({ name }) => name === 'shop')!;
    expect(node.otherPolicies).toContain('arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy');
  });

  test('gives the queue the policy of a data source, and the targets of its rules', () => {
    const { queues, eventRules } = awsOf(karpenterPlan());
    expect(queues.map(({ name, arn }) => [name, arn])).toEqual([
      ['Karpenter-shop', 'arn:aws:sqs:eu-west-1:111122223333:Karpenter-shop'],
    ]);
    expect(queues[0].statements!.map(({ resources }) => resources)).toEqual([[queues[0].arn]]);
    expect(eventRules.map(({ targets }) => targets)).toEqual(eventRules.map(() => [queues[0].arn]));
  });

  test('has findings with the address, the attribute, and remedies in the words of Terraform', () => {
    const [finding] = findings(karpenterPlan({ without: [AGENT] }), 'KARP-615');
    expect(finding).toMatchObject({
      subject: { kind: 'resource', name: 'module.karpenter.aws_eks_pod_identity_association.karpenter[0]' },
      location: { file: 'plan.json', path: 'cluster_name', resource: expect.stringContaining('module.karpenter.') },
      remedy: expect.stringContaining('addon_name = "eks-pod-identity-agent"'),
    });
  });

  test.each<[string, string, object]>([
    [
      'KARP-503',
      'a rule that is missing',
      {
        without: ['rule', 'target'].map(
          (part) => `module.karpenter.aws_cloudwatch_event_${part}.this["spot_interrupt"]`,
        ),
      },
    ],
    ['KARP-504', 'a queue policy that is missing', { without: ['module.karpenter.aws_sqs_queue_policy.this[0]'] }],
    [
      'KARP-604',
      'an access entry that is missing',
      {
        without: ['module.karpenter.aws_eks_access_entry.node[0]'],
        change: {
          'module.eks.aws_eks_cluster.this[0]': {
            values: { name: 'shop', version: '1.33', access_config: [{ authentication_mode: 'API' }] },
          },
        },
      },
    ],
    [
      'KARP-506',
      'notices that are kept for days',
      {
        change: {
          'module.karpenter.aws_sqs_queue.this[0]': {
            values: { name: 'Karpenter-shop', message_retention_seconds: 345600 },
          },
        },
      },
    ],
  ])('%s finds %s', (rule, _, change) => {
    expect(findings(karpenterPlan(), rule)).toEqual([]);
    expect(findings(karpenterPlan(change), rule)).not.toEqual([]);
  });
});

describe('what is known only after the apply', () => {
  test('a manifest: no NodePool is missed', () => {
    const raw = karpenterPlan({ change: { 'kubectl_manifest.node_pool': { values: {}, unknown: ['yaml_body'] } } });
    const { summary, findings: all } = check([file(raw), WEB]);
    expect(summary.scheduledPods).toBe(0);
    expect(all.filter(({ rule, severity }) => rule === 'KARP-003' && severity === 'error')).toEqual([]);
  });

  test('values of the chart: its settings are not evaluated', () => {
    const raw = karpenterPlan({
      change: {
        [CHART]: {
          unknown: { values: [true] },
          values: {
            name: 'karpenter',
            namespace: 'kube-system',
            chart: 'karpenter',
            repository: 'oci://public.ecr.aws/karpenter',
            version: '1.6.0',
            values: [null],
          },
        },
      },
    });
    expect(awsOf(raw).helmReleases[0]).toMatchObject({ version: '1.6.0', values: undefined });
    expect(findings(raw, 'KARP-501', 'KARP-502')).toEqual([]);
  });

  test('the role of a policy: permissions are neither missed nor assumed', () => {
    const raw = karpenterPlan({
      change: {
        'module.karpenter.aws_iam_role_policy_attachment.controller[0]': {
          references: { role: ['local.role'], policy_arn: ['local.arn'] },
        },
      },
    });
    expect(isActionAllowed(controllerOf(raw), 'sqs:ReceiveMessage')).toBe('unknown');
  });

  test('a value in the object of kubernetes_manifest', () => {
    const spec = { ...NODE_CLASS.spec, role: null };
    const raw = plan({
      resources: [
        {
          address: 'kubernetes_manifest.class',
          values: { manifest: { ...NODE_CLASS, spec } },
          unknown: {
            manifest: { apiVersion: false, metadata: {}, spec: { role: true, amiSelectorTerms: [{}] } },
            object: true,
          },
        },
      ],
    });
    const { nodeClasses, problems } = readManifests([file(raw)]);
    expect(nodeClasses[0].facts).toMatchObject({ name: 'default' });
    expect(nodeClasses[0].object.raw.spec!.role).toContain('kubernetes_manifest.class.manifest.spec.role');
    expect(problems).toEqual([]);
  });

  test.each([
    ['a local value, which a plan does not have', ['local.cluster'], []],
    ['a resource of the same file', ['aws_vpc.main.id', 'aws_vpc.main'], ['KARP-911']],
  ])('the order, if the chart refers to %s', (_, references, rules) => {
    const raw = karpenterPlan({ change: { [CHART]: { dependsOn: [], references: { values: references } } } });
    expect(findings(raw, 'KARP-911').map(({ rule }) => rule)).toEqual(rules);
    for (const { remedy } of findings(raw, 'KARP-911')) expect(remedy).toBe('write depends_on = [module.karpenter]');
  });
});

describe('helm_release', () => {
  const chart = (values: object) => ({
    resources: [
      {
        address: 'helm_release.karpenter',
        values: {
          name: 'karpenter',
          namespace: 'kube-system',
          chart: 'oci://public.ecr.aws/karpenter/karpenter',
          ...values,
        },
      },
    ],
  });

  test('has the values of all texts and of set, in this order', () => {
    const { helmReleases } = awsOf(
      plan(
        chart({
          values: ['settings: { clusterName: a, isolatedVPC: true }', 'settings: { clusterName: b }\nreplicas: null\n'],
          set: [
            { name: 'settings.interruptionQueue', value: 'queue', type: null },
            { name: 'controller.resources.requests.cpu', value: '1' },
            {
              name: 'serviceAccount.annotations.eks\\.amazonaws\\.com/role-arn',
              value: 'arn:aws:iam::1:role/x',
              type: 'string',
            },
            { name: 'tolerations[0].key', value: 'system' },
          ],
          set_list: [{ name: 'topologySpreadConstraints', value: [] }],
        }),
      ),
    );
    expect(JSON.parse(JSON.stringify(helmReleases[0].values))).toEqual({
      settings: { clusterName: 'b', isolatedVPC: true, interruptionQueue: 'queue' },
      controller: { resources: { requests: { cpu: 1 } } },
      serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/x' } },
      tolerations: [{ key: 'system' }],
      topologySpreadConstraints: [],
    });
  });

  test.each([
    ['an exact version', '1.6.0', '1.6.0'],
    ['a range', '~> 1.6', undefined],
  ])('with %s', (_, version, expected) => {
    expect(awsOf(plan(chart({ version }))).helmReleases[0].version).toBe(expected);
  });

  test('of other charts, and workloads of the provider kubernetes, are a line each', () => {
    const release = (name: string) => ({ address: `helm_release.${name}`, values: { name, chart: name } });
    const raw = plan({
      resources: [
        release('cilium'),
        release('argo-cd'),
        release('karpenter'),
        { address: 'kubernetes_deployment_v1.web', values: {} },
      ],
    });
    const notes = readManifests([file(raw)]).problems.map(({ severity, message }) => [severity, message]);
    expect(notes).toEqual([
      ['info', '2 helm_releases, whose pods are not planned: cilium and argo-cd'],
      [
        'info',
        '1 workload of the Terraform provider kubernetes, whose pods are not planned: kubernetes_deployment_v1.web',
      ],
    ]);
  });
});

test('the chart of CRDs is not Karpenter, though its repository ends with this name', () => {
  const crds = {
    address: 'helm_release.karpenter_crd',
    values: {
      name: 'karpenter-crd',
      chart: 'karpenter-crd',
      repository: 'oci://public.ecr.aws/karpenter',
      version: '1.6.0',
    },
  };
  const change = { [CHART]: { dependsOn: ['module.karpenter', 'helm_release.karpenter_crd'] } };
  const { assumptions } = check([file(karpenterPlan({ extra: [crds], change })), WEB]);
  expect(assumptions.join('\n')).toContain('Karpenter is 1.6.0');
  expect(findings(karpenterPlan({ extra: [crds], change }), 'KARP-909')).toEqual([]);
});

describe('a state', () => {
  const ROLE = 'arn:aws:iam::111122223333:role/KarpenterController-2025';
  const STATE = state([
    {
      address: 'module.karpenter.aws_iam_role.controller[0]',
      values: {
        name: 'KarpenterController-2025',
        arn: ROLE,
        path: '/',
        managed_policy_arns: ['arn:aws:iam::111122223333:policy/c'],
        assume_role_policy: '{"Statement":[]}',
      },
    },
    {
      address: 'module.karpenter.aws_iam_policy.controller[0]',
      values: { name: 'c', arn: 'arn:aws:iam::111122223333:policy/c', policy: CONTROLLER_POLICY },
    },
    {
      address: 'aws_iam_role_policy_attachment.c',
      values: { role: 'KarpenterController-2025', policy_arn: 'arn:aws:iam::111122223333:policy/c' },
    },
    {
      address: 'aws_sqs_queue.q',
      values: {
        name: 'q',
        arn: 'arn:aws:sqs:eu-north-1:111122223333:q',
        url: 'https://sqs.eu-north-1.amazonaws.com/111122223333/q',
      },
    },
    {
      address: 'aws_sqs_queue_policy.q',
      values: {
        queue_url: 'https://sqs.eu-north-1.amazonaws.com/111122223333/q',
        policy: '{"Statement":[{"Effect":"Allow","Action":"sqs:SendMessage","Principal":"*","Resource":"*"}]}',
      },
    },
    {
      address: 'aws_subnet.a',
      values: {
        id: 'subnet-1',
        availability_zone: 'eu-north-1a',
        tags: { Name: 'a' },
        tags_all: { Name: 'a', team: 'x' },
        vpc_id: 'vpc-1',
      },
    },
    { address: 'aws_ec2_tag.a', values: { resource_id: 'subnet-1', key: 'karpenter.sh/discovery', value: 'shop' } },
    {
      address: 'kubectl_manifest.pool',
      values: { yaml_body: `${NODE_POOL}---\n${JSON.stringify(NODE_CLASS)}\n` },
      dependsOn: ['aws_sqs_queue.q'],
    },
  ]);

  test('has names and ARNs, and the account and region that they name', () => {
    const { roles, queues, subnets } = awsOf(STATE);
    expect(roles.map(({ arn, policies, resource }) => [arn, policies.length, resource.account])).toEqual([
      [ROLE, 1, '111122223333'],
    ]);
    expect(queues.map(({ arn, statements, resource }) => [arn, statements!.length, resource.region])).toEqual([
      ['arn:aws:sqs:eu-north-1:111122223333:q', 1, 'eu-north-1'],
    ]);
    expect(subnets[0]).toMatchObject({ name: 'subnet-1', tags: { team: 'x', 'karpenter.sh/discovery': 'shop' } });
  });

  test('in its internal format is named, with the command that prints it', () => {
    const text = JSON.stringify({ version: 4, terraform_version: '1.13.4', lineage: 'x', resources: [] });
    expect(readManifests([{ path: 'terraform.tfstate', text }]).problems).toMatchObject([
      { severity: 'info', remedy: expect.stringContaining('terraform show -json') },
    ]);
  });

  test('has all documents of a manifest', () => {
    const { nodePools, nodeClasses, aws } = readManifests([file(STATE)]);
    expect([...nodePools, ...nodeClasses].map(({ object }) => object.kind)).toEqual(['NodePool', 'EC2NodeClass']);
    expect([...aws.manifests[0].resource.dependsOn]).toEqual(['plan/aws_sqs_queue.q']);
  });
});

describe('files beside a plan', () => {
  const TF = {
    path: 'infra/karpenter.tf',
    text: `---\n${NODE_POOL.replace('[amd64]', '["${var.arch}"]')}`,
    isFound: true,
  };
  const POOL = {
    path: 'k8s/pool.yaml',
    text: NODE_POOL.replace('name: default\nspec', 'name: "default"\nspec'),
    isFound: true,
  };
  const found = { ...file(karpenterPlan()), isFound: true };

  test('Terraform files, and manifests that the plan applies, are left out', () => {
    const { summary, nodePools, findings: all } = check([found, TF, POOL, WEB]);
    expect(summary).toMatchObject({ scheduledPods: 2 });
    expect(nodePools).toHaveLength(1);
    expect(all.filter(({ rule }) => ['KARP-002', 'KARP-009'].includes(rule))).toEqual([]);
    expect(rootsOf([found, TF, POOL, { ...WEB, isFound: true }]).map(({ name }) => name)).toEqual(['.']);
  });

  test('are planned with its NodePools, though they are another root', () => {
    const files = [
      found,
      { path: 'app/kustomization.yaml', text: 'resources: [web.yaml]\n', isFound: true },
      { ...WEB, path: 'app/web.yaml', isFound: true },
    ];
    const verdicts = withKarpenterOfRepository(withSharedPools(rootsOf(files)), files).map(
      ({ name, sources }) => [name, check(sources)] as const,
    );
    const [, app] = verdicts.find(([name]) => name === 'app')!;
    expect(app.summary).toMatchObject({ pods: 2, scheduledPods: 2 });
    expect(app.assumptions.join('\n')).toContain('Karpenter is 1.6.0');
    expect(app.findings.filter(({ subject }) => subject.kind === 'resource')).toEqual([]);
  });
});

test('no line of a plan is shown, because secrets may be on it', () => {
  const text = JSON.stringify(karpenterPlan({ without: [AGENT] }), null, 2);
  const all = check([{ path: 'plan.json', text }, WEB]).findings.filter(
    ({ location }) => location.file === 'plan.json',
  );
  expect(all.length).toBeGreaterThan(1);
  expect(all.filter(({ excerpt }) => excerpt !== undefined)).toEqual([]);
});

describe('hostile plans', () => {
  test('end, whatever they nest and refer to', () => {
    let module: object = { resources: [] };
    for (let i = 0; i < 90; i++) module = { address: 'module.a', child_modules: [module], resources: [] };
    const references = ['module.a.x', 'var.x', 'var.__proto__', 'module.__proto__.x', '[[[', '.', ''];
    const calls = {
      a: { expressions: { x: { references } }, module: { outputs: { x: { expression: { references } } } } },
    };
    const raw = {
      format_version: '1.2',
      planned_values: {
        root_module: {
          resources: [
            {
              address: 'aws_iam_role.x',
              type: 'aws_iam_role',
              name: 'x',
              mode: 'managed',
              values: { name: 7, __proto__: null },
            },
            {
              address: 'aws_iam_role_policy_attachment.x',
              type: 'aws_iam_role_policy_attachment',
              name: 'x',
              values: 'x',
            },
            { address: 'kubectl_manifest.x', type: 'kubectl_manifest', name: 'x', values: { yaml_body: '{{{' } },
            {
              address: 'helm_release.x',
              type: 'helm_release',
              name: 'x',
              values: { chart: 'karpenter', values: [7], set: ['x', { name: '[[', value: {} }] },
            },
            null,
            { address: {}, type: 'aws_iam_role', name: [] },
          ],
          child_modules: [module, 7],
        },
      },
      resource_changes: [{ address: 'aws_iam_role_policy_attachment.x', change: { after_unknown: { role: true } } }, 7],
      configuration: {
        root_module: {
          module_calls: calls,
          resources: [{ type: 'aws_iam_role_policy_attachment', name: 'x', expressions: { role: { references } } }],
        },
      },
    };
    const { aws } = readManifests([file(raw)]);
    expect(aws.roles).toHaveLength(1);
    expect(aws.opaque.map(({ object }) => object.name)).toEqual(['kubectl_manifest.x']);
  });

  test('give objects no prototype', () => {
    const text = JSON.stringify(
      plan({
        resources: [
          {
            address: 'kubernetes_manifest.x',
            values: { manifest: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', KEY: { polluted: 'yes' } } } },
          },
        ],
      }),
    );
    const { objects } = readManifests([{ path: 'plan.json', text: text.replace('KEY', '__proto__') }]);
    expect(objects[0].raw.metadata!.polluted).toBeUndefined();
  });
});
