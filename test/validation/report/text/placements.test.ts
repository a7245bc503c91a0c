import { PodPlacementReport, renderExplanationsText } from '../../../../src/validation';

const REPORT: PodPlacementReport = {
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

test('prints one line for a pod that Karpenter ignores, and the objects that are not evaluated', () => {
  expect(
    renderExplanationsText({ placements: [REPORT], omittedPods: 0, notEvaluated: ['NodePool a is not evaluated'] }),
  ).toBe('shop/web-0 is not tried: it keeps off\n\n- NodePool a is not evaluated\n');
});

test('prints an existing node, relaxed preferences and changes that do not help', () => {
  const node = {
    name: 'n1',
    nodePool: null,
    podsBefore: 0,
    instanceTypes: { before: null, withThisPod: null, inTheEnd: null },
    elimination: [],
    cheapest: null,
  };
  const text = renderExplanationsText({
    placements: [
      {
        ...REPORT,
        outcome: 'existing-node',
        position: 2,
        placedPods: 3,
        notTried: null,
        node,
        givenUp: ['the preferred zone'],
      },
      { ...REPORT, outcome: 'unschedulable', placedPods: 1, openNodeClaims: 1, notTried: null, changesTried: 3 },
    ],
    omittedPods: 2,
    notEvaluated: [],
  });
  expect(text).toBe(`shop/web-0 runs on node n1, which already exists
  scheduled as pod 2 of 3; no planned node to join
  relaxed: the preferred zone

shop/web-0 fits nowhere
  tried after 1 scheduled pod; 1 planned node to join, but it does not take the pod
  no small change helps (3 tried)

and 2 more pods: name fewer pods at once
`);
});

test('names the reservation of a node with reserved capacity instead of a price', () => {
  const cheapest = {
    instanceType: 'm5.large',
    zone: 'us-east-1a',
    capacityType: 'reserved',
    usdPerHour: 9.6e-9,
    reservation: 'cr-1',
  };
  const node = {
    name: 'a-0',
    nodePool: 'a',
    podsBefore: 0,
    instanceTypes: { before: null, withThisPod: 1, inTheEnd: 1 },
    elimination: [],
    cheapest,
  };
  expect(
    renderExplanationsText({
      placements: [{ ...REPORT, outcome: 'new-node-claim', notTried: null, node }],
      omittedPods: 0,
      notEvaluated: [],
    }),
  ).toContain(
    'a-0 can be 1 instance type; cheapest: m5.large in us-east-1a from capacity reservation cr-1, already paid for\n',
  );
});

test('escapes control characters', () => {
  expect(
    renderExplanationsText({ placements: [{ ...REPORT, notTried: '\u001b[2J' }], omittedPods: 0, notEvaluated: [] }),
  ).toBe('shop/web-0 is not tried: \\x1b[2J\n');
});

test('prints NodePools with the same outcome once', () => {
  const refusing = (nodePool: string) => ({
    nodePool,
    weight: 0,
    outcome: 'refuses' as const,
    message: `no room, karpenter.sh/nodepool In [${nodePool}]`,
    diagnosis: 'short',
    elimination: [{ constraint: 'catalogue', left: 0 }],
  });
  const skipped = (nodePool: string) => ({
    nodePool,
    weight: 0,
    outcome: 'not tried' as const,
    message: null,
    diagnosis: null,
    elimination: [],
  });
  const nodePools = [...['a', 'b', 'c', 'd'].map(refusing), ...['e', 'f', 'g', 'h'].map(skipped)];
  expect(
    renderExplanationsText({
      placements: [{ ...REPORT, outcome: 'unschedulable', notTried: null, nodePools }],
      omittedPods: 0,
      notEvaluated: [],
    }),
  ).toContain(`
  NodePool a rejects the pod: no room, karpenter.sh/nodepool In [a]
    short
    0  catalogue
    same for 3 more: b, c and d
  NodePool e is not tried any more
    same for 3 more: f, g and h
`);
});

test.each([
  ['joins, all on one node', 0, 'same for 3 × shop/web'],
  ['joins, one on another node', 1, 'same for 3 × shop/web, 1 of them on another node'],
  ['joins, some on other nodes', 2, 'same for 3 × shop/web, 2 of them on other nodes'],
  ['joins, all on other nodes', 3, 'same for 3 × shop/web, on other nodes'],
])('prints similar pods: %s', (_, alikeElsewhere, text) => {
  const node = {
    name: 'a-0',
    nodePool: 'a',
    podsBefore: 1,
    instanceTypes: { before: 1, withThisPod: 1, inTheEnd: 1 },
    elimination: [],
    cheapest: null,
  };
  const report: PodPlacementReport = {
    ...REPORT,
    alike: ['shop/web-1', 'shop/web-2', 'shop/web-3'],
    alikeElsewhere,
    notTried: null,
    node,
    outcome: 'open-node-claim',
  };
  const textOf = (outcome: PodPlacementReport['outcome']) =>
    renderExplanationsText({ placements: [{ ...report, outcome }], omittedPods: 0, notEvaluated: [] });
  expect(textOf('open-node-claim')).toContain(`  ${text}\n`);
  expect(textOf('existing-node')).toContain(`  ${text}\n`);
  expect(textOf('new-node-claim')).toContain('  same for 3 × shop/web\n');
});
