import { subnetAddressesRunOut } from '../../../../../src/validation/rules/instance-selection/addresses/subnet-addresses-run-out';
import { daemonSet, deployment, judge, nodeClass, nodePool, oneOf, types } from '../../judge';

const rule = subnetAddressesRunOut;
const ZONE = 'topology.kubernetes.io/zone';
const REQUESTS = { requests: { cpu: '100m', memory: '256Mi' } };

function subnet(id: string, zone: string, free: number, discovery = 'demo'): object {
  return {
    SubnetId: id,
    AvailabilityZone: zone,
    AvailableIpAddressCount: free,
    Tags: [{ Key: 'karpenter.sh/discovery', Value: discovery }],
  };
}

function judgeWith(subnets: object[], documents: readonly string[], ...zones: string[]) {
  const pool = nodePool('core', { requirements: [types('m7i.large'), oneOf(ZONE, ...zones)] });
  const cluster = [{ path: 'subnets.json', text: JSON.stringify({ Subnets: subnets }) }];
  return judge(rule, [nodeClass(), pool, ...documents], { cluster, region: 'us-east-1' });
}

const WEB = deployment('web', {}, { replicas: 60, ...REQUESTS });

describe('KARP-256 subnet-addresses-run-out', () => {
  test('reports a zone whose subnets have fewer free addresses than nodes and pods need', () => {
    const { findings } = judgeWith([subnet('subnet-1', 'us-east-1a', 20)], [WEB], 'us-east-1a');
    expect(findings).toMatchObject([
      {
        path: ['spec', 'subnetSelectorTerms'],
        message: expect.stringContaining('but subnet-1 has 20 free'),
        remedy: expect.stringContaining('add subnets with at least 44 more free addresses'),
        evidence: { zones: ['us-east-1a'], nodes: 4, pods: 60, needed: 64, free: 20, subnets: ['subnet-1'] },
      },
    ]);
  });

  test('adds the subnets of one zone', () => {
    const subnets = [subnet('subnet-1', 'us-east-1a', 20), subnet('subnet-2', 'us-east-1a', 50)];
    expect(judgeWith(subnets, [WEB], 'us-east-1a').states).toEqual(['pass EC2NodeClass/default']);
  });

  test('reports that all zones together have too few', () => {
    const subnets = [subnet('subnet-1', 'us-east-1a', 20), subnet('subnet-2', 'us-east-1b', 20)];
    expect(judgeWith(subnets, [WEB], 'us-east-1a', 'us-east-1b').findings).toMatchObject([
      { evidence: { zones: ['us-east-1a', 'us-east-1b'], free: 40 } },
    ]);
  });

  test('counts only nodes if pods have addresses of another network', () => {
    const cilium = daemonSet('cilium', { cpu: '10m' });
    expect(judgeWith([subnet('subnet-1', 'us-east-1a', 20)], [WEB, cilium], 'us-east-1a').states).toEqual([
      'pass EC2NodeClass/default',
    ]);
  });

  test('does not count pods on the host network', () => {
    const host = deployment('web', { hostNetwork: true }, { replicas: 60, ...REQUESTS });
    expect(judgeWith([subnet('subnet-1', 'us-east-1a', 20)], [host], 'us-east-1a').findings).toEqual([]);
  });

  test('does not apply if the class selects none of the subnets', () => {
    expect(judgeWith([subnet('subnet-1', 'us-east-1a', 1, 'other')], [WEB], 'us-east-1a').outcomes).toEqual([]);
  });

  test('does not apply without subnets in the input', () => {
    expect(judge(rule, [nodeClass(), nodePool('core'), WEB]).outcomes).toEqual([]);
  });
});
