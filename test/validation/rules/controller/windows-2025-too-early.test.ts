import { windows2025TooEarly } from '../../../../src/validation/rules/controller/windows-2025-too-early';
import { judge, judgeStack, nodeClass } from '../judge';

const rule = windows2025TooEarly;
const cluster = (version?: string) => ({ Type: 'AWS::EKS::Cluster', Properties: { Version: version } });
const classOf = (alias: string) => nodeClass('windows', { amiSelectorTerms: [{ alias }] });
const judged = (versions: readonly string[], alias = 'windows2025@latest') =>
  judgeStack(rule, Object.fromEntries(versions.map((version, index) => [`Cluster${index}`, cluster(version)])), [
    classOf(alias),
  ]);

describe('KARP-918 windows-2025-too-early', () => {
  test('reports a cluster before Kubernetes 1.35', () => {
    const [{ message, remedy, object, path, evidence }] = judged(['1.34']).findings;
    expect(message).toBe(
      'selects Windows Server 2025, which needs Kubernetes 1.35, but the cluster has 1.34: the class is not ready, and nothing is launched',
    );
    expect(remedy).toBe('write windows2022@latest, or upgrade the cluster to 1.35 first');
    expect([object.locate(path).path, evidence]).toEqual([
      'spec.amiSelectorTerms[0].alias',
      { consequence: 'not-ready', kubernetes: '1.34' },
    ]);
  });

  test.each(['1.35', '1.36'])('passes Kubernetes %s', (version) => {
    expect(judged([version]).states).toEqual(['pass EC2NodeClass/windows']);
  });

  test('is not evaluated if the class may be for a newer cluster, or the version is unknown', () => {
    expect(judged(['1.34', '1.35']).states).toEqual(['not-evaluated EC2NodeClass/windows']);
    expect(judgeStack(rule, { Cluster: cluster() }, [classOf('windows2025@latest')]).states).toEqual([
      'not-evaluated EC2NodeClass/windows',
    ]);
  });

  test('does not apply to other aliases, or without a cluster in the input', () => {
    expect(judged(['1.34'], 'windows2022@latest').outcomes).toEqual([]);
    expect(judge(rule, [classOf('windows2025@latest')]).outcomes).toEqual([]);
  });
});
