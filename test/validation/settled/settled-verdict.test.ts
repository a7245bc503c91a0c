import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, CheckOptions, renderHtml, renderText, SourceFile } from '../../../src/validation';
import { deployment, NODE_CLASS, nodePool } from '../setup';

const recorded = (name: string): SourceFile[] => [
  { path: 'all.yaml', text: readFileSync(join(__dirname, 'fleets', `${name}.yaml`), 'utf8') },
];
const one = [
  { path: 'one.yaml', text: [NODE_CLASS, nodePool(['m5.large']), deployment('web', 1, 'cpu: 1')].join('---\n') },
];
const settled = (sources: readonly SourceFile[], options: CheckOptions = {}) =>
  check(sources, { settle: { nodeStart: 38 }, ...options });
/** The text in one line. */
const textOf = (sources: readonly SourceFile[], options?: CheckOptions) =>
  renderText(settled(sources, options)).replace(/\s+/g, ' ');

describe('a verdict with the fleets that Karpenter ends with', () => {
  const verdict = settled(recorded('gpu-two-nodes'));

  test('has the fleet of the first pass, the range, and the range after consolidation', () => {
    const { firstPass, settled: range, consolidated } = verdict;
    const exactly = (figure: number) => ({ least: figure, median: figure, most: figure });
    expect(firstPass).toEqual({ nodes: 1, usdPerHour: 4.6016 });
    expect(range).toEqual({
      orders: 20,
      nodes: exactly(2),
      usdPerHour: exactly(5.4064),
      pendingPods: exactly(0),
    });
    expect(consolidated).toEqual({ orders: 1, nodes: exactly(1), usdPerHour: exactly(4.6016) });
  });

  test('says all three in the text and the page', () => {
    const sentence = 'Right after Karpenter&#39;s first pass: 1 node, $4.60/h; consolidated: 1 node, $4.60/h.';
    expect(renderText(verdict).replace(/\s+/g, ' ')).toContain(sentence.replace('&#39;', "'"));
    expect(renderHtml(verdict, undefined, [])).toContain(sentence);
  });

  test('prices consolidated fleets with the licence of Windows', () => {
    const pool = `${nodePool(['m5.large'])}      - { key: kubernetes.io/os, operator: In, values: [windows] }\n`;
    const documents = [NODE_CLASS.replace('al2023@v20250915', 'windows2022@latest'), pool];
    const pod = '      nodeSelector: { kubernetes.io/os: windows }\n';
    const text = [...documents, deployment('web', 1, 'cpu: 1', pod)].join('---\n');
    const { summary, consolidated } = settled([{ path: 'all.yaml', text }]);
    expect([summary.nodes, consolidated?.usdPerHour?.median]).toEqual([1, summary.cost.usdPerHour]);
    expect(summary.cost.lowerBoundUsdPerHour).toBe(summary.cost.usdPerHour);
  });

  test('states no price of consolidated fleets if the region has no prices', () => {
    const { summary, consolidated } = settled(recorded('gpu-two-nodes'), { region: 'ap-east-2' });
    expect([summary.cost.usdPerHour, consolidated?.nodes.median, consolidated?.usdPerHour]).toEqual([null, 1, null]);
  });

  test('simulates at most as many orders as the options say', () => {
    expect(settled(one, { settle: { maxOrders: 4 } }).settled?.orders).toBe(4);
  });

  test('names no range if all fleets are the planned one', () => {
    expect(settled(one).settled?.nodes).toEqual({ least: 1, median: 1, most: 1 });
    expect(textOf(one)).not.toContain('first pass');
  });

  test('says that kube-scheduler decides which pods have no node', () => {
    expect(textOf(recorded('limits'))).toMatch(
      /Once the nodes are up, \d+ to \d+ pods have no node: kube-scheduler decides which ones\./,
    );
  });

  test('counts no pod as pending that a NodePool with unknown types might take', () => {
    const unknown = nodePool(['x9z.large'], 'newer');
    const documents = [NODE_CLASS, nodePool(['m5.large']), unknown, deployment('web', 1, 'cpu: 1')];
    const sources = [{ path: 'one.yaml', text: [...documents, deployment('big', 3, 'cpu: 6')].join('---\n') }];
    const { notEvaluated, settled: range } = settled(sources);
    expect(notEvaluated).toHaveLength(3);
    expect(range!.pendingPods).toEqual({ least: 0, median: 0, most: 0 });
    expect(textOf(sources)).not.toContain('kube-scheduler decides');
  });

  test('has no consolidated range if no NodePool consolidates', () => {
    expect(settled(recorded('limits'))).toMatchObject({ settled: {}, firstPass: {} });
    expect(settled(recorded('limits')).consolidated).toBeUndefined();
  });

  test('has more nodes if workloads are created one after the other', () => {
    const together = settled(recorded('plain-1'));
    const { settled: range } = settled(recorded('plain-1'), { settle: { nodeStart: 38, order: 'manifest' } });
    expect(range!.nodes.least).toBeGreaterThan(together.settled!.nodes.most);
  });

  test('creates the workloads of one file together', () => {
    const together = settled(recorded('zone-hard')).settled;
    expect(
      settled(recorded('zone-hard'), { settle: { nodeStart: 38, order: 'file-by-file', interval: 60 } }).settled,
    ).toEqual(together);
  });

  test('has no range without the option', () => {
    expect(check(one)).not.toHaveProperty('settled');
    expect(check(one)).not.toHaveProperty('firstPass');
  });

  test('has no range if no node is launched', () => {
    expect(settled([{ path: 'one.yaml', text: deployment('web', 1, 'cpu: 1') }])).not.toHaveProperty('settled');
  });
});
