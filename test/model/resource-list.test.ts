import * as fc from 'fast-check';
import {
  fits,
  formatAmount,
  maxResources,
  merge,
  minResources,
  parseResourceList,
  Quantity,
  QuantityError,
  resourceAmount,
  ResourceList,
  subtract,
  subtractFrom,
} from '../../src/model';

function list(amounts: Record<string, number>): Map<string, bigint> {
  return new Map(Object.entries(amounts).map(([resource, amount]) => [resource, BigInt(amount)]));
}

const lists: fc.Arbitrary<ResourceList> = fc
  .dictionary(fc.constantFrom('cpu', 'memory', 'pods', 'nvidia.com/gpu'), fc.bigInt({ min: 0n, max: 2n ** 63n }))
  .map((amounts) => new Map(Object.entries(amounts)));

describe('resourceAmount', () => {
  test.each([
    ['cpu', '1', 1000n],
    ['cpu', '1930m', 1930n],
    ['cpu', '100u', 1n],
    ['cpu', '1n', 1n],
    ['memory', '1Ki', 1_024_000n],
    ['memory', '1500m', 1500n],
    ['memory', '1500001u', 1501n],
    ['hugepages-2Mi', '1Ki', 1024n],
    ['pods', '29', 29n],
    ['nvidia.com/gpu', '1', 1n],
  ])('for %s %s returns %s, rounded up', (resource, text, expected) => {
    expect(resourceAmount(resource, Quantity.parse(text))).toBe(expected);
  });
});

describe('parseResourceList', () => {
  test('reads strings and numbers', () => {
    expect(parseResourceList({ cpu: 0.5, memory: '1Gi', pods: 110, 'ephemeral-storage': '20Gi' })).toEqual(
      new Map([
        ['cpu', 500n],
        ['memory', 1000n * 2n ** 30n],
        ['pods', 110n],
        ['ephemeral-storage', 20_000n * 2n ** 30n],
      ]),
    );
  });

  test('rejects an invalid amount, naming its resource', () => {
    expect(() => parseResourceList({ cpu: '1', memory: '5GB' })).toThrow(
      new QuantityError('memory: not a Kubernetes quantity, got "5GB"; write 5G or 5Gi'),
    );
  });

  test.each([
    [null, 'null'],
    [true, 'true'],
    [['1'], '["1"]'],
    [undefined, 'undefined'],
  ])('rejects %j, which is neither a string nor a number', (value, text) => {
    expect(() => parseResourceList({ cpu: value as unknown as string })).toThrow(
      new QuantityError(`cpu: not a Kubernetes quantity, got ${text}; write a string such as 500m or 2Gi`),
    );
  });

  test('keeps a resource with the name __proto__', () => {
    expect([...parseResourceList(JSON.parse('{"__proto__": "1"}'))]).toEqual([['__proto__', 1n]]);
  });
});

describe('formatAmount', () => {
  test.each([
    ['cpu', 1930n, '1930m'],
    ['cpu', 2000n, '2'],
    ['cpu', 0n, '0'],
    ['cpu', -500n, '-500m'],
    ['memory', 6_903_000n * 2n ** 20n, '6903Mi'],
    ['memory', 8000n * 2n ** 30n, '8Gi'],
    ['memory', 1_000_000n, '1k'],
    ['memory', 1_025_000n, '1025'],
    ['memory', 1500n, '1500m'],
    ['ephemeral-storage', 20_000n * 2n ** 30n, '20Gi'],
    ['hugepages-2Mi', 4n * 2n ** 20n, '4Mi'],
    ['pods', 29n, '29'],
    ['nvidia.com/gpu', 1n, '1'],
    ['example.com/tokens', 2048n, '2048'],
  ])('prints %s of %s as %s', (resource, amount, expected) => {
    expect(formatAmount(resource, amount)).toBe(expected);
  });

  test('prints text that parses to the same amount', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('cpu', 'memory', 'pods', 'hugepages-1Gi'),
        fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
        (resource, amount) => {
          expect(resourceAmount(resource, Quantity.parse(formatAmount(resource, amount)))).toBe(amount);
        },
      ),
    );
  });
});

describe('fits', () => {
  const total = list({ cpu: 1000, memory: 100 });

  test.each<[string, Record<string, number>, boolean]>([
    ['nothing', {}, true],
    ['exactly the total', { cpu: 1000, memory: 100 }, true],
    ['one unit too much', { cpu: 1001 }, false],
    ['nothing of a resource that the total lacks', { 'nvidia.com/gpu': 0 }, true],
    ['some of a resource that the total lacks', { 'nvidia.com/gpu': 1 }, false],
  ])('judges a request of %s', (_, request, expected) => {
    expect(fits(list(request), total)).toBe(expected);
  });

  test('returns false for an empty request if any total is negative', () => {
    expect(fits(list({}), list({ cpu: 1000, memory: -1 }))).toBe(false);
  });

  test('agrees with subtractFrom', () => {
    fc.assert(
      fc.property(lists, lists, (request, available) => {
        const rest = new Map(available);
        subtractFrom(rest, request);
        expect(fits(request, available)).toBe([...rest.values()].every((amount) => amount >= 0n));
      }),
    );
  });
});

describe('arithmetic of resource lists', () => {
  test('merge adds the amounts of all resources', () => {
    expect(merge(list({ cpu: 1, memory: 2 }), list({ cpu: 3, pods: 1 }))).toEqual(list({ cpu: 4, memory: 2, pods: 1 }));
    expect(merge()).toEqual(list({}));
  });

  test('subtract drops resources of the right side only', () => {
    expect(subtract(list({ cpu: 1, memory: 2 }), list({ cpu: 3, pods: 1 }))).toEqual(list({ cpu: -2, memory: 2 }));
  });

  test('subtractFrom makes resources of the source only negative', () => {
    const destination = list({ cpu: 1, memory: 2 });
    subtractFrom(destination, list({ cpu: 3, pods: 1 }));
    expect(destination).toEqual(list({ cpu: -2, memory: 2, pods: -1 }));
  });

  test('maxResources returns the largest amount of all resources, negative amounts included', () => {
    expect(maxResources(list({ cpu: 1, memory: 5 }), list({ cpu: 3, pods: -1 }))).toEqual(
      list({ cpu: 3, memory: 5, pods: -1 }),
    );
  });

  test('minResources returns the smallest amount of the resources that all lists have', () => {
    expect(
      minResources(list({ cpu: 1, memory: 5, pods: 9 }), list({ cpu: 3, pods: 4 }), list({ cpu: 2, pods: 6 })),
    ).toEqual(list({ cpu: 1, pods: 4 }));
    expect(minResources()).toEqual(list({}));
  });

  test('subtract undoes merge', () => {
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        const difference = subtract(merge(a, b), b);
        for (const [resource, amount] of a) {
          expect(difference.get(resource)).toBe(amount);
        }
      }),
    );
  });

  test('does not change its operands', () => {
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        const before = [[...a], [...b]];
        merge(a, b);
        subtract(a, b);
        maxResources(a, b);
        minResources(a, b);
        expect([[...a], [...b]]).toEqual(before);
      }),
    );
  });
});
