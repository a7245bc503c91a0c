import { runScenario } from '../../../../src/disruption';
import { ConsolidationState } from '../../../../src/disruption/scenario/cluster/consolidation-state';
import { clusterOf, HOUR, machine, MINUTE, NOW, pod } from '../../builders';

const METHOD = 'SingleNodeConsolidation';

/**
 * Whether the method runs this many seconds after it was marked as consolidated.
 *
 * @param changed the second of a change of the cluster
 */
function runs(second: number, changed?: number): boolean {
  const state = new ConsolidationState(NOW);
  state.markConsolidated(METHOD, NOW);
  if (changed !== undefined) state.recordChange(NOW + changed * 1_000);
  return !state.isConsolidated(METHOD, NOW + second * 1_000);
}

describe('a method that is marked as consolidated', () => {
  test.each([
    [10, false],
    [290, false],
    [300, true],
  ])('runs after %d seconds without a change: %s', (second, expected) => {
    expect(runs(second)).toBe(expected);
  });

  test('runs as soon as the cluster changes', () => {
    expect(runs(10, 5)).toBe(true);
  });

  test.each([
    [600, true],
    [610, false],
    [890, false],
    [900, true],
  ])('runs every five minutes, so also after %d seconds: %s', (second, expected) => {
    expect(runs(second)).toBe(expected);
  });

  test('runs after a validation that took until the five minutes were over', () => {
    const state = new ConsolidationState(NOW);
    state.markConsolidated(METHOD, NOW);
    state.resumePolling(NOW + 310_000);
    expect(state.isConsolidated(METHOD, NOW + 310_000)).toBe(false);
  });

  test('does not affect other methods', () => {
    const state = new ConsolidationState(NOW);
    state.markConsolidated(METHOD, NOW);
    expect(state.isConsolidated('MultiNodeConsolidation', NOW)).toBe(false);
  });
});

describe('the end of consolidateAfter', () => {
  const idle = (name: string, seconds: number) =>
    machine(name, 'm5.xlarge', [pod(`p-${name}`)], {
      claim: { createdAt: NOW - HOUR, initializedAt: NOW - HOUR, lastPodEventAt: NOW - seconds * 1_000 },
    });
  const kept = machine('kept', 'c5.2xlarge', [pod('q', { cpu: '7' })]);
  const decided = (nodes: Parameters<typeof clusterOf>[0]) => {
    const cluster = clusterOf(nodes, { disruption: { consolidateAfter: 10 * MINUTE } });
    const [{ timeline }] = runScenario('consolidation', cluster, { start: NOW, times: { simulation: 0 } });
    return timeline.filter(({ what }) => what.includes('decides')).map(({ second }) => second)[0];
  };

  test('is noticed at the next poll if no candidate was found before', () => {
    expect(decided([idle('a', 580), idle('b', 580)])).toBe(20 + 15);
  });

  test('is noticed up to five minutes later if Karpenter found nothing to do for another node', () => {
    expect(decided([idle('a', 580), kept])).toBe(300 + 15);
  });
});
