import { ApiObject, Chart, Testing } from 'cdk8s';
import { KarpenterAssertions } from '../../src/assertions';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const POOL = nodePool(['m5.large']);

function on(...documents: string[]): KarpenterAssertions {
  return KarpenterAssertions.fromYaml(documents.join('---\n'));
}

describe('hasNoErrors', () => {
  test('passes if there are only warnings', () => {
    expect(() => on(NODE_CLASS, POOL, deployment('web', 2, SMALL)).hasNoErrors()).not.toThrow();
  });

  test('fails with rule, location and remedy', () => {
    expect(() => on(NODE_CLASS.replace('main', 'other'), POOL).hasNoErrors()).toThrow(
      /^expected no rule to find an error, got 1 finding\n\n {2}error KARP-103 [^\n]*\(manifests\.yaml:\d+:\d+ [^\n]*\)\n {6}\S/,
    );
  });

  test.each([undefined, 'shop'])('names the construct in a chart with namespace %s', (namespace) => {
    const chart = new Chart(Testing.app(), 'chart', { namespace });
    new ApiObject(chart, 'pool', {
      apiVersion: 'karpenter.sh/v1',
      kind: 'NodePool',
      metadata: { name: 'default' },
      spec: {
        weight: 0,
        template: {
          spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'main' }, requirements: [] },
        },
      },
    });
    expect(() => KarpenterAssertions.fromChart(chart).hasNoErrors()).toThrow(/error \[chart\/pool\] KARP-100/);
  });

  test('cannot be evaluated if a value is known only at deployment', () => {
    const token = NODE_CLASS.replace('role: node', 'role: node\n  kubelet: { maxPods: "${Token[PODS.1]}" }');
    expect(() => on(token, POOL).hasNoErrors()).toThrow(
      /^expected no rule to find an error: cannot be evaluated:\n {2}- /,
    );
  });
});

describe('hasNoErrors with exceptRules', () => {
  const dangling = on(NODE_CLASS.replace('main', 'other'), POOL);

  test('ignores errors of these rules, and that they cannot be evaluated', () => {
    expect(() => dangling.hasNoErrors(['KARP-103', 'nodepool-matches-zero-instance-types', 'KARP-310'])).not.toThrow();
    expect(() => dangling.hasNoErrors(['KARP-103'])).toThrow(
      /cannot be evaluated:\n {2}- KARP-201 is not evaluated for NodePool default/,
    );
  });

  test('rejects an unknown rule', () => {
    expect(() => dangling.hasNoErrors(['KARP-9999'])).toThrow('rule: there is no rule "KARP-9999"; ');
  });
});

describe('hasNoFindingOf', () => {
  test.each(['KARP-402', 'no-pdb'])('accepts the rule %s', (rule) => {
    expect(() => on(NODE_CLASS, POOL, deployment('web', 2, SMALL)).hasNoFindingOf(rule)).toThrow(
      /^expected no finding of KARP-402 no-pdb, got 1 finding\n\n {2}warning KARP-402 no-pdb: /,
    );
    expect(() => on(NODE_CLASS, POOL).hasNoFindingOf(rule)).not.toThrow();
  });

  test('accepts rules about unreadable input', () => {
    expect(() => on('a: [').hasNoFindingOf('unreadable-input')).toThrow(/got 1 finding/);
  });

  test('cannot be evaluated if the rule is not evaluated', () => {
    const spot = POOL.replace('values: [on-demand]', 'values: ["${Token[TYPE.1]}"]');
    expect(() => on(NODE_CLASS, spot).hasNoFindingOf('KARP-901')).toThrow(/cannot be evaluated:\n {2}- /);
  });

  test('cannot be evaluated if a file cannot be read', () => {
    expect(() => on('a: [').hasNoFindingOf('no-pdb')).toThrow(/cannot be evaluated:\n {2}- manifests\.yaml:1: /);
  });

  test('suggests the nearest rule name', () => {
    expect(() => on(POOL).hasNoFindingOf('no-pbd')).toThrow('rule: there is no rule "no-pbd"; did you mean no-pdb?');
  });
});
