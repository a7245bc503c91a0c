import { runScenario } from '../../../src/disruption';
import { NextPass } from '../../../src/disruption/scenario/next-pass';
import { Label } from '../../../src/model';
import { isIn, ofTypes } from '../../scheduling/builders';
import { anyPool, clusterOf, HOUR, machine, NOW, pod } from '../builders';

test('pods that new nodes put off, as they take the limit up as the largest that they could be, get a node ten seconds later', () => {
  const pools = [anyPool({
    requirements: [ofTypes('r5.large', 'm5.xlarge', 'c5.2xlarge'), isIn(Label.CAPACITY_TYPE, 'on-demand')], limits: new Map([['cpu', 16_000n]]),
  })];
  const nodes = ['a', 'b', 'c', 'd'].map((name) => {
    const node = machine(name, 'r5.large', [pod(`web-${name}`, { cpu: '1500m', memory: '9Gi' })]);
    return { ...node, claim: { ...node.claim!, createdAt: NOW, expireAfter: HOUR } };
  });
  const times = { nodeStart: 60, podStart: 20, podStop: 30 };
  const [{ timeline, pending }] = runScenario('expiration', clusterOf(nodes, { pools }), { start: NOW, times });
  const launches = timeline.filter(({ what }) => what.includes('is launched'));
  expect(launches.map(({ second }) => second - launches[0].second)).toEqual([0, 0, 10, 10]);
  expect(pending).toEqual([]);
});

describe('another pass', () => {
  const passes = (...left: number[]) => {
    const next = new NextPass();
    return left.map((pods, at) => {
      next.begins(at * 10_000);
      next.after(at * 10_000, true, pods);
      return next.at - at * 10_000;
    });
  };

  test('follows ten seconds after one that has launched something, for pods that are left, and for places that are others then', () => {
    expect(passes(3, 2, 1, 0)).toEqual([10_000, 10_000, 10_000, 10_000]);
  });

  test('does not follow where three have left as many', () => {
    expect(passes(3, 3, 3, 3, 3)).toEqual([10_000, 10_000, 10_000, Infinity, 10_000]);
  });

  test('does not follow one that has launched nothing', () => {
    const next = new NextPass();
    next.after(0, false, 3);
    expect(next.at).toBe(Infinity);
  });
});
