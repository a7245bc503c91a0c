import { runScenario } from '../../../src/disruption';
import { ConsolidationMemory } from '../../../src/disruption/scenario/consolidation-memory';
import { clusterOf, HOUR, machine, MINUTE, NOW, pod } from '../builders';

const METHOD = 'SingleNodeConsolidation';

/** Whether the method looks this many seconds after it has found nothing. */
function looks(second: number, changed?: number): boolean {
  const memory = new ConsolidationMemory(NOW);
  memory.settle(METHOD, NOW);
  if (changed !== undefined) memory.change(NOW + changed * 1_000);
  return !memory.isSettled(METHOD, NOW + second * 1_000);
}

describe('a method that has found nothing', () => {
  test.each([[10, false], [290, false], [300, true]])('looks after %d seconds without a change: %s', (second, isLooking) => {
    expect(looks(second)).toBe(isLooking);
  });

  test('looks as soon as the cluster has changed', () => {
    expect(looks(10, 5)).toBe(true);
  });

  test.each([[600, true], [610, false], [890, false], [900, true]])('has looked every five minutes meanwhile, and looks after %d seconds: %s', (second, isLooking) => {
    expect(looks(second)).toBe(isLooking);
  });

  test('has not looked while a decision waited for the second look: where five minutes were over by then, it looks', () => {
    const memory = new ConsolidationMemory(NOW);
    memory.settle(METHOD, NOW);
    memory.wake(NOW + 310_000);
    expect(memory.isSettled(METHOD, NOW + 310_000)).toBe(false);
  });

  test('leaves the others as they are', () => {
    const memory = new ConsolidationMemory(NOW);
    memory.settle(METHOD, NOW);
    expect(memory.isSettled('MultiNodeConsolidation', NOW)).toBe(false);
  });
});

describe('consolidateAfter that is over', () => {
  const idle = (name: string, seconds: number) => machine(name, 'm5.xlarge', [pod(`p-${name}`)], {
    claim: { createdAt: NOW - HOUR, initializedAt: NOW - HOUR, lastPodEventAt: NOW - seconds * 1_000 },
  });
  const kept = machine('kept', 'c5.2xlarge', [pod('q', { cpu: '7' })]);
  const decided = (nodes: Parameters<typeof clusterOf>[0]) => {
    const cluster = clusterOf(nodes, { disruption: { consolidateAfter: 10 * MINUTE } });
    const [{ timeline }] = runScenario('consolidation', cluster, { start: NOW, times: { simulation: 0 } });
    return timeline.filter(({ what }) => what.includes('decides')).map(({ second }) => second)[0];
  };

  test('is seen at the next look where no node could be looked at before', () => {
    expect(decided([idle('a', 580), idle('b', 580)])).toBe(20 + 15);
  });

  test('is seen up to five minutes later where Karpenter has found nothing for another node since', () => {
    expect(decided([idle('a', 580), kept])).toBe(300 + 15);
  });
});
