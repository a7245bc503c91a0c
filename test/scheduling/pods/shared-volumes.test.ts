import { RequirementSpec } from '../../../src/model';
import { PodShape } from '../../../src/scheduling';
import { isIn, ofTypes, planOf, pods, pool } from '../builders';

const ZONE = 'topology.kubernetes.io/zone';
const HOST = 'kubernetes.io/hostname';
const POOLS = [pool([ofTypes('m5.large')])];
const SMALL = { cpu: '100m' };

function db(volumeTopology: ReadonlyArray<readonly RequirementSpec[]>, more: Partial<PodShape> = {}, count = 1) {
  return pods('db', count, SMALL, { volumeTopology, ...more });
}

const inZone = (zone: string) => [isIn(ZONE, zone)];

describe('volumes of a pod', () => {
  test('restrict its node to their zone', () => {
    expect(planOf({ pools: POOLS, pods: [db([inZone('us-east-1b')])] }).nodeClaims[0].zones).toEqual(['us-east-1b']);
  });

  test("support the EBS driver's zone label", () => {
    expect(
      planOf({ pools: POOLS, pods: [db([[isIn('topology.ebs.csi.aws.com/zone', 'us-east-1c')]])] }).nodeClaims[0].zones,
    ).toEqual(['us-east-1c']);
  });

  test('use the first alternative that the pool allows', () => {
    const inB = [pool([ofTypes('m5.large'), isIn(ZONE, 'us-east-1b')])];
    expect(
      planOf({ pools: inB, pods: [db([inZone('us-east-1a'), inZone('us-east-1b')])] }).nodeClaims[0].zones,
    ).toEqual(['us-east-1b']);
  });

  test("are refused with Karpenter's error in a zone that no pool allows", () => {
    const inB = [pool([ofTypes('m5.large'), isIn(ZONE, 'us-east-1b')])];
    const plan = planOf({ pools: inB, pods: [db([inZone('us-east-1a')])] });
    expect(plan.unschedulable[0].reasons[0].message).toBe(
      `incompatible volume requirements, key ${ZONE}, ${ZONE} In [us-east-1a] not in ${ZONE} In [us-east-1b]`,
    );
  });

  test('on a named host fit no new node', () => {
    const plan = planOf({ pools: POOLS, pods: [db([[isIn(HOST, 'ip-1')]])] });
    expect(plan.unschedulable[0].reasons[0].message).toContain('incompatible volume requirements, ');
  });

  test('do not restrict the zones that topology spread counts', () => {
    const labels = { app: 'db' };
    const topologySpread = [
      {
        maxSkew: 1,
        topologyKey: ZONE,
        whenUnsatisfiable: 'DoNotSchedule' as const,
        labelSelector: { matchLabels: labels },
      },
    ];
    const plan = planOf({ pools: POOLS, pods: [db([inZone('us-east-1a')], { labels, topologySpread }, 3)] });
    expect(plan.nodeClaims.map(({ pods: placed }) => placed.length)).toEqual([1]);
    expect(plan.unschedulable).toHaveLength(2);
  });
});
