import { check, renderJson } from '../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../setup';
import { VERDICT } from './verdict';

describe('the JSON report', () => {
  const verdict = JSON.parse(
    renderJson(
      check(manifests(NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, SMALL), deployment('big', 1, 'cpu: 9'))),
    ),
  );

  test('has the keys of the schema, in order', () => {
    expect(Object.keys(verdict)).toEqual([
      'schemaVersion',
      'summary',
      'nodePools',
      'nodes',
      'workloads',
      'nodeClaims',
      'unschedulable',
      'findings',
      'notEvaluated',
      'assumptions',
      'capacityBuffers',
      'filledNodes',
      'placements',
    ]);
    expect(Object.keys(verdict.summary)).toEqual([
      'errors',
      'warnings',
      'infos',
      'pods',
      'scheduledPods',
      'nodes',
      'cost',
    ]);
    expect(Object.keys(verdict.summary.cost)).toEqual(['usdPerHour', 'lowerBoundUsdPerHour', 'currency', 'prices']);
    expect(Object.keys(verdict.nodePools[0])).toEqual([
      'name',
      'instanceTypes',
      'zones',
      'capacityTypes',
      'elimination',
      'weight',
      'taints',
      'limits',
      'used',
      'nodes',
      'costPerHour',
      'limitCostPerHour',
    ]);
    expect(Object.keys(verdict.nodes[0])).toEqual([
      'name',
      'existing',
      'nodePool',
      'instanceType',
      'zone',
      'capacityType',
      'price',
      'capacity',
      'allocatable',
      'requests',
      'workloads',
      'cheaperTypes',
    ]);
    expect(Object.keys(verdict.workloads[0])).toEqual([
      'kind',
      'namespace',
      'name',
      'location',
      'pods',
      'scheduledPods',
      'requests',
      'nodes',
      'zones',
      'costPerHour',
      'protection',
    ]);
    expect(Object.keys(verdict.nodeClaims[0])).toEqual([
      'id',
      'nodePool',
      'pods',
      'requests',
      'instanceTypes',
      'zones',
      'capacityTypes',
      'cheapest',
      'launch',
    ]);
    expect(Object.keys(verdict.nodeClaims[0].cheapest)).toEqual(['instanceType', 'zone', 'capacityType', 'usdPerHour']);
    expect(Object.keys(verdict.unschedulable[0])).toEqual(['pod', 'reasons', 'smallestChange', 'changesTried']);
    expect(Object.keys(verdict.unschedulable[0].reasons[0])).toEqual([
      'nodePool',
      'message',
      'diagnosis',
      'elimination',
    ]);
    expect(Object.keys(verdict.findings[0])).toEqual([
      'rule',
      'name',
      'severity',
      'subject',
      'location',
      'message',
      'remedy',
      'evidence',
      'excerpt',
    ]);
    expect(Object.keys(verdict.findings[0].subject)).toEqual(['apiVersion', 'kind', 'namespace', 'name']);
    expect(Object.keys(verdict.findings[0].location)).toEqual(['file', 'line', 'column', 'path']);
  });

  test('prints amounts as numbers and maps as objects', () => {
    expect(JSON.parse(renderJson(VERDICT)).findings[1].evidence).toEqual({ amount: 5, each: { cpu: 7 } });
  });

  test('ends with a newline', () => {
    expect(renderJson(VERDICT)).toMatch(/\}\n$/);
  });
});
