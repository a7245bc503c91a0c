import { amountText, count, joined, quantityText, someValues } from '../../../src/scheduling/refusals/wording';

const MIB = 2n ** 20n;

describe('amountText', () => {
  test.each([
    ['cpu', 1000n, '1 CPU'],
    ['cpu', 1930n, '1.93 CPUs'],
    ['pods', 1n, '1 pod'],
    ['pods', 29n, '29 pods'],
    ['memory', 6_903_000n * MIB, '6.74 GiB memory'],
    ['hugepages-2Mi', 512n * MIB, '512 MiB hugepages-2Mi'],
    ['nvidia.com/gpu', 8n, '8 nvidia.com/gpu'],
  ])('returns %s %d as %s', (resource, amount, text) => {
    expect(amountText(resource, amount)).toBe(text);
  });
});

describe('quantityText', () => {
  test.each([
    ['cpu', 250n, '0.25'],
    ['memory', 1_000_500n, '1000 bytes'],
    ['ephemeral-storage', 20_000n * 1024n * MIB, '20 GiB'],
    ['memory', -512_000n * MIB, '-0.5 GiB'],
    ['nvidia.com/gpu', 8n, '8'],
  ])('returns %s %d as %s', (resource, amount, text) => {
    expect(quantityText(resource, amount)).toBe(text);
  });
});

test('joined separates names with commas and "and"', () => {
  expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map(joined)).toEqual(['', 'a', 'a and b', 'a, b and c']);
});

test('someValues lists at most five values', () => {
  expect(someValues(['a', 'b'])).toBe('a and b');
  expect(someValues([...'abcdefg'])).toBe('a, b, c, d, e and 2 more');
});

test('count adds a plural s', () => {
  expect([count(1, 'node'), count(2, 'node')]).toEqual(['1 node', '2 nodes']);
});
