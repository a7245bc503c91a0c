import {
  check,
  checkedSession,
  cheaperNodePool,
  renderHtml,
  renderJson,
  renderMarkdown,
  renderText,
  withCheaper,
} from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool } from '../setup';

const options = { karpenterVersion: '1.15.1', region: 'us-east-1' };
const POOL = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: gpu }
spec:
  limits: { cpu: 1000, memory: 4000Gi }
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: main }
      requirements:
        - { key: karpenter.k8s.aws/instance-family, operator: In, values: [g6] }
        - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
        - { key: kubernetes.io/arch, operator: In, values: [amd64] }
`;
const GPU = deployment('train', 3, 'cpu: 2, memory: 8Gi, nvidia.com/gpu: 1').replace(
  'requests: { cpu',
  'limits: { nvidia.com/gpu: 1 }, requests: { cpu',
);

function verdictOf(...documents: readonly string[]) {
  const files = manifests(NODE_CLASS, ...documents);
  const { session, verdict } = checkedSession(files, options);
  return { files, verdict: { ...verdict, cheaper: cheaperNodePool(session, verdict, { files }) } };
}

describe('the cheaper NodePool of a verdict', () => {
  const { files, verdict } = verdictOf(POOL, GPU);

  test('is the single change that saves most, with the price that a check of the patched file says', () => {
    expect(verdict.cheaper).toMatchObject({
      nodePool: 'gpu',
      description: 'launch nodes of at most 4 CPUs',
      requirements: ['Requirement.instanceCpu().lessThan(5)'],
    });
    const text = files[0].text.replace(
      '        - { key: kubernetes.io/arch',
      '        - { key: karpenter.k8s.aws/instance-cpu, operator: Lt, values: ["5"] }\n        - { key: kubernetes.io/arch',
    );
    expect(check([{ ...files[0], text }], options).summary.cost.usdPerHour).toBe(verdict.cheaper!.usdPerHour);
  });

  test('is one line of the text and of the pull request, and a card with the patch on the page', () => {
    const line =
      /Cheaper: \$[\d.]+\/h saves \$[\d,]+\/month \(\d+%\)\. In NodePool gpu, launch nodes of at most 4 CPUs:/;
    expect(renderText(verdict)).toMatch(line);
    expect(renderMarkdown(verdict)).toMatch(/Cheaper: /);
    const page = renderHtml(verdict, undefined, []);
    expect(page).toContain('id="cheaper"');
    expect(page).toContain('<a href="#cheaper"');
    expect(page).toContain('+        - key: karpenter.k8s.aws/instance-cpu');
  });

  test('escapes control characters of the file in its patch', () => {
    const hostile = verdictOf(
      POOL.replace('      requirements:', '      requirements: # \u001b[31m<script>'),
      GPU,
    ).verdict;
    expect(hostile.cheaper?.patch).toBeDefined();
    const page = renderHtml(hostile, undefined, []);
    expect([page.includes('\u001b'), page.includes('# \u001b[31m<script>')]).toEqual([false, false]);
  });

  test('allows smaller sizes if only large ones are allowed, and hardly anything of them is requested', () => {
    const sizes = '{ key: karpenter.k8s.aws/instance-size, operator: In, values: [16xlarge] }';
    const large = POOL.replace('values: [g6] }', `values: [m5] }\n        - ${sizes}`);
    const spread = `      topologySpreadConstraints:
      - maxSkew: 1
        topologyKey: topology.kubernetes.io/zone
        whenUnsatisfiable: DoNotSchedule
        labelSelector: { matchLabels: { app: web } }
`;
    const { cheaper, summary } = verdictOf(large, deployment('web', 3, 'cpu: 500m, memory: 1Gi', spread)).verdict;
    expect(cheaper?.description).toMatch(/^allow sizes large, .* as well$/);
    expect(cheaper!.usdPerHour).toBeLessThan(0.15 * summary.cost.usdPerHour!);
  });

  test('allows smaller sizes if the plan is at its lower bound, and the title says that the bound counts no such type', () => {
    const sizes = '{ key: karpenter.k8s.aws/instance-size, operator: In, values: [16xlarge] }';
    const large = POOL.replace('values: [g6] }', `values: [m5] }\n        - ${sizes}`);
    const atBound = verdictOf(large, deployment('web', 3, 'cpu: 500m, memory: 1Gi')).verdict;
    expect(atBound.summary.cost.lowerBoundUsdPerHour).toBe(atBound.summary.cost.usdPerHour);
    expect(atBound.cheaper?.description).toMatch(/^allow sizes large, .* as well$/);
    expect(renderText(atBound)).toContain(
      'Cheaper than the lower bound, with types that the NodePools do not allow yet',
    );
  });

  test('is not in schema version 1, which is older', () => {
    expect(JSON.parse(renderJson(verdict, '1')).cheaper).toBeUndefined();
    expect(JSON.parse(renderJson(verdict, '2')).cheaper.nodePool).toBe('gpu');
  });

  test('is before the new nodes in JSON, as the documents say', () => {
    const { cheaper, ...others } = verdict;
    const keys = Object.keys(withCheaper(others, cheaper));
    expect(keys.indexOf('nodeClaims') - keys.indexOf('cheaper')).toBe(1);
    expect(withCheaper(others, undefined)).toBe(others);
  });

  test('is not searched if the price is next to the lower bound, or if an error is to be fixed first', () => {
    expect(
      verdictOf(nodePool(['m6a.large']), deployment('web', 8, 'cpu: 1800m, memory: 1Gi')).verdict.cheaper,
    ).toBeUndefined();
    const broken = POOL.replace('spec:\n  limits', 'spec:\n  roel: a\n  limits');
    expect(verdictOf(broken, GPU).verdict.cheaper).toBeUndefined();
  });
});
