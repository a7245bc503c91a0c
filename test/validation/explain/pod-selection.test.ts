import { PodGroup } from '../../../src/scheduling';
import { nearestWorkloads, selectPods } from '../../../src/validation/explain/pod-selection';

const shape = {
  requests: new Map(),
  nodeSelector: {},
  requiredNodeAffinity: [],
  preferredNodeAffinity: [],
  tolerations: [],
  notEvaluated: [],
};
const GROUPS: PodGroup[] = [
  { namespace: 'shop', name: 'web', count: 3, shape },
  { namespace: 'shop', name: 'web-2', count: 1, shape },
  { namespace: 'blog', name: 'web', count: 1, shape },
  { namespace: 'shop', name: 'half', count: 2, firstOrdinal: 3, shape },
  { namespace: 'shop', name: 'solo-1', count: 1, bare: true, shape },
];

test.each([
  ['shop/web-1', ['shop/web-1']],
  ['shop/web', ['shop/web-0', 'shop/web-1', 'shop/web-2']],
  ['web', ['shop/web-0', 'shop/web-1', 'shop/web-2', 'blog/web-0']],
  ['web-0', ['shop/web-0', 'blog/web-0']],
  ['shop/web-2', ['shop/web-2', 'shop/web-2-0']],
  ['shop/solo-1', ['shop/solo-1']],
  ['shop/half-3', ['shop/half-3']],
  ['shop/half', ['shop/half-3', 'shop/half-4']],
  ['shop/half-0', []],
  ['solo-1', ['shop/solo-1']],
  ['shop/web-*', ['shop/web-0', 'shop/web-1', 'shop/web-2', 'shop/web-2-0']],
  ['*/web-0', ['shop/web-0', 'blog/web-0']],
  ['*0', ['shop/web-0', 'shop/web-2-0', 'blog/web-0']],
  ['s*/w*b*1', ['shop/web-1']],
  ['shop/web-3', []],
  ['shop/web-01', []],
  ['shop/solo-1-0', []],
  ['we', []],
  ['', []],
])('selectPods › %s selects %j', (wanted, pods) => {
  expect(selectPods(GROUPS, wanted).flatMap((selected) => selected.pods)).toEqual(pods);
});

test.each([
  ['shop/wep-1', ['shop/web', 'blog/web']],
  ['default/web-0', ['blog/web', 'shop/web']],
  ['sohp/web', ['shop/web', 'blog/web']],
  ['sol-1', ['shop/solo-1']],
  ['blog/solo-11', ['shop/solo-1']],
  ['nothing/alike', ['blog/web', 'shop/half', 'shop/solo-1', 'shop/web', 'shop/web-2']],
])('nearestNames › for %s returns %j', (wanted, names) => {
  expect(nearestWorkloads(GROUPS, wanted)).toEqual(names);
});

test('selectPods › matches a pattern with many stars in linear time', () => {
  const long = [{ namespace: 'a', name: 'x'.repeat(200), count: 1, shape }];
  expect(selectPods(long, `${'*x'.repeat(190)}*y`)).toEqual([]);
});

test('selectPods › returns one pattern for a group with more pods than the solver takes', () => {
  const crowd = [{ namespace: 'shop', name: 'web', count: 2147483647, shape }];
  expect(selectPods(crowd, 'web')).toEqual([{ group: 0, pods: ['shop/web-*'] }]);
});
