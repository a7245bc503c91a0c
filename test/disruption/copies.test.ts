import { copyOfClaim, copyOfNode, copyOfPod } from '../../src/disruption/copies';

const COPIES = { copyOfPod, copyOfNode, copyOfClaim };
/** Each of its properties is that property's own name. */
const NAMES = new Proxy({}, { get: (_, key) => key });

test.each(Object.entries(COPIES))('%s has each property from where it belongs', (_, copyOf) => {
  const copy = (copyOf as (of: object) => object)(NAMES);
  expect(Object.keys(copy).length).toBeGreaterThan(0);
  expect(copy).toEqual(Object.fromEntries(Object.keys(copy).map((key) => [key, key])));
});

test('what nothing is said of stays so', () => {
  const pod = { namespace: 'default', name: 'api-0', shape: { requests: new Map(), tolerations: [], requiredNodeAffinity: [], preferredNodeAffinity: [] }, daemon: false };
  expect(copyOfPod(pod as unknown as Parameters<typeof copyOfPod>[0])).toEqual(pod);
});
