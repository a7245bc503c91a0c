import { autoModePoolsRefused } from '../../../../src/validation/rules/api/auto-mode-pools-refused';
import { judgeStack } from '../judge';

const rule = autoModePoolsRefused;
const ROLE = 'arn:aws:iam::111122223333:role/nodes';

function judgeCompute(ComputeConfig: object) {
  return judgeStack(rule, { Cluster: { Type: 'AWS::EKS::Cluster', Properties: { Name: 'prod', ComputeConfig } } });
}

describe('KARP-120 auto-mode-pools-refused', () => {
  test.each([
    ['sytem', 'write system'],
    ['General-Purpose', 'write general-purpose'],
    ['spot', 'write general-purpose or system, or remove it'],
  ])('reports the node pool %s', (name, remedy) => {
    const { findings } = judgeCompute({ Enabled: true, NodePools: ['general-purpose', name], NodeRoleArn: ROLE });
    expect(findings).toMatchObject([{ path: ['Properties', 'ComputeConfig', 'NodePools', 1], remedy }]);
  });

  test('reports node pools without a role for their nodes', () => {
    const { findings } = judgeCompute({ Enabled: 'true', NodePools: ['system'] });
    expect(findings.map(({ message }) => message)).toEqual([
      'enables node pools of EKS Auto Mode, and names no role for their nodes: EKS refuses the cluster',
    ]);
  });

  test('passes both node pools with a role, and none without', () => {
    const both = { Enabled: true, NodePools: ['system', 'general-purpose'], NodeRoleArn: ROLE };
    expect(judgeCompute(both).findings).toEqual([]);
    expect(judgeCompute({ Enabled: true, NodePools: [] }).findings).toEqual([]);
  });

  test('does not apply to a cluster without Auto Mode, or to names that are known at deployment', () => {
    expect(judgeCompute({ Enabled: false, NodePools: ['sytem'] }).states).toEqual([]);
    expect(judgeCompute({ Enabled: true, NodePools: [{ Ref: 'Pool' }] }).states).toEqual([]);
  });
});
