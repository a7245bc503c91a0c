import { amountText, baseUnitText, quantityText, Quantity, resourceAmount } from '../../../src/model';

const amount = (resource: string, text: string): bigint => resourceAmount(resource, Quantity.parse(text));

describe('amountText', () => {
  test.each([
    ['cpu', '1', '1 CPU'],
    ['cpu', '1930m', '1.93 CPUs'],
    ['cpu', '0', '0 CPUs'],
    ['memory', '6903Mi', '6.74 GiB memory'],
    ['pods', '1', '1 pod'],
    ['nodes', '1200', '1,200 nodes'],
    ['nvidia.com/gpu', '2000', '2,000 nvidia.com/gpu'],
  ])('of %s %s is %s', (resource, text, expected) =>
    expect(amountText(resource, amount(resource, text))).toBe(expected),
  );
});

describe('quantityText', () => {
  test.each([
    ['cpu', '13076', '13,076'],
    ['memory', '1000Gi', '1,000 GiB'],
    ['memory', '512Mi', '512 MiB'],
    ['memory', '100', '100 bytes'],
    ['memory', '-1Gi', '-1 GiB'],
    ['hugepages-2Mi', '4Mi', '4 MiB'],
  ])('of %s %s is %s', (resource, text, expected) =>
    expect(quantityText(resource, amount(resource, text))).toBe(expected),
  );

  test('cuts off the third decimal of bytes, so that no amount is shown as more than it is', () => {
    expect(quantityText('memory', amount('memory', '2047Mi'))).toBe('1.99 GiB');
  });
});

test('baseUnitText takes CPUs and bytes', () => {
  expect([baseUnitText('cpu', 7.5), baseUnitText('memory', 2 ** 31), baseUnitText('pods', 1500)]).toEqual([
    '7.5',
    '2 GiB',
    '1,500',
  ]);
});
