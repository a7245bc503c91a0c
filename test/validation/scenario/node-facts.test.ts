import { factsOfNode, factsOfNodes } from '../../../src/validation/scenario/node-facts';

const alone = (raw: object) => ({ node: { raw } as never, claim: undefined, registered: true });

describe('what a Node tells while its NodeClaim has the say', () => {
  const made = (kind: string, name: string, more: object) =>
    ({ kind, name, apiVersion: kind === 'Node' ? 'v1' : 'karpenter.sh/v1', raw: { metadata: { name, annotations: { of: kind } }, ...more } }) as never;
  const claim = made('NodeClaim', 'default-x', { status: { providerID: 'aws:///a/i-1' } });
  const node = (registered: string) => {
    const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-03-02T11:00:00Z' }];
    return made('Node', 'n1', {
      metadata: { name: 'n1', annotations: { of: 'Node' }, labels: { 'karpenter.sh/registered': registered, 'node.kubernetes.io/instance-type': 'm5.large' } },
      spec: { providerID: 'aws:///a/i-1' },
      status: { conditions },
    });
  };

  test('is its health, by the name of the claim, whose annotations count', () => {
    const facts = factsOfNodes([claim, node('')]);
    expect([...facts.keys()]).toEqual(['default-x']);
    expect(facts.get('default-x')).toMatchObject({ registered: false, ready: false, annotations: { of: 'NodeClaim' } });
    expect(facts.get('default-x')!.faults).toHaveLength(1);
  });

  test('is all of it once the node is registered', () => {
    expect(factsOfNodes([claim, node('true')]).get('n1')).toMatchObject({ registered: true, ready: false, annotations: { of: 'Node' }, claim: { name: 'default-x' } });
  });
});

describe('what a Node tells of its health', () => {
  const since = (...conditions: object[]) => {
    const raw = { metadata: { creationTimestamp: '2026-03-02T10:00:00Z' }, status: { conditions } };
    return factsOfNode(alone(raw)).faults!.map(({ since: instant }) => instant);
  };
  const condition = (type: string, status: string, lastTransitionTime = '2026-03-02T11:00:00Z') => ({ type, status, lastTransitionTime });

  test('is nothing where a condition is none', () => {
    expect(since({ type: {}, status: [], reason: {} })).toEqual([]);
  });

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
    expect(factsOfNode(alone(raw)).faults!.map(({ tolerated }) => tolerated)).toEqual([minutes * 60_000]);
  });
});
