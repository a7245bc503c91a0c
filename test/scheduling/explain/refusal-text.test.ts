import { PackerRefusal } from '../../../src/kernel';
import { parseResourceList, Requirements } from '../../../src/model';
import { schedule } from '../../../src/scheduling';
import { Attempt } from '../../../src/scheduling/refusals/attempt';
import { refusalText } from '../../../src/scheduling/refusals/refusal-text';
import { CATALOG, daemonSet, input, isIn, ofTypes, planOf, pods, pool, InputFields } from '../builders';

const FAMILY = 'karpenter.k8s.aws/instance-family';

const MET = { requirements: 1, fits: 2, offering: 4 };
const ALL = MET.requirements + MET.fits + MET.offering;
const PAIR = { requirementsAndFits: 8, requirementsAndOffering: 16, fitsAndOffering: 32 };

function filtered(flags: number, requests = parseResourceList({ cpu: 1, pods: 1 })): string {
  const attempt = { requirements: Requirements.from([isIn('a', 'x')]), groups: [], requests } as Pick<
    Attempt,
    'requirements' | 'groups' | 'requests'
  > as Attempt;
  return refusalText(PackerRefusal.FILTERED + flags, attempt);
}

function refusal(scene: InputFields): string {
  return schedule(input(scene), CATALOG).unschedulable[0].reasons[0].message;
}

describe("refusalText without instance types returns Karpenter's error", () => {
  test.each([
    ['no instance type met the scheduling requirements or had enough resources or had a required offering', 0],
    ['no instance type met the scheduling requirements or had enough resources', MET.offering],
    ['no instance type met the scheduling requirements or had a required offering', MET.fits],
    ['no instance type had enough resources or had a required offering', MET.requirements],
    ['no instance type met all requirements', MET.fits + MET.offering],
    ['no instance type has enough resources', MET.requirements + MET.offering],
    ['no instance type has the required offering', MET.requirements + MET.fits],
    [
      'no instance type which met the scheduling requirements and had enough resources, had a required offering',
      ALL + PAIR.requirementsAndFits + PAIR.fitsAndOffering,
    ],
    [
      'no instance type which had enough resources and the required offering met the scheduling requirements',
      ALL + PAIR.fitsAndOffering + PAIR.requirementsAndOffering,
    ],
    [
      'no instance type which met the scheduling requirements and the required offering had the required resources',
      ALL + PAIR.requirementsAndOffering,
    ],
    ['no instance type met the requirements/resources/offering tuple', ALL],
  ])('%s', (text, flags) => {
    expect(filtered(flags)).toBe(`${text}, requirements=a In [x], resources={"cpu":"1","pods":"1"}`);
  });

  test('mentions a likely typo for a million CPUs only if size is the only problem', () => {
    const million = parseResourceList({ cpu: '1M' });
    expect(filtered(MET.requirements + MET.offering, million)).toMatch(/ \(CPU request >= 1 Million, m vs M typo\?\)$/);
    expect(filtered(MET.offering, million)).not.toContain('typo');
  });
});

// In Karpenter a type fits only if it also has an offering, so the other errors never occur with real instance types.
describe('schedule returns', () => {
  const zz = { nodeSelector: { [FAMILY]: 'zz' } };

  test.each<[string, InputFields]>([
    [
      'no instance type met the scheduling requirements or had enough resources or had a required offering',
      {
        pools: [pool([])],
        pods: [pods('web', 1, { cpu: 1 }, { nodeSelector: { 'topology.kubernetes.io/zone': 'us-east-1z' } })],
      },
    ],
    [
      'no instance type met the scheduling requirements or had enough resources',
      { pools: [pool([])], pods: [pods('web', 1, { cpu: 9000 }, zz)] },
    ],
    ['no instance type met all requirements', { pools: [pool([])], pods: [pods('web', 1, { cpu: 1 }, zz)] }],
    ['no instance type has enough resources', { pools: [pool([])], pods: [pods('web', 1, { cpu: 9000 })] }],
    [
      'no instance type which had enough resources and the required offering met the scheduling requirements',
      { pools: [pool([])], pods: [pods('web', 1, { cpu: 200 }, { nodeSelector: { [FAMILY]: 't3' } })] },
    ],
  ])('%s', (text, scene) => {
    expect(refusal(scene).split(', requirements=')[0]).toBe(text);
  });
});

describe('details of a refusal', () => {
  const small = { cpu: '100m' };

  test('contain minimum and maximum requests if daemonsets differ by instance type', () => {
    const gpuAgent = daemonSet('gpu', { cpu: '2' }, { nodeSelector: { 'karpenter.k8s.aws/instance-gpu-name': 't4' } });
    const agent = daemonSet('agent', { cpu: '1' });
    const message = refusal({
      pools: [pool([ofTypes('m5.large', 'g4dn.xlarge')])],
      pods: [pods('web', 1, { cpu: 9 })],
      daemonSets: [agent, gpuAgent],
    });
    expect(message.split(', resources=')[1]).toBe('min={"cpu":"10","pods":"2"}, max={"cpu":"12","pods":"3"}');
  });

  test('contain one amount if daemonsets are equal on all types', () => {
    const message = refusal({
      pools: [pool([ofTypes('m5.large')])],
      pods: [pods('web', 1, { cpu: 9 })],
      daemonSets: [daemonSet('agent', { cpu: '1' })],
    });
    expect(message.split(', resources=')[1]).toBe('{"cpu":"10","pods":"2"}');
  });

  test('contain the zone that topology spread selects at the end', () => {
    const spread = {
      maxSkew: 1,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable: 'DoNotSchedule' as const,
      labelSelector: { matchLabels: { app: 'web' } },
    };
    const web = { labels: { app: 'web' }, topologySpread: [spread] };
    const message = refusal({
      pools: [pool([ofTypes('m5.large')])],
      pods: [pods('web', 1, small, web), pods('big', 1, { cpu: 9 }, web)],
    });
    expect(message).toContain('topology.kubernetes.io/zone In [us-east-1b],');
  });

  test('count minValues over the instance types within limits', () => {
    const families = pool([{ ...isIn(FAMILY, 'm5', 'c5'), minValues: 2 }, ofTypes('m5.4xlarge', 'c5.large')], {
      limits: parseResourceList({ cpu: 4 }),
    });
    expect(refusal({ pools: [families], pods: [pods('web', 1, small)] })).toMatch(
      /^minValues requirement is not met for label\(s\) \(label\(s\)=\[karpenter\.k8s\.aws\/instance-family\]\), /,
    );
  });
});

describe('refusal by several taints', () => {
  test('names each untolerated taint', () => {
    const tainted = pool([], {
      taints: [
        { key: 'a', value: 'x', effect: 'NoSchedule' },
        { key: 'b', effect: 'NoExecute' },
      ],
    });
    expect(planOf({ pools: [tainted], pods: [pods('web', 1, { cpu: 1 })] }).unschedulable[0].reasons[0].message).toBe(
      'did not tolerate taint (taint=a=x:NoSchedule); did not tolerate taint (taint=b:NoExecute)',
    );
  });
});
