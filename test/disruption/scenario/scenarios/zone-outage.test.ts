import { Label } from '../../../../src/model';
import { isIn, ofTypes } from '../../../scheduling/builders';
import { anyPool, machine, pod } from '../../builders';
import { LABELS, simulated, single, WEB, webReport } from '../web-workload';

describe('zone-outage', () => {
  const nodes = [single('a'), single('b', { zone: 'us-east-1b' })];

  test('makes its pods unready at once, and recreates them elsewhere when Kubernetes marks them as lost', () => {
    const [report] = simulated('zone-outage', nodes);
    expect(report.subject).toBe('us-east-1a');
    expect(webReport(report)).toMatchObject({ replicas: 2, lowestReady: 1, evictions: 1 });
    expect(report.seconds).toBe(350 + 60 + 20);
    expect(report.unplaced).toEqual([]);
    expect(report.timeline.some(({ what }) => what.includes('launched') && what.includes('us-east-1a'))).toBe(false);
    expect(report.pending).toEqual([]);
  });

  test('recreates pods earlier after shorter tolerations', () => {
    const tolerations = [
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 },
    ];
    const quick = machine('a', 'm5.large', [pod('a', { cpu: '1500m' }, { more: { labels: LABELS, tolerations } })]);
    const [report] = simulated('zone-outage', [quick, single('b', { zone: 'us-east-1b' })]);
    expect(report.timeline.find(({ what }) => what.includes('is launched'))?.second).toBe(60);
    expect(report.timeline).toContainEqual({ second: 350, what: 'a is lost' });
    expect(webReport(report)).toMatchObject({ lowestReady: 1, evictions: 1 });
  });

  test('recreates pods node by node, ten seconds apart, until the nodes are removed', () => {
    const tolerations = [
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 285 },
    ];
    const quick = (name: string) =>
      machine(name, 'm5.large', [pod(name, { cpu: '1500m' }, { more: { labels: LABELS, tolerations } })]);
    const [report] = simulated('zone-outage', [
      ...['a', 'b', 'c', 'd'].map(quick),
      single('e', { zone: 'us-east-1b' }),
    ]);
    expect(report.timeline.filter(({ what }) => what.includes('is launched')).map(({ second }) => second)).toEqual([
      335, 345, 350, 350,
    ]);
  });

  test('removes a draining node without pods', () => {
    const [report] = simulated('zone-outage', [
      machine('a', 'm5.large', [], { deleting: true }),
      single('b'),
      single('c', { zone: 'us-east-1b' }),
    ]);
    expect(report.timeline.filter(({ what }) => /terminated|lost/.test(what))).toEqual([
      { second: 5, what: 'a is terminated' },
      { second: 350, what: 'b is lost' },
    ]);
  });

  describe('with a topology spread over zones (DoNotSchedule)', () => {
    const topologySpread = [
      {
        maxSkew: 1,
        topologyKey: Label.ZONE,
        whenUnsatisfiable: 'DoNotSchedule' as const,
        labelSelector: { matchLabels: LABELS },
      },
    ];
    const spread = (name: string, zone: string) =>
      machine(name, 'm5.large', [pod(name, { cpu: '1500m' }, { more: { labels: LABELS, topologySpread } })], { zone });

    test('moves pods to a zone that has none', () => {
      const [report] = simulated('zone-outage', [spread('a', 'us-east-1a'), spread('b', 'us-east-1b')]);
      expect(report.pending).toEqual([]);
      expect(report.timeline.filter(({ what }) => what.includes('launched')).map(({ what }) => what)).toEqual([
        expect.stringContaining('us-east-1c'),
      ]);
    });

    test('leaves pods pending if the NodePools allow no such zone', () => {
      const pools = [anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.ZONE, 'us-east-1a', 'us-east-1b')] })];
      const [report] = simulated('zone-outage', [spread('a', 'us-east-1a'), spread('b', 'us-east-1b')], { pools });
      expect(report.pending).toEqual(['default/web-new-0']);
      expect(report.unplaced[0].why).toBe(
        'topology spread over zones still counts us-east-1a, and allows no more pods in the others',
      );
    });

    test('binds pods to nodes of other zones after the failed nodes are removed, because Kubernetes counts only zones with nodes', () => {
      const roomy = (name: string, zone: string) => ({
        ...spread(name, zone),
        ...machine(name, 'm5.xlarge', spread(name, zone).pods, { zone }),
      });
      const [report] = simulated('zone-outage', [
        spread('a', 'us-east-1a'),
        roomy('b', 'us-east-1b'),
        roomy('c', 'us-east-1c'),
      ]);
      expect(report.unplaced).toEqual([]);
      expect(report.seconds).toBe(350 + 20);
    });

    test('leaves pods pending if each other zone has one, because Karpenter still counts the failed zone', () => {
      const [report] = simulated('zone-outage', [
        spread('a', 'us-east-1a'),
        spread('b', 'us-east-1b'),
        spread('c', 'us-east-1c'),
      ]);
      expect(report.pending).toEqual(['default/web-new-0']);
      expect(report.unplaced).toEqual([
        {
          workload: WEB,
          pods: ['default/web-new-0'],
          why: 'topology spread over zones still counts us-east-1a, and allows no more pods in the others',
        },
      ]);
    });

    test('names the volume of a pod as the reason if it blocks even without the spread', () => {
      const volumeTopology = [[isIn(Label.ZONE, 'us-east-1a')]];
      const db = pod(
        'db-0',
        { cpu: '1500m' },
        { owner: { kind: 'StatefulSet', name: 'web' }, more: { labels: LABELS, topologySpread, volumeTopology } },
      );
      const [report] = simulated('zone-outage', [
        machine('a', 'm5.large', [db]),
        spread('b', 'us-east-1b'),
        spread('c', 'us-east-1c'),
      ]);
      expect(report.unplaced).toEqual([
        {
          workload: 'StatefulSet default/web',
          pods: ['default/db-0'],
          why: expect.stringContaining('incompatible volume requirements'),
        },
      ]);
    });
  });

  test('leaves a pod pending whose volume is in the zone', () => {
    const volumeTopology = [[isIn(Label.ZONE, 'us-east-1a')]];
    const db = pod('db-0', undefined, { owner: { kind: 'StatefulSet', name: 'db' }, more: { volumeTopology } });
    const [report] = simulated('zone-outage', [machine('a', 'm5.large', [db]), nodes[1]]);
    expect(report.pending).toEqual(['default/db-0']);
    expect(report.unplaced).toEqual([
      {
        workload: 'StatefulSet default/db',
        pods: ['default/db-0'],
        why: expect.stringMatching(
          /^incompatible volume requirements, key topology.kubernetes.io\/zone, .* In \[us-east-1a\]/,
        ),
      },
    ]);
  });
});
