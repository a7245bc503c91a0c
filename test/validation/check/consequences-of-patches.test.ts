import { CLASS, pool, workload } from './cases/fixtures';
import { check, CheckOptions } from '../../../src/validation';
import { rootsOf } from '../../../src/validation/manifest';

const AMD64 = 'key: kubernetes.io/arch, operator: In, values: [amd64]';
const ON_DEMAND = 'key: karpenter.sh/capacity-type, operator: In, values: [on-demand]';
const PATCH = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: { name: main }
spec:
  template:
    spec:
      requirements: [{ key: karpenter.sh/capacity-type, operator: In, values: [spot, on-demand] }]
`;

function findingsOf(options: CheckOptions = {}) {
  const base = [CLASS, pool('main', { requirements: [ON_DEMAND, AMD64] }), workload('web', { replicas: 4 })];
  const [root] = rootsOf([
    { path: 'prod/base.yaml', text: base.join('---\n') },
    { path: 'prod/patch.yaml', text: PATCH },
    { path: 'prod/kustomization.yaml', text: 'resources: [base.yaml]\npatches: [{ path: patch.yaml }]\n' },
  ]);
  return check(root.sources, options).findings.filter(({ rule }) => /^KARP-(158|203)$/.test(rule));
}

describe('a patch that replaces a list', () => {
  test('is the only finding about what the lost entries cause', () => {
    const findings = findingsOf({ systemDaemonSets: 'eks' });
    expect(findings.map(({ rule, severity }) => `${rule} ${severity}`)).toEqual(['KARP-158 warning']);
    expect(findings[0].message).toMatch(/; KARP-203 of NodePool main follows from it$/);
  });

  test('leaves the other findings if the loss is acknowledged', () => {
    const entries = [
      {
        rule: 'KARP-158',
        subject: 'NodePool/main',
        reason: 'any node may do',
        location: { file: 'a.yaml', line: 1, column: 1, path: '' },
      },
    ];
    const findings = findingsOf({ systemDaemonSets: 'eks', acknowledge: { entries } });
    expect(findings.map(({ rule }) => rule)).toEqual(['KARP-203']);
  });
});
