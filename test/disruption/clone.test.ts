import { machine, pod } from './builders';
import { cloneClaim, cloneNode, clonePod } from '../../src/disruption/clone';

describe('clones', () => {
  const node = machine('a', 'm5.large', [pod('p')]);

  test.each([
    ['node', node, cloneNode(node)],
    ['pod', node.pods[0], clonePod(node.pods[0])],
    ['claim', node.claim, cloneClaim(node.claim!)],
  ])('copy every property of a %s into a new object', (_, original, clone) => {
    expect(clone).toEqual(original);
    expect(clone).not.toBe(original);
  });

  test('can be changed without changing the original', () => {
    const clone = cloneNode(node);
    clone.deleting = true;
    expect(node.deleting).toBeUndefined();
  });
});
