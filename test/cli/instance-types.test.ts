import { folderOf, run } from './run';
import { NODE_CLASS, nodePool } from '../validation/setup';

const SETUP = [
  NODE_CLASS.replace('role: node', 'role: node\n  kubelet: { maxPods: 20 }'),
  nodePool(['m5.xlarge', 'm5.large']),
  nodePool(['c5.large'], 'compute'),
].join('---\n');

describe('instance-types', () => {
  test('lists the whole catalog as JSON', async () => {
    const { code, out } = await run(['instance-types', '--format', 'json']);
    const types = JSON.parse(out);
    expect(code).toBe(0);
    expect(types).toHaveLength(1391);
    expect(Object.keys(types[0])).toEqual([
      'name',
      'labels',
      'capacity',
      'allocatable',
      'currency',
      'offerings',
      'spot',
      'offeredZones',
    ]);
    const m5 = types.find(({ name }: { name: string }) => name === 'm5.large');
    expect(m5).toMatchObject({
      labels: { 'kubernetes.io/arch': 'amd64' },
      allocatable: { cpu: '1930m', memory: '6903Mi', pods: '29' },
    });
    expect(Object.keys(m5.offerings[0])).toEqual([
      'zone',
      'capacityType',
      'usdPerHour',
      'available',
      'priceKind',
      'priceDate',
    ]);
    expect(m5.spot).toEqual({
      percentOfOnDemand: 33,
      cheapestZonePercent: 33,
      dearestZonePercent: 40,
      interruption: '10-15%',
      date: '2025-05-28',
    });
  });

  test('lists the whole catalog as a table', async () => {
    const lines = (await run(['instance-types'])).out.split('\n');
    expect(lines[0]).toMatch(/^NAME +ARCH +CPU +MEMORY +PODS +ZONES +ON-DEMAND +SPOT +SPOT SHARE +INTERRUPTED$/);
    expect(lines.find((line) => line.startsWith('m5.large '))).toMatch(
      /^m5.large +amd64 +1930m +6903Mi +29 +5 of 6 +0.0960 +0.0317 +33% \(33-40%\) +10-15%$/,
    );
  });

  test('prints the assumptions below the table', async () => {
    const assumptions =
      'month.\n\nAssumptions\n  - on-demand prices of eu-west-1 are recorded prices of 2025-05-28\n  - spot prices are averages of the 30 days';
    expect((await run(['instance-types', '--region', 'eu-west-1'])).out).toContain(assumptions);
    const { out } = await run(['instance-types', '-', '--region', 'eu-west-1'], SETUP);
    expect(out.split(assumptions.slice(assumptions.indexOf('Assumptions')))).toHaveLength(2);
  });

  test('lists what each NodePool can launch, cheapest first, with its own node class', async () => {
    const { code, out } = await run(['instance-types', '-'], SETUP);
    expect(code).toBe(0);
    expect(out).toMatch(/NodePool compute: 1 instance type\n.*\nc5.large .*\n/);
    expect(out).toMatch(/NodePool default: 2 instance types\n.*\nm5.large .* 20 .*0.0960 +- .*\nm5.xlarge/);
  });

  test('lists what one NodePool can launch as JSON, with the offerings that it allows', async () => {
    const types = JSON.parse(
      (await run(['instance-types', '-', '--nodepool', 'default', '--format', 'json'], SETUP)).out,
    );
    expect(types.map(({ name, nodePool: pool }: { name: string; nodePool: string }) => [name, pool])).toEqual([
      ['m5.large', 'default'],
      ['m5.xlarge', 'default'],
    ]);
    expect(types[0].offerings.map(({ capacityType }: { capacityType: string }) => capacityType)).toEqual([
      'on-demand',
      'on-demand',
      'on-demand',
    ]);
  });

  describe('with reserved capacity', () => {
    const reservation = (id: string) => ({
      id,
      instanceType: 'm5.large',
      availabilityZone: 'us-east-1a',
      reservationType: 'default',
      state: 'active',
    });
    const nodeClass = JSON.stringify({
      apiVersion: 'karpenter.k8s.aws/v1',
      kind: 'EC2NodeClass',
      metadata: { name: 'main' },
      spec: { subnetSelectorTerms: [{ tags: { a: 'b' } }], capacityReservationSelectorTerms: [{ tags: { a: 'b' } }] },
      status: {
        subnets: [{ id: 'subnet-1', zone: 'us-east-1a' }],
        capacityReservations: [reservation('cr-1'), reservation('cr-2')],
      },
    });
    const cluster = `${folderOf({ 'class.json': nodeClass })}/class.json`;
    const written = NODE_CLASS.replace(
      'role: node',
      'role: node\n  capacityReservationSelectorTerms: [{ tags: { a: b } }]',
    );
    const setup = (requirement: string) =>
      [
        written,
        `${nodePool(['m5.large', 'm5.xlarge']).replace('[on-demand]', '[reserved, on-demand]')}${requirement}`,
      ].join('---\n');

    test('prints reservations in the table if there are any', async () => {
      const { out } = await run(['instance-types', '-', '--cluster', cluster], setup(''));
      expect(out).toMatch(/INTERRUPTED +RESERVED\nm5.large .*0.0960 .* cr-1 cr-2\nm5.xlarge .*0.1920 +-[ -]+\n/);
      expect(out).toContain('and reservations are already paid for');
    });

    test('contains only offerings that the NodePool requires', async () => {
      const one = setup('      - { key: karpenter.k8s.aws/capacity-reservation-id, operator: In, values: [cr-2] }\n');
      const types = JSON.parse((await run(['instance-types', '-', '--cluster', cluster, '--format', 'json'], one)).out);
      expect(
        types.map(({ offerings }: { offerings: Array<{ reservationId?: string }> }) =>
          offerings.map(({ reservationId }) => reservationId),
        ),
      ).toEqual([['cr-2']]);
    });
  });

  describe('with NodeOverlays', () => {
    const overlay = (name: string, fields: string) =>
      `apiVersion: karpenter.sh/v1alpha1\nkind: NodeOverlay\nmetadata: { name: ${name} }\nspec:\n  requirements: [{ key: karpenter.k8s.aws/instance-family, operator: In, values: [m5] }]\n  ${fields}\n`;
    const both = [SETUP, overlay('a', 'price: "1"'), overlay('b', 'priceAdjustment: "+100%"')].join('---\n');
    const refused = [SETUP, overlay('a', 'capacity: { cpu: 3 }')].join('---\n');
    const gates = ['--feature-gates', 'NodeOverlay=true'];

    test('prints their prices', async () => {
      expect(
        (await run(['instance-types', '-', ...gates], [SETUP, overlay('a', 'price: "1"')].join('---\n'))).out,
      ).toMatch(/m5.large .*1.0000 +- /);
    });

    test('reports overlays that are not applied', async () => {
      const { code, err, out } = await run(['instance-types', '-', ...gates], both);
      expect([code, out]).toEqual([2, expect.stringMatching(/m5.large .*0.1920 +- /)]);
      expect(err).toContain(
        'NodeOverlay a is not applied: another NodeOverlay with the same weight sets the price of m5.large; give the overlays different weights',
      );
      expect((await run(['instance-types', '-', ...gates], refused)).err).toContain(
        'spec.capacity.cpu: must be an extended resource',
      );
    });

    test('ignores overlays while the feature gate is off', async () => {
      expect([await run(['instance-types', '-'], both), await run(['instance-types', '-'], refused)]).toMatchObject([
        { code: 0, err: '' },
        { code: 0, err: '' },
      ]);
    });
  });

  describe('with requirements', () => {
    const names = (out: string) => JSON.parse(out).map(({ name }: { name: string }) => name);

    test('lists the types that meet all of them, and how many each leaves', async () => {
      const { out } = await run([
        'instance-types',
        '--where',
        'family In [m7g,c7g] and cpu <= 2',
        '--where',
        'size != medium',
      ]);
      expect(out).toMatch(
        /^1,391 instance types → 18 \(family In \[m7g,c7g\]\) → 4 \(cpu <= 2\) → 2 \(size != medium\)\nNAME/,
      );
      expect(out).toMatch(/\nc7g.large .*\nm7g.large /);
    });

    test('keeps only the offerings that they allow', async () => {
      const args = ['--where', 'type = m5.large and zone = us-east-1b', '--capacity-type', 'spot', '--json'];
      const [{ offerings }] = JSON.parse((await run(['instance-types', ...args])).out);
      expect(offerings).toEqual([
        expect.objectContaining({
          zone: 'us-east-1b',
          capacityType: 'spot',
          priceKind: 'recorded',
          priceDate: '2025-05-28',
        }),
      ]);
    });

    test('leaves types out that are not sold in that way', async () => {
      expect(
        names(
          (
            await run([
              'instance-types',
              '--where',
              'family In [m5,u-6tb1] and size In [large,56xlarge]',
              '--capacity-type',
              'spot',
              '--json',
            ])
          ).out,
        ),
      ).toEqual(['m5.large']);
      const zones = 'us-east-1e=use1-az3';
      expect(
        names(
          (await run(['instance-types', '--zones', zones, '--where', 'family = c7i and zone-id = use1-az3', '--json']))
            .out,
        ),
      ).toEqual([]);
    });

    test('filters what a NodePool can launch', async () => {
      const { out } = await run(['instance-types', '-', '--nodepool', 'default', '--where', 'cpu < 4'], SETUP);
      expect(out).toMatch(/^NodePool default: 1 instance type\n2 instance types → 1 \(cpu < 4\)\nNAME.*\nm5.large /);
    });

    test('prints the place of a mistake', async () => {
      const { code, err } = await run(['instance-types', '--where', 'famly In [m5]\t and']);
      expect([code, err]).toEqual([
        2,
        expect.stringContaining('did you mean family?\n  famly In [m5]\\x09 and\n  ^^^^^\n'),
      ]);
    });
  });

  test.each([
    ['price', ['m5.large', 'c5.large', 'm5.xlarge', 'c5.xlarge']],
    ['vcpu', ['c5.large', 'm5.large', 'c5.xlarge', 'm5.xlarge']],
    ['memory', ['c5.large', 'c5.xlarge', 'm5.large', 'm5.xlarge']],
  ])('sorts by %s', async (key, expected) => {
    const { out } = await run([
      'instance-types',
      '--where',
      'type In [m5.xlarge,m5.large,c5.xlarge,c5.large]',
      '--sort',
      key,
      '--json',
    ]);
    expect(JSON.parse(out).map(({ name }: { name: string }) => name)).toEqual(expected);
  });

  test('lists types without a price last', async () => {
    const { out } = await run(['instance-types', '--sort', 'price', '--json', '--region', 'eu-south-2']);
    const prices = (JSON.parse(out) as Array<{ offerings: Array<{ usdPerHour: number | null }> }>).map(
      ({ offerings }) => Math.min(...offerings.map(({ usdPerHour }) => usdPerHour ?? Infinity)),
    );
    expect(prices).toEqual([...prices].sort((left, right) => (left === right ? 0 : left - right)));
    expect(prices.at(-1)).toBe(Infinity);
  });

  test('shows only the prices of one capacity type', async () => {
    const { out } = await run(['instance-types', '--where', 'family = m5', '--capacity-type', 'on-demand']);
    expect(out).toMatch(/PODS +ZONES +ON-DEMAND\n/);
    expect((await run(['instance-types', '--where', 'family = m5', '--capacity-type', 'spot'])).out).toMatch(
      /ZONES +SPOT +SPOT SHARE +INTERRUPTED\n/,
    );
  });

  test('shows which zones offer a type if zone IDs are known', async () => {
    const { out } = await run([
      'instance-types',
      '--zones',
      'us-east-1a=use1-az1,us-east-1e=use1-az3',
      '--where',
      'type In [m5.large,c7i.large]',
    ]);
    expect(out).toMatch(/c7i.large .* 29 +a +0/);
    expect(out).not.toContain(' in ZONES');
  });

  test('prices regions of China in CNY', async () => {
    expect((await run(['instance-types', '--region', 'cn-north-1', '--where', 'family = m5'])).out).toContain(
      'prices are in CNY/h',
    );
    const [{ currency }] = JSON.parse(
      (await run(['instance-types', '--region', 'cn-north-1', '--where', 'type = m5.large', '--json'])).out,
    );
    expect(currency).toBe('CNY');
  });

  test.each([
    [['--nodepool', 'x'], '', '--nodepool: needs manifests; name the files that contain NodePool "x"'],
    [['-', '--nodepool', 'x'], SETUP, '--nodepool: unknown NodePool "x"; write compute or default'],
    [['-'], NODE_CLASS, 'the manifests contain no NodePool that can be evaluated'],
    [
      ['-'],
      `${NODE_CLASS.replace('name: main', 'name: other')}---\n${nodePool(['m5.large'])}`,
      'NodePool default can launch nothing: its EC2NodeClass is not in the input',
    ],
    [
      ['-'],
      SETUP.replace('operator: In', 'operator: Is'),
      '-:20:50: spec.template.spec.requirements[0].operator: must be one of',
    ],
  ])('%j exits with 2', async (args, stdin, message) => {
    const { code, err } = await run(['instance-types', ...args], stdin);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
