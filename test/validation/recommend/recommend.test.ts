import { v1ObjectsOf } from '../../../src/conversion';
import { check, recommend, renderRecommendationsText } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS } from '../setup';

/** A NodePool of GPU nodes of all sizes, and one of general nodes. */
const pool = (name: string, requirement: string, taint = '') => `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: ${name} }
spec:
  limits: { cpu: 1000, memory: 4000Gi }
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: main }
${taint}      requirements:
        - ${requirement}
        - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
        - { key: kubernetes.io/arch, operator: In, values: [amd64] }
`;
const FAMILIES = '{ key: karpenter.k8s.aws/instance-family, operator: In, values: [g6] }';
const TAINT = '      taints: [{ key: gpu, effect: NoSchedule }]\n';
const GPU = deployment(
  'train',
  3,
  'cpu: 2, memory: 8Gi, nvidia.com/gpu: 1',
  '      tolerations: [{ key: gpu, operator: Exists }]\n',
).replace('requests: { cpu', 'limits: { nvidia.com/gpu: 1 }, requests: { cpu');
const SETUP = manifests(NODE_CLASS, pool('gpu', FAMILIES, TAINT), GPU);
const options = { karpenterVersion: '1.15.1', region: 'us-east-1' };

describe('recommend', () => {
  test('finds a bound on the size of nodes that makes the same pods cheaper', () => {
    const { usdPerHour, recommendations } = recommend(SETUP, options);
    expect(
      recommendations
        .filter(({ changes }) => changes.every(({ consent }) => consent === undefined))
        .map(({ changes }) => changes.map(({ nodePool, description }) => [nodePool, description])),
    ).toEqual([[['gpu', 'launch nodes of at most 4 CPUs']]]);
    expect(recommendations[0].after.usdPerHour).toBeLessThan(usdPerHour! * 0.8);
  });

  test('names the price that a check of the changed files says', () => {
    const [{ after, files }] = recommend(SETUP, options).recommendations;
    const { summary } = check(files, options);
    expect([summary.cost.usdPerHour, summary.scheduledPods]).toEqual([after.usdPerHour, 3]);
  });

  test('compares fleets after consolidation as well, and recommends nothing that consolidation saves by itself', () => {
    const spread = `      topologySpreadConstraints:
        - topologyKey: topology.kubernetes.io/zone
          maxSkew: 1
          whenUnsatisfiable: DoNotSchedule
          labelSelector: { matchLabels: { app: api } }
`;
    const general = pool('general', '{ key: karpenter.k8s.aws/instance-family, operator: In, values: [m5, c5, r5] }');
    const apps = [
      deployment('web', 5, 'cpu: 500m, memory: 5Gi'),
      deployment('api', 4, 'cpu: 500m, memory: 6Gi', spread),
    ];
    const settled = { ...options, settle: {} };
    const result = recommend(manifests(NODE_CLASS, general, ...apps), settled);
    const { usdPerHour, consolidatedUsdPerHour = NaN, recommendations } = result;
    expect(consolidatedUsdPerHour).toBeLessThan(usdPerHour!);
    expect(result.notes).toContainEqual(
      expect.stringContaining('consolidation of the present nodes saves about as much'),
    );
    for (const { after } of recommendations)
      expect(after.consolidatedUsdPerHour).toBeLessThan(consolidatedUsdPerHour * 0.98);
    const [{ after, files }] = recommendations;
    expect(check(files, settled).consolidated!.usdPerHour!.median).toBe(after.consolidatedUsdPerHour);
    const text = renderRecommendationsText(result, manifests(NODE_CLASS, general, ...apps));
    expect(text).toMatch(/^You pay \$[\d.]+\/h \(\$[\d.]+\/h after consolidation\)\. /);
    expect(text).toMatch(/\n   after consolidation \$[\d.]+\/h → \$[\d.]+\/h \(\d+% less\), nodes /);
  });

  test('is the same twice', () => {
    expect(recommend(SETUP, options)).toEqual(recommend(SETUP, options));
  });

  test('also shows single changes that save less with fewer nodes, and nothing that is worse in both', () => {
    const general = pool('general', '{ key: karpenter.k8s.aws/instance-category, operator: In, values: [c, m, r] }');
    const workloads = Array.from({ length: 12 }, (_, index) =>
      deployment(`web${index}`, 40, `cpu: ${250 + 250 * (index % 3)}m, memory: ${512 * (1 + (index % 4))}Mi`),
    );
    const { recommendations } = recommend(manifests(NODE_CLASS, general, ...workloads), options);
    const singles = recommendations
      .filter(({ changes }) => changes.length === 1 && changes[0].consent === undefined)
      .map(({ after }) => after);
    expect(singles.length).toBeGreaterThan(1);
    expect(recommendations.length).toBeLessThanOrEqual(5);
    for (const [index, { usdPerHour, nodes }] of singles.entries())
      for (const cheaper of singles.slice(0, index)) {
        expect(usdPerHour).toBeGreaterThanOrEqual(cheaper.usdPerHour);
        expect(nodes).toBeLessThan(cheaper.nodes);
      }
  });

  test('recommends nothing below the proven lower bound', () => {
    const { lowerBoundUsdPerHour, recommendations } = recommend(SETUP, options);
    expect(recommendations[0].after.usdPerHour).toBeGreaterThanOrEqual(lowerBoundUsdPerHour!);
  });

  test('allows the other general categories if that is cheaper', () => {
    const onlyR = pool('general', '{ key: karpenter.k8s.aws/instance-category, operator: In, values: [r] }');
    const { recommendations } = recommend(
      manifests(NODE_CLASS, onlyR, deployment('web', 12, 'cpu: 1800m, memory: 1Gi')),
      options,
    );
    expect(recommendations[0].changes.map(({ description }) => description)).toEqual([
      'allow instance category c and m as well',
    ]);
  });

  test('leaves a NodePool for other instance types as it is', () => {
    const { recommendations } = recommend(SETUP, options);
    expect(recommendations.flatMap(({ changes }) => changes.map(({ description }) => description)).join()).not.toMatch(
      /category/,
    );
  });

  test('says why there is nothing to make cheaper', () => {
    expect(recommend(manifests(NODE_CLASS, pool('gpu', FAMILIES, TAINT)), options)).toMatchObject({
      usdPerHour: null,
      recommendations: [],
      notes: ['no node is launched, so there is nothing to make cheaper'],
    });
  });

  test('says that nothing helps if the cheapest node is launched already', () => {
    const cheapest = pool('general', '{ key: node.kubernetes.io/instance-type, operator: In, values: [m6a.large] }');
    const result = recommend(manifests(NODE_CLASS, cheapest, deployment('web', 2, 'cpu: 800m, memory: 1Gi')), options);
    expect([result.recommendations, result.notes]).toEqual([
      [],
      [
        'no change that was tried makes the same pods cheaper by 2% without a new finding',
        expect.stringMatching(
          /^not recommended: NodePool general: allow spot as well, which saves \d+%: KARP-511 about NodePool general would be new$/,
        ),
      ],
    ]);
  });

  test('has the requirements instead of a patch if they are an alias, which cannot be changed for one NodePool alone', () => {
    const item = (name: string, weight: number, requirements: string) =>
      `- apiVersion: karpenter.sh/v1
  kind: NodePool
  metadata: { name: ${name} }
  spec:
    weight: ${weight}
    limits: { cpu: 1000, memory: 4000Gi }
    template:
      spec:
        nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: main }
        taints: [{ key: gpu, effect: NoSchedule }]
        requirements: ${requirements}
`;
    const list = `apiVersion: v1\nkind: List\nitems:\n${item('one', 1, `&list [${FAMILIES}, { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }]`)}${item('two', 2, '*list')}`;
    const sources = manifests(NODE_CLASS, list, GPU);
    const result = recommend(sources, options);
    const [first] = result.recommendations;
    expect(first.files).toEqual([]);
    expect(first.changes.map(({ fix }) => fix)).toEqual([undefined]);
    expect(first.after.usdPerHour).toBeLessThan(result.usdPerHour!);
    expect(renderRecommendationsText(result, sources)).toContain(
      '   Requirements for NodePool two, which is in no file that can be changed:\n' +
        '     - {key: karpenter.k8s.aws/instance-cpu, operator: Lt, values: ["5"]}\n',
    );
  });
});

