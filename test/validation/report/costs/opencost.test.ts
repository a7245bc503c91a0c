import { check, renderOpenCostCsv, renderOpenCostJson } from '../../../../src/validation';
import { deployment, manifests, NODE_CLASS, nodePool, SMALL } from '../../setup';

const SETUP = manifests(
  NODE_CLASS,
  nodePool(['m5.large', 'm5.xlarge']),
  deployment('web', 3, SMALL),
  deployment('api', 1, 'cpu: 1, memory: 2Gi'),
);

function costsBy(by: string) {
  return check(SETUP, { costBy: by }).costs!;
}

test('has one window of a month with an allocation for each workload and one for what is idle', () => {
  const { code, data } = JSON.parse(renderOpenCostJson(costsBy('workload')));
  expect([code, data.length, Object.keys(data[0]).sort()]).toEqual([
    200,
    1,
    ['__idle__', 'default/api', 'default/web'],
  ]);
  expect(data[0]['default/web']).toMatchObject({
    name: 'default/web',
    properties: { namespace: 'default', controller: 'web', controllerKind: 'deployment' },
    start: '2026-01-05T00:00:00Z',
    end: '2026-02-04T10:00:00Z',
    minutes: 43800,
    cpuCoreRequestAverage: 1.5,
    ramByteRequestAverage: 3 * 2 ** 30,
  });
});

test('has totals that are the sum of the costs which OpenCost adds up, and of all nodes together', () => {
  const costs = costsBy('namespace');
  const { data } = JSON.parse(renderOpenCostJson(costs));
  const rows: Array<Record<string, number>> = Object.values(data[0]);
  for (const { cpuCost, ramCost, gpuCost, pvCost, sharedCost, totalCost } of rows)
    expect(cpuCost + ramCost + gpuCost + pvCost + sharedCost).toBeCloseTo(totalCost, 6);
  expect(rows.reduce((sum, { totalCost }) => sum + totalCost, 0)).toBeCloseTo(costs.totalCost, 6);
});

test('has the columns of the export to CSV, and a column for the label', () => {
  const [head, ...lines] = renderOpenCostCsv(costsBy('label:app')).trim().split('\n');
  expect(head).toBe(
    'Date,Namespace,ControllerKind,ControllerName,Pod,Container,CPUCoreUsageAverage,CPUCoreRequestAverage,' +
      'RAMBytesUsageAverage,RAMBytesRequestAverage,NetworkReceiveBytes,NetworkTransferBytes,GPUs,PVBytes,CPUCost,RAMCost,' +
      'NetworkCost,PVCost,GPUCost,SharedCost,TotalCost,Node,Label_app',
  );
  expect(lines.map((line) => line.split(',').pop())).toEqual(['web', 'api', '']);
});

test('quotes cells, and lets no spreadsheet run one', () => {
  const costs = costsBy('namespace');
  const rows = costs.rows.map((row) => ({ ...row, properties: { namespace: '=HYPERLINK("x")' } }));
  expect(renderOpenCostCsv({ ...costs, rows })).toContain(`,"'=HYPERLINK(""x"")",`);
});

test('has no allocations without costs', () => {
  expect(JSON.parse(renderOpenCostJson(undefined)).data).toEqual([{}]);
  expect(renderOpenCostCsv(undefined).trim().split('\n')).toHaveLength(1);
});
