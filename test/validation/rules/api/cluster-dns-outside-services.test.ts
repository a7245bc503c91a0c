import { clusterDnsOutsideServices } from '../../../../src/validation/rules/api/cluster-dns-outside-services';
import { judge, nodeClass, nodePool } from '../judge';

const cluster = (cidr: string) =>
  `apiVersion: eksctl.io/v1alpha5\nkind: ClusterConfig\nmetadata: { name: prod, region: eu-west-1 }\nkubernetesNetworkConfig: { serviceIPv4CIDR: ${cidr} }\n`;
const judged = (address: string, ...more: string[]) =>
  judge(clusterDnsOutsideServices, [
    nodeClass('default', { kubelet: { clusterDNS: [address] } }),
    nodePool('a'),
    ...more,
  ]);

describe('KARP-160 cluster-dns-outside-services', () => {
  test.each([
    ['172.20.0.0/16', '172.20.0.10'],
    ['10.43.128.0/18', '10.43.128.10'],
    ['192.168.7.0/24', '192.168.7.10'],
    ['172.20.5.0/16', '172.20.0.10'],
  ])('fails for services in %s, and names %s', (cidr, right) => {
    expect(judged('10.100.0.10', cluster(cidr)).findings).toMatchObject([
      { path: ['spec', 'kubelet', 'clusterDNS', 0], remedy: `write ${right}, or remove clusterDNS` },
    ]);
    expect(judged(right, cluster(cidr)).findings).toEqual([]);
  });

  test('passes the address of NodeLocal DNSCache and name servers of the VPC', () => {
    for (const address of ['169.254.20.10', '10.0.0.2'])
      expect(judged(address, cluster('172.20.0.0/16')).findings).toEqual([]);
  });

  test('does not apply if no range is in the input, or several clusters are', () => {
    expect(judged('10.100.0.10').outcomes).toEqual([]);
    const two = [cluster('172.20.0.0/16'), cluster('10.3.0.0/16').replace('prod', 'dev')];
    expect(judged('10.100.0.10', ...two).outcomes).toEqual([]);
  });
});