describe('the recommendation for a Provisioner', () => {
  test('has the requirements of the NodePool that is made of it', () => {
    const provisioner = `apiVersion: karpenter.sh/v1alpha5
kind: Provisioner
metadata: { name: old }
spec:
  providerRef: { name: main }
  requirements:
    - { key: node.kubernetes.io/instance-type, operator: In, values: [m7i.8xlarge] }
    - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
`;
    const sources = manifests(NODE_CLASS, provisioner, deployment('web', 2, 'cpu: 1200m, memory: 1Gi'));
    const { recommendations, usdPerHour } = recommend(sources, { ...options, convertLegacy: v1ObjectsOf });
    const [{ after, files, constructs }] = recommendations;
    expect([files, constructs.map(({ nodePool }) => nodePool)]).toEqual([[], ['old']]);
    expect(after.usdPerHour).toBeLessThan(usdPerHour! / 2);
  });
});

describe('the text of recommendations', () => {
  const text = renderRecommendationsText(recommend(SETUP, options), SETUP);

  test('begins with what is paid, what the first and the cheapest recommendation make of it, and the bound', () => {
    expect(text.split('\n')[0]).toMatch(
      /^You pay \$[\d.]+\/h\. 1 change makes it \$[\d.]+\/h\. With spot instances, \d changes make it \$[\d.]+\/h\. The best fleet found on these NodePools costs \$[\d.]+\/h\. These NodePools, as they are, allow no fleet below \$[\d.]+\/h\.$/,
    );
  });

  test('has the patch of each recommendation', () => {
    expect(text).toContain('+++ b/setup.yaml');
    expect(text).toContain('\n+        - key: karpenter.k8s.aws/instance-cpu\n');
  });

  test('escapes control characters of the files', () => {
    const hostile = SETUP.map((file) => ({
      ...file,
      text: file.text.replace('- { key: karpenter.sh', '# \u001b[31m\n        - { key: karpenter.sh'),
    }));
    expect(renderRecommendationsText(recommend(hostile, options), hostile)).not.toContain('\u001b');
  });
});
