import { factsOfNode } from '../../../src/validation/scenario/node-facts';

describe('what a Node tells of its health', () => {
  const since = (...conditions: object[]) => {
    const raw = { metadata: { creationTimestamp: '2026-03-02T10:00:00Z' }, status: { conditions } };
    return factsOfNode({ raw } as never, undefined).unhealthySince;
  };
  const condition = (type: string, status: string, lastTransitionTime = '2026-03-02T11:00:00Z') => ({ type, status, lastTransitionTime });

  test.each([['Ready', 'False'], ['Ready', 'Unknown'], ['KernelReady', 'False']])('is since when %s is %s', (type, status) => {
    expect(since(condition(type, status))).toBe(Date.UTC(2026, 2, 2, 11));
  });

  test.each([['Ready', 'True'], ['KernelReady', 'Unknown'], ['DiskPressure', 'True'], ['toString', 'False']])('is well where %s is %s', (type, status) => {
    expect(since(condition(type, status))).toBeUndefined();
  });

  test('is the first of several, and never before the node was there', () => {
    expect(since(condition('Ready', 'False'), condition('StorageReady', 'False', '2026-03-02T10:30:00Z'))).toBe(Date.UTC(2026, 2, 2, 10, 30));
    expect(since(condition('Ready', 'False', '2026-03-01T00:00:00Z'))).toBe(Date.UTC(2026, 2, 2, 10));
  });
});
