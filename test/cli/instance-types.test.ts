import { run } from './run';
import { NODE_CLASS, nodePool } from '../validation/setup';

const SETUP = [NODE_CLASS.replace('role: node', 'role: node\n  kubelet: { maxPods: 20 }'), nodePool(['m5.xlarge', 'm5.large']), nodePool(['c5.large'], 'compute')].join('---\n');

describe('instance-types', () => {
  test('lists the whole catalogue as JSON', async () => {
    const { code, out } = await run(['instance-types', '--format', 'json']);
    const types = JSON.parse(out);
    expect(code).toBe(0);
    expect(types).toHaveLength(1363);
    expect(Object.keys(types[0])).toEqual(['name', 'labels', 'capacity', 'allocatable', 'offerings']);
    const m5 = types.find(({ name }: { name: string }) => name === 'm5.large');
    expect(m5).toMatchObject({ labels: { 'kubernetes.io/arch': 'amd64' }, allocatable: { cpu: '1930m', memory: '6903Mi', pods: '29' } });
    expect(Object.keys(m5.offerings[0])).toEqual(['zone', 'capacityType', 'usdPerHour', 'available']);
  });

  test('lists the whole catalogue as a table', async () => {
    const lines = (await run(['instance-types'])).out.split('\n');
    expect(lines[0]).toMatch(/^NAME +ARCH +CPU +MEMORY +PODS +ON-DEMAND +SPOT$/);
    expect(lines.find((line) => line.startsWith('m5.large '))).toMatch(/^m5.large +amd64 +1930m +6903Mi +29 +0.0960 +0.0384$/);
  });

  test('lists what each NodePool can launch, cheapest first, with its own node class', async () => {
    const { code, out } = await run(['instance-types', '-'], SETUP);
    expect(code).toBe(0);
    expect(out).toMatch(/NodePool compute: 1 instance type\n.*\nc5.large .*\n/);
    expect(out).toMatch(/NodePool default: 2 instance types\n.*\nm5.large .* 20 .*0.0960 +-\nm5.xlarge/);
  });

  test('lists what one NodePool can launch as JSON, with the offerings that it allows', async () => {
    const types = JSON.parse((await run(['instance-types', '-', '--nodepool', 'default', '--format', 'json'], SETUP)).out);
    expect(types.map(({ name, nodePool: pool }: { name: string; nodePool: string }) => [name, pool])).toEqual([['m5.large', 'default'], ['m5.xlarge', 'default']]);
    expect(types[0].offerings.map(({ capacityType }: { capacityType: string }) => capacityType)).toEqual(['on-demand', 'on-demand', 'on-demand']);
  });

  test.each([
    [['--nodepool', 'x'], '', '--nodepool: there are no manifests, got "x"'],
    [['-', '--nodepool', 'x'], SETUP, '--nodepool: there is no such NodePool, got "x"; write compute or default'],
    [['-'], NODE_CLASS, 'there is no NodePool in the manifests that can be judged'],
    [['-'], nodePool(['m5.large']), 'NodePool default can launch nothing: its EC2NodeClass is not among the manifests'],
    [['-'], SETUP.replace('operator: In', 'operator: Is'), '-:20:50: spec.template.spec.requirements[0].operator: must be one of'],
  ])('%j cannot be answered and end with 2', async (args, stdin, message) => {
    const { code, err } = await run(['instance-types', ...args], stdin);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});

describe('rules', () => {
  test('are listed as a table and as JSON', async () => {
    const rules = JSON.parse((await run(['rules', '--format', 'json'])).out);
    expect(rules[0]).toEqual({ id: 'KARP-001', name: 'unreadable-input', severity: 'error', summary: expect.any(String) });
    const table = (await run(['rules'])).out;
    for (const { id, name } of rules) expect(table).toMatch(new RegExp(`^${id} +\\w+ +${name} `, 'm'));
  });
});
