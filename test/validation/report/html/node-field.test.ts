import { FIELD, FieldNode, nodeField, usedShare } from '../../../../src/validation/report/html/node-field';

const NODE: FieldNode = {
  capacity: { cpu: 4, memory: 16 },
  allocatable: { cpu: 3, memory: 16 },
  requests: { pods: { cpu: 1.5, memory: 4 }, daemonSets: { cpu: 0.5 } },
  workloads: [
    { workload: 'shop/web', pods: 2, requests: { cpu: 0.5, memory: 2 } },
    { workload: 'data/db', pods: 1, requests: { cpu: 0.5 } },
  ],
};

test('divides the capacity into system, DaemonSets and namespaces in name order', () => {
  const parts = nodeField(NODE, 'cpu', 'namespace', true);
  expect(parts.map(({ kind, key, path }) => [kind, key, path])).toEqual([
    ['system', '', 'M0 0h250v400h-250z'],
    ['daemons', '', 'M250 0h125v400h-125z'],
    ['pods', 'data', 'M375 0h125v400h-125z'],
    ['pods', 'shop', 'M500 0h250v400h-250z'],
  ]);
});

test('draws a cell for each pod', () => {
  const parts = nodeField(NODE, 'cpu', 'workload', false);
  expect(parts.find(({ key }) => key === 'shop/web')!.path.match(/M/g)).toHaveLength(2);
});

test('leaves out pods that do not request the resource', () => {
  expect(nodeField(NODE, 'memory', 'workload', false).map(({ key }) => key)).toEqual(['shop/web']);
});

test('never draws beyond the node, even if more is requested than there is', () => {
  const [part] = nodeField(
    {
      ...NODE,
      allocatable: NODE.capacity,
      requests: { pods: {}, daemonSets: {} },
      workloads: [{ workload: 'a/b', pods: 1, requests: { cpu: 9 } }],
    },
    'cpu',
    'namespace',
    false,
  );
  expect(part.path).toBe(`M0 0h${FIELD.width}v${FIELD.height}h-${FIELD.width}z`);
});

test('the used share includes DaemonSets, of what the system leaves', () => {
  expect(usedShare(NODE, 'cpu')).toBeCloseTo(2 / 3);
  expect(usedShare(NODE, 'nvidia.com/gpu')).toBeUndefined();
});
