import { PodStoryVerdict, renderExplanationsText } from '../../../src/validation';

const STORY: PodStoryVerdict = {
  pod: 'shop/web-0',
  alike: [],
  alikeElsewhere: 0,
  outcome: 'not-tried',
  position: null,
  placedPods: 0,
  openNodeClaims: 0,
  givenUp: [],
  node: null,
  nodePools: [],
  notTried: 'it keeps off',
  smallestChange: null,
  changesTried: 0,
};

test('a pod that Karpenter passes over is one line, and what was not judged is said below', () => {
  expect(renderExplanationsText({ stories: [STORY], untold: 0, notJudged: ['NodePool a is not judged'] }))
    .toBe('shop/web-0 is not tried: it keeps off\n\n- NodePool a is not judged\n');
});

test('an existing node, what was given up and changes that do not help are told', () => {
  const node = { name: 'n1', nodePool: null, podsBefore: 0, instanceTypes: { before: null, withThisPod: null, inTheEnd: null }, elimination: [], cheapest: null };
  const told = renderExplanationsText({
    stories: [
      { ...STORY, outcome: 'existing-node', position: 2, placedPods: 3, notTried: null, node, givenUp: ['the preferred zone'] },
      { ...STORY, outcome: 'unschedulable', placedPods: 1, openNodeClaims: 1, notTried: null, changesTried: 3 },
    ],
    untold: 2,
    notJudged: [],
  });
  expect(told).toBe(`shop/web-0 goes to node n1, which is there already
  as number 2 of 3 pods; no planned node was there to join
  given up for it: the preferred zone

shop/web-0 fits nowhere
  after 1 pod that is placed; 1 planned node was there to join, and does not take it
  none of the 3 changes tried helps

and 2 pods more: name fewer at once
`);
});

test('a node of reserved capacity costs nothing more, and its reservation is named', () => {
  const cheapest = { instanceType: 'm5.large', zone: 'us-east-1a', capacityType: 'reserved', usdPerHour: 9.6e-9, reservation: 'cr-1' };
  const node = { name: 'a-0', nodePool: 'a', podsBefore: 0, instanceTypes: { before: null, withThisPod: 1, inTheEnd: 1 }, elimination: [], cheapest };
  expect(renderExplanationsText({ stories: [{ ...STORY, outcome: 'new-node-claim', notTried: null, node }], untold: 0, notJudged: [] }))
    .toContain('a-0 can be of 1 instance type, the cheapest m5.large of capacity reservation cr-1 in us-east-1a, which is paid for already\n');
});

test('no name steers the terminal', () => {
  expect(renderExplanationsText({ stories: [{ ...STORY, notTried: '\u001b[2J' }], untold: 0, notJudged: [] })).toBe('shop/web-0 is not tried: \\x1b[2J\n');
});

test('NodePools of which the same is said are told once, and named', () => {
  const refusing = (nodePool: string) =>
    ({ nodePool, weight: 0, outcome: 'refuses' as const, message: `no room, karpenter.sh/nodepool In [${nodePool}]`, diagnosis: 'short', elimination: [{ constraint: 'catalogue', left: 0 }] });
  const skipped = (nodePool: string) => ({ nodePool, weight: 0, outcome: 'not tried' as const, message: null, diagnosis: null, elimination: [] });
  const nodePools = [...['a', 'b', 'c', 'd'].map(refusing), ...['e', 'f', 'g', 'h'].map(skipped)];
  expect(renderExplanationsText({ stories: [{ ...STORY, outcome: 'unschedulable', notTried: null, nodePools }], untold: 0, notJudged: [] })).toContain(`
  NodePool a refuses it: no room, karpenter.sh/nodepool In [a]
    short
    0  catalogue
    the same of 3 more: b, c, d
  NodePool e is not asked any more
    the same of 3 more: f, g, h
`);
});

test.each([
  ['joins, all of them there', 0, 'likewise 3 × shop/web'],
  ['joins, one of them elsewhere', 1, 'likewise 3 × shop/web, 1 of them on another node'],
  ['joins, some of them elsewhere', 2, 'likewise 3 × shop/web, 2 of them on other nodes'],
  ['joins, all of them elsewhere', 3, 'likewise 3 × shop/web, on other nodes'],
])('pods that are alike: %s', (_, alikeElsewhere, text) => {
  const node = { name: 'a-0', nodePool: 'a', podsBefore: 1, instanceTypes: { before: 1, withThisPod: 1, inTheEnd: 1 }, elimination: [], cheapest: null };
  const story: PodStoryVerdict = { ...STORY, alike: ['shop/web-1', 'shop/web-2', 'shop/web-3'], alikeElsewhere, notTried: null, node, outcome: 'open-node-claim' };
  const textOf = (outcome: PodStoryVerdict['outcome']) => renderExplanationsText({ stories: [{ ...story, outcome }], untold: 0, notJudged: [] });
  expect(textOf('open-node-claim')).toContain(`  ${text}\n`);
  expect(textOf('existing-node')).toContain(`  ${text}\n`);
  expect(textOf('new-node-claim')).toContain('  likewise 3 × shop/web\n');
});
