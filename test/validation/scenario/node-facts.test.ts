import { factsOfNode } from '../../../src/validation/scenario/node-facts';

describe('what a Node tells of its health', () => {
  const since = (...conditions: object[]) => {
    const raw = { metadata: { creationTimestamp: '2026-03-02T10:00:00Z' }, status: { conditions } };
    return factsOfNode({ raw } as never, undefined).faults!.map(({ since: instant }) => instant);
  };
  const condition = (type: string, status: string, lastTransitionTime = '2026-03-02T11:00:00Z') => ({ type, status, lastTransitionTime });

  test.each([['Ready', 'False'], ['Ready', 'Unknown'], ['KernelReady', 'False']])('is since when %s is %s', (type, status) => {
    expect(since(condition(type, status))).toEqual([Date.UTC(2026, 2, 2, 11)]);
  });

  test.each([['Ready', 'True'], ['KernelReady', 'Unknown'], ['DiskPressure', 'True'], ['toString', 'False']])('is well where %s is %s', (type, status) => {
    expect(since(condition(type, status))).toEqual([]);
  });

  test('is each of several, and never before the node was there', () => {
    expect(since(condition('Ready', 'False'), condition('StorageReady', 'False', '2026-03-02T10:30:00Z')))
      .toEqual([Date.UTC(2026, 2, 2, 11), Date.UTC(2026, 2, 2, 10, 30)]);
    expect(since(condition('Ready', 'False', '2026-03-01T00:00:00Z'))).toEqual([Date.UTC(2026, 2, 2, 10)]);
  });

  test.each([['NvidiaXID79Error', 10], ['NvidiaXID31Error', 30], [undefined, 30]])('of a GPU with the fault %s is bad enough after %i minutes', (reason, minutes) => {
    const raw = { status: { conditions: [{ ...condition('AcceleratedHardwareReady', 'False'), reason }] } };
    expect(factsOfNode({ raw } as never, undefined).faults!.map(({ tolerated }) => tolerated)).toEqual([minutes * 60_000]);
  });
});
