import { check, renderJson } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';

const POOL = nodePool(['m5.large', 'm5.xlarge']);

describe('check', () => {
  test.each([
    ['web.yaml', 'warning'],
    ['tests/web.yaml', 'info'],
  ])('advice about the workload in %s is: %s', (path, severity) => {
    const [{ text }] = manifests(NODE_CLASS, POOL, deployment('web', 3, SMALL));
    expect(check([{ path, text }]).findings.filter(({ rule }) => rule === 'KARP-402')).toMatchObject([{ severity }]);
  });

  test('assumes nothing about prices, zones and memory without a NodePool', () => {
    expect(check(manifests(deployment('web', 3, SMALL))).assumptions).toEqual([
      'Karpenter is 1.15.1',
      'the cluster is empty: all pods are pending at the same time',
      'KARP-425 is not evaluated for Deployment web: the plan has no node for its pods',
    ]);
  });

  test('schedules pods, and adds up the cost of their nodes', () => {
    const verdict = check(manifests(NODE_CLASS, POOL, deployment('web', 3, SMALL)));
    expect(verdict.summary).toEqual({
      errors: 0,
      warnings: 1,
      infos: 0,
      pods: 3,
      scheduledPods: 3,
      nodes: 1,
      cost: {
        usdPerHour: 0.096,
        lowerBoundUsdPerHour: 0.096,
        currency: 'USD',
        prices: [{ kind: 'published', date: '2026-07-20', nodes: 1 }],
      },
    });
    expect(verdict.nodeClaims).toMatchObject([
      {
        id: 'default-0',
        nodePool: 'default',
        pods: ['default/web-0', 'default/web-1', 'default/web-2'],
        requests: { cpu: '1500m', memory: '3Gi', pods: '3' },
        instanceTypes: ['m5.large', 'm5.xlarge'],
        capacityTypes: ['on-demand'],
        cheapest: { instanceType: 'm5.large', capacityType: 'on-demand', usdPerHour: 0.096 },
      },
    ]);
    expect(verdict.findings.map(({ rule }) => rule)).toEqual(['KARP-402']);
  });

  test('never returns a lower bound above the cost', () => {
    for (let replicas = 1; replicas < 40; replicas += 3) {
      const { cost } = check(
        manifests(NODE_CLASS, POOL, deployment('web', replicas, 'cpu: 700m, memory: 900Mi')),
      ).summary;
      expect(cost.lowerBoundUsdPerHour).toBeGreaterThan(0);
      expect(cost.lowerBoundUsdPerHour!).toBeLessThanOrEqual(cost.usdPerHour!);
    }
  });

  test('returns the reason of each NodePool for a pod that does not fit', () => {
    const { summary, unschedulable } = check(manifests(NODE_CLASS, POOL, deployment('big', 1, 'cpu: 64, memory: 1Gi')));
    expect(summary).toMatchObject({
      pods: 1,
      scheduledPods: 0,
      nodes: 0,
      cost: { usdPerHour: null, lowerBoundUsdPerHour: null, currency: 'USD', prices: [] },
    });
    expect(unschedulable).toMatchObject([
      { pod: 'default/big-0', reasons: [{ nodePool: 'default', message: expect.stringContaining('resources') }] },
    ]);
  });

  test('reports and counts pods that are not evaluated', () => {
    const verdict = check(
      manifests(NODE_CLASS, POOL, deployment('web', 2, SMALL, '      schedulingGates: [{ name: later }]\n')),
    );
    expect(verdict.notEvaluated).toEqual([0, 1].map((i) => ({ pod: `default/web-${i}`, what: ['scheduling gates'] })));
    expect(verdict.summary).toMatchObject({ pods: 2, scheduledPods: 0 });
  });

  test('does not call pods unschedulable that may run on nodes of EKS Auto Mode, or of node groups without cluster files', () => {
    const auto = POOL.replace(
      'group: karpenter.k8s.aws, kind: EC2NodeClass',
      'group: eks.amazonaws.com, kind: NodeClass',
    );
    const verdict = check(manifests(NODE_CLASS, auto, deployment('web', 1, SMALL)));
    expect([verdict.unschedulable, verdict.nodePools]).toEqual([[], []]);
    expect(verdict.notEvaluated).toEqual([
      { pod: 'default/web-0', what: ['NodePool default, whose nodes EKS Auto Mode launches'] },
    ]);
    const system = deployment('web', 1, SMALL, '      nodeSelector: { eks.amazonaws.com/nodegroup: system }\n');
    expect(check(manifests(NODE_CLASS, POOL, system))).toMatchObject({
      unschedulable: [],
      notEvaluated: [
        {
          pod: 'default/web-0',
          what: [
            'nodes that Karpenter does not launch: the pods require eks.amazonaws.com/nodegroup; remove that if Karpenter is to launch their nodes',
          ],
        },
      ],
    });
    const there = [{ path: 'cluster.yaml', text: 'apiVersion: v1\nkind: Node\nmetadata: { name: n1 }\n' }];
    expect(check(manifests(NODE_CLASS, POOL, system), { cluster: there }).unschedulable).toHaveLength(1);
  });

  test('names NodePools of old API versions as the reason why pods are not evaluated', () => {
    const verdict = check(
      manifests(NODE_CLASS, POOL.replace('karpenter.sh/v1', 'karpenter.sh/v1beta1'), deployment('web', 1, SMALL)),
    );
    expect(verdict.notEvaluated).toEqual([
      { pod: 'default/web-0', what: ['NodePool default of karpenter.sh/v1beta1, an API version that is not served'] },
    ]);
  });

  test('assumes a stock class for NodePools if the input contains no EC2NodeClass, and says so first', () => {
    const { summary, nodeClaims, assumptions } = check(manifests(POOL, deployment('web', 1, SMALL)));
    expect(summary).toMatchObject({ errors: 0, scheduledPods: 1 });
    expect(nodeClaims).toHaveLength(1);
    expect(assumptions[0]).toBe(
      'EC2NodeClass main is not in the input: it is assumed to be a stock AL2023 class, with a root volume that is large enough and no kubelet settings',
    );
  });

  test('assumes no class if another class is in the input, or is needed for Windows', () => {
    const other = check(manifests(NODE_CLASS.replace('name: main', 'name: other'), POOL, deployment('web', 1, SMALL)));
    expect(other.nodeClaims).toEqual([]);
    expect(other.findings.map(({ rule }) => rule)).toContain('KARP-103');
    const windows = POOL.replace(
      'requirements:',
      'requirements:\n      - { key: kubernetes.io/os, operator: In, values: [windows] }',
    );
    const { nodePools, assumptions } = check(manifests(windows, deployment('web', 1, SMALL)));
    expect(nodePools).toEqual([]);
    expect(assumptions).toContain('NodePool default is not evaluated: its EC2NodeClass main is not in the input');
  });

  test('says that Karpenter compares the prices of Linux for Windows nodes, and that the cost includes the licence', () => {
    const windows = NODE_CLASS.replace(/alias: \S+?@\S+?( |\n|\})/, 'alias: windows2022@latest$1');
    const { assumptions } = check(manifests(windows, POOL, deployment('web', 1, SMALL)));
    expect(assumptions).toContain(
      'Windows nodes (NodePool default) are compared at the prices of Linux, as in Karpenter; the cost includes the Windows licence, derived from prices of 2025-05-28',
    );
  });

  test("rejects pods with resource claims with Karpenter's message, or does not evaluate them if ignoreDraRequests is false", () => {
    const text = manifests(NODE_CLASS, POOL, deployment('web', 1, SMALL, '      resourceClaims: [{ name: gpu }]\n'));
    expect(check(text).unschedulable).toEqual([
      {
        pod: 'default/web-0',
        reasons: [
          {
            nodePool: '',
            message: 'pod has Dynamic Resource Allocation requirements that are not yet supported by Karpenter',
            elimination: [],
          },
        ],
        smallestChange:
          'request the resource of the device plugin, such as nvidia.com/gpu, instead of a resource claim',
        changesTried: 0,
      },
    ]);
    expect(check(text, { ignoreDraRequests: false }).notEvaluated).toEqual([
      { pod: 'default/web-0', what: ['resource claims'] },
    ]);
  });

  test('calls no pod unschedulable if a NodePool has values that are known only at deployment', () => {
    const unknown = nodePool(['m5.large'], 'other', '  weight: -1.8881545897087503e+289\n');
    const verdict = check(manifests(NODE_CLASS, unknown, deployment('web', 1, SMALL)));
    expect(verdict.unschedulable).toEqual([]);
    expect(verdict.notEvaluated).toEqual([
      { pod: 'default/web-0', what: ['NodePool other, whose values are known only at deployment'] },
    ]);
    expect(verdict.assumptions).toContain('NodePool other is not evaluated: spec.weight is known only at deployment');
  });

  test('reports that invalid objects are not evaluated', () => {
    const verdict = check(
      manifests(
        NODE_CLASS,
        nodePool(['m5.large'], 'bad', '  weight: 1000\n'),
        POOL,
        deployment('web', 1, 'cpu: 1O0m, memory: 1Gi'),
        deployment('api', 1, SMALL),
      ),
    );
    expect(verdict.assumptions).toEqual(
      expect.arrayContaining([
        'NodePool bad is not evaluated: Karpenter would reject it',
        'Deployment default/web is not evaluated: the API server would reject it or its pods',
      ]),
    );
    expect(verdict.summary).toMatchObject({ errors: 2, pods: 1, scheduledPods: 1 });
  });

  test('evaluates input that only installs Karpenter', () => {
    const values = 'settings: { clusterName: main, interruptionQueue: "arn:aws:sqs:us-east-1:111122223333:main" }';
    const release = `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: karpenter, namespace: kube-system }
spec: { chart: { spec: { chart: karpenter, version: 1.15.1 } }, values: { ${values} } }
`;
    const { findings } = check([{ path: 'release.yaml', text: release }]);
    expect(findings.filter(({ severity }) => severity === 'error').map(({ rule, remedy }) => [rule, remedy])).toEqual([
      ['KARP-502', 'write main'],
    ]);
  });

  test.each([
    ['no files', []],
    ['an empty file', [{ path: 'a.yaml', text: '' }]],
    [
      'objects of other kinds only',
      [{ path: 'a.yaml', text: 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n' }],
    ],
    ['values of a chart', [{ path: 'values.yaml', text: 'replicas: 3\n' }]],
  ])('reports KARP-001 for input without anything to evaluate: %s', (_, sources) => {
    const [finding] = check(sources).findings.filter(({ severity }) => severity === 'error');
    expect(finding).toMatchObject({
      rule: 'KARP-001',
      message: expect.stringContaining('nothing to evaluate'),
      remedy: expect.stringContaining('NodePools'),
    });
  });

  test('says that Flux deploys more than empty input contains', () => {
    const release =
      'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: redis }\nspec: { chart: { spec: { chart: redis } } }\n';
    expect(check([{ path: 'a.yaml', text: release }]).findings).toContainEqual(
      expect.objectContaining({
        rule: 'KARP-001',
        message:
          'nothing to evaluate: the input contains no NodePool, EC2NodeClass or workload among 1 object of other kinds; Argo CD or Flux deploys more from 1 of these',
        remedy:
          'pass what they deploy: the output of `flux build kustomization`, `argocd app manifests` or `helm template`',
      }),
    );
  });

  test('reports an old API version by its own rule, not as empty input', () => {
    const rules = check([
      {
        path: 'a.yaml',
        text: 'apiVersion: karpenter.sh/v1alpha5\nkind: Provisioner\nmetadata: { name: a }\nspec: {}\n',
      },
    ]).findings.map(({ rule }) => rule);
    expect(rules).toEqual(['KARP-101']);
  });

  test('returns the same bytes for the same input, in any order of the files', () => {
    const files = [NODE_CLASS, POOL, deployment('web', 11, SMALL)].map((text, i) => ({ path: `${i}.yaml`, text }));
    const first = renderJson(check(files));
    expect(renderJson(check(files))).toBe(first);
    expect(renderJson(check([...files].reverse()))).toBe(first);
  });

  test('sorts findings by file and line, and pods by ordinal', () => {
    const bad = deployment('bad', 1, 'cpu: x, memory: 1Gi');
    const verdict = check([
      { path: 'b.yaml', text: bad },
      { path: 'a.yaml', text: `${bad.replace(/bad/g, 'worse')}` },
      ...manifests(NODE_CLASS, POOL, deployment('web', 12, SMALL)),
    ]);
    expect(verdict.findings.map(({ location }) => location.file)).toEqual([
      'a.yaml',
      'a.yaml',
      'b.yaml',
      'b.yaml',
      'setup.yaml',
    ]);
    expect(verdict.nodeClaims.flatMap(({ pods }) => pods).slice(-1)).toEqual(['default/web-11']);
  });

  test.each([
    [{ karpenterVersion: 'newest' }, /karpenterVersion: unsupported version "newest"; write a version from 1.0.0 to/],
    [{ karpenterVersion: '0.37.0' }, /karpenterVersion: unsupported version "0.37.0"/],
    [{ karpenterVersion: '1.99' }, /karpenterVersion: unsupported version "1.99"/],
    [{ spotPriceRatio: -1 }, /spotPriceRatio/],
  ])('rejects the options %j', (options, message) => {
    expect(() => check(manifests(POOL), options)).toThrow(message);
  });
});
