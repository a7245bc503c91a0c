import { architectureUnconstrained } from '../../../../src/validation/rules/instance-selection/architecture-unconstrained';
import { deployment, judge, nodeClass, nodePool, requiredAffinity, types } from '../judge';

const rule = architectureUnconstrained;
const both = nodePool('default', { requirements: [types('m7g.large', 'm7i.large')] });
const graviton = (fields: object = {}) => nodePool('graviton', { requirements: [types('m7g.large')], ...fields });
const withImage = (name: string, image: string, pod: object = {}) =>
  deployment(name, { containers: [{ name: 'main', image, resources: { requests: { cpu: '100m' } } }], ...pod });
const states = (...documents: string[]) => judge(rule, [nodeClass(), ...documents]).states;

describe('KARP-203 architecture-unconstrained', () => {
  test('reports pods on arm64 nodes of a NodePool that allows both architectures', () => {
    const [finding] = judge(rule, [nodeClass(), both, withImage('web', 'shop/web:1.0')]).findings;
    expect(finding.message).toBe(
      'allows 1 arm64 instance type of 2, and Deployment default/web would run on them without selecting an architecture: ' +
        'containers of images that are amd64 only end with "exec format error"',
    );
    expect(finding.remedy).toMatch(/^require kubernetes\.io\/arch In \[amd64\], or/);
    expect(finding).toMatchObject({
      path: ['spec', 'template', 'spec', 'requirements'],
      evidence: { images: ['shop/web:1.0'], arm64Types: 1, instanceTypes: 2 },
    });
  });

  test('notes a NodePool whose requirement names both architectures', () => {
    const arch = { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'] };
    const pool = nodePool('default', { requirements: [types('m7g.large', 'm7i.large'), arch] });
    expect(judge(rule, [nodeClass(), pool, withImage('web', 'shop/web:1.0')]).findings).toMatchObject([
      { severity: 'info' },
    ]);
  });

  test('reports ordinary pods on a NodePool that launches only arm64', () => {
    const [{ message, remedy }] = judge(rule, [nodeClass(), graviton(), withImage('web', 'shop/web:1.0')]).findings;
    expect(message).toContain('launches only arm64 nodes');
    expect(remedy).toMatch(/^add a taint that only pods for arm64 tolerate, or/);
  });

  test('passes pods that select an architecture, as the remedy says', () => {
    const arch = (...values: string[]) => requiredAffinity([{ key: 'kubernetes.io/arch', operator: 'In', values }]);
    expect(states(both, withImage('web', 'shop/web:1.0', arch('amd64', 'arm64')))).toEqual(['pass NodePool/default']);
    expect(states(both, withImage('web', 'shop/web:1.0', { nodeSelector: { 'kubernetes.io/arch': 'arm64' } }))).toEqual(
      ['pass NodePool/default'],
    );
  });

  test.each([
    'nginx',
    'nginx:1.27',
    'docker.io/library/redis:7@sha256:0123',
    'public.ecr.aws/eks-distro/kubernetes/pause:3.7',
    'registry.k8s.io/pause:3.9',
    'localhost:5000/app:1.0-arm64',
    'quay.io/prometheus/prometheus',
  ])('passes pods with the image %s, which runs on arm64', (image) => {
    expect(states(both, withImage('web', image))).toEqual(['pass NodePool/default']);
  });

  test.each(['app', 'shop/nginx', 'localhost:5000/nginx', 'registry.k8s.io/hpa-example'])(
    'reports pods with the image %s',
    (image) => {
      expect(states(both, withImage('web', image))).toEqual(['fail NodePool/default']);
    },
  );

  test('passes pods whose image another workload runs on arm64 by choice', () => {
    const other = withImage('worker', 'shop/web:2.0', { nodeSelector: { 'kubernetes.io/arch': 'arm64' } });
    expect(states(both, withImage('web', 'shop/web:1.0'), other)).toEqual(['pass NodePool/default']);
  });

  test('does not apply to NodePools with a taint, without arm64 types, or of Windows nodes', () => {
    const taints = [{ key: 'arm64', effect: 'NoSchedule' }];
    const web = withImage('web', 'shop/web:1.0', { tolerations: [{ operator: 'Exists' }] });
    expect(states(graviton({ taints }), web)).toEqual([]);
    expect(states(nodePool('default', { requirements: [types('m7i.large')] }), web)).toEqual([]);
    expect(
      judge(rule, [nodeClass('default', { amiSelectorTerms: [{ alias: 'windows2022@latest' }] }), both, web]).outcomes,
    ).toEqual([]);
  });

  test('passes pods that select the NodePool', () => {
    expect(
      states(graviton(), withImage('web', 'shop/web:1.0', { nodeSelector: { 'karpenter.sh/nodepool': 'graviton' } })),
    ).toEqual(['pass NodePool/graviton']);
  });
});
