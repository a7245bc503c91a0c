import { publicAddressRefused } from '../../../../../src/validation/rules/instance-selection/devices/public-address-refused';
import { NODE_CLASS, nodePool } from '../../../setup';
import { judge } from '../../judge';

const rule = publicAddressRefused;
const PUBLIC = NODE_CLASS.replace('spec:\n', 'spec:\n  associatePublicIPAddress: true\n');

function efaJob(devices: number): string {
  const resources = `{ cpu: 1, vpc.amazonaws.com/efa: ${devices} }`;
  return `apiVersion: batch/v1
kind: Job
metadata: { name: train }
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: main, image: i, resources: { requests: ${resources}, limits: ${resources} } }]
`;
}

describe('KARP-261 public-address-refused', () => {
  test('reports planned nodes with several EFA devices', () => {
    const pool = nodePool(['p4d.24xlarge']).replace('1000Gi', '2000Gi');
    const { findings } = judge(rule, [PUBLIC, pool, efaJob(4)]);
    expect(findings).toMatchObject([
      { path: ['spec', 'associatePublicIPAddress'], evidence: { nodes: 1, instanceType: 'p4d.24xlarge', devices: 4 } },
    ]);
    expect(findings[0].message).toContain('1 planned node such as p4d.24xlarge with 4 never launches');
  });

  test('passes nodes with one EFA device, pods without EFA, and NodePools with both kinds of types', () => {
    expect(judge(rule, [PUBLIC, nodePool(['g5.12xlarge']), efaJob(1)]).findings).toEqual([]);
    expect(judge(rule, [PUBLIC, nodePool(['p4d.24xlarge'])]).findings).toEqual([]);
    expect(judge(rule, [PUBLIC, nodePool(['g5.12xlarge', 'p4d.24xlarge']), efaJob(1)]).findings).toEqual([]);
  });

  test('reports several interfaces of the class, except those that are only for EFA', () => {
    const interfaces = (second: string) => {
      const list = `[${['interface', second].map((type, index) => `{ networkCardIndex: ${index}, deviceIndex: ${index}, interfaceType: ${type} }`).join(', ')}]`;
      return PUBLIC.replace('spec:\n', `spec:\n  networkInterfaces: ${list}\n`);
    };
    expect(judge(rule, [interfaces('interface')]).findings).toMatchObject([{ evidence: { networkInterfaces: 2 } }]);
    expect(judge(rule, [interfaces('efa-only')]).findings).toEqual([]);
  });

  test('does not apply to classes without a public address', () => {
    expect(judge(rule, [NODE_CLASS, nodePool(['p4d.24xlarge']), efaJob(4)]).outcomes).toEqual([]);
  });
});
