import { nodeFacts, nodeFactsByName } from '../../../src/validation/scenario/node-facts';

const nodeWithoutClaim = (raw: object) => ({ node: { raw } as never, claim: undefined, registered: true });

describe('nodeFactsByName', () => {
  const made = (kind: string, name: string, more: object) =>
    ({
      kind,
      name,
      apiVersion: kind === 'Node' ? 'v1' : 'karpenter.sh/v1',
      raw: { metadata: { name, annotations: { of: kind } }, ...more },
    }) as never;
  const claim = made('NodeClaim', 'default-x', { status: { providerID: 'aws:///a/i-1' } });
  const node = (registered: string) => {
    const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-03-02T11:00:00Z' }];
    return made('Node', 'n1', {
      metadata: {
        name: 'n1',
        annotations: { of: 'Node' },
        labels: { 'karpenter.sh/registered': registered, 'node.kubernetes.io/instance-type': 'm5.large' },
      },
      spec: { providerID: 'aws:///a/i-1' },
      status: { conditions },
    });
  };

  test('uses name and annotations of the NodeClaim until the Node is registered, and health of the Node', () => {
    const facts = nodeFactsByName([claim, node('')]);
    expect([...facts.keys()]).toEqual(['default-x']);
    expect(facts.get('default-x')).toMatchObject({ registered: false, ready: false, annotations: { of: 'NodeClaim' } });
    expect(facts.get('default-x')!.faults).toHaveLength(1);
  });

  test('uses name and annotations of the Node once it is registered', () => {
    expect(nodeFactsByName([claim, node('true')]).get('n1')).toMatchObject({
      registered: true,
      ready: false,
      annotations: { of: 'Node' },
      claim: { name: 'default-x' },
    });
  });
});

describe('nodeFacts › faults', () => {
  const since = (...conditions: object[]) => {
    const raw = { metadata: { creationTimestamp: '2026-03-02T10:00:00Z' }, status: { conditions } };
    return nodeFacts(nodeWithoutClaim(raw)).faults!.map(({ since: instant }) => instant);
  };
  const condition = (type: string, status: string, lastTransitionTime = '2026-03-02T11:00:00Z') => ({
    type,
    status,
    lastTransitionTime,
  });

  test('ignores malformed conditions', () => {
    expect(since({ type: {}, status: [], reason: {} })).toEqual([]);
  });

  test.each([
    ['Ready', 'False'],
    ['Ready', 'Unknown'],
    ['KernelReady', 'False'],
  ])('returns the start of the condition %s %s', (type, status) => {
    expect(since(condition(type, status))).toEqual([Date.UTC(2026, 2, 2, 11)]);
  });

  test.each([
    ['Ready', 'True'],
    ['KernelReady', 'Unknown'],
    ['DiskPressure', 'True'],
    ['toString', 'False'],
  ])('returns no fault for the condition %s %s', (type, status) => {
    expect(since(condition(type, status))).toEqual([]);
  });

  test('returns each of several faults, starting at the creation of the node at the earliest', () => {
    expect(since(condition('Ready', 'False'), condition('StorageReady', 'False', '2026-03-02T10:30:00Z'))).toEqual([
      Date.UTC(2026, 2, 2, 11),
      Date.UTC(2026, 2, 2, 10, 30),
    ]);
    expect(since(condition('Ready', 'False', '2026-03-01T00:00:00Z'))).toEqual([Date.UTC(2026, 2, 2, 10)]);
  });

  test.each([
    ['NvidiaXID79Error', 10],
    ['NvidiaXID31Error', 30],
    [undefined, 30],
  ])('tolerates the GPU fault %s for %i minutes', (reason, minutes) => {
    const raw = { status: { conditions: [{ ...condition('AcceleratedHardwareReady', 'False'), reason }] } };
    expect(nodeFacts(nodeWithoutClaim(raw)).faults!.map(({ tolerationDuration }) => tolerationDuration)).toEqual([
      minutes * 60_000,
    ]);
  });
});
