import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, explain, renderHtml, renderMarkdown, renderText, SourceFile, Verdict } from '../../../src/validation';
import { readSession } from '../../../src/validation/context/check-session';
import { prepareCluster } from '../../../src/validation/scenario';

const NODE_START = { settle: { nodeStart: 38 } };
const sourcesOf = (name: string): SourceFile[] => [
  { path: 'all.yaml', text: readFileSync(join(__dirname, 'fleets', `${name}.yaml`), 'utf8') },
];
const newNodes = ({ nodes }: Verdict) => nodes.filter(({ existing }) => !existing);

describe('the representative of the settled fleets', () => {
  describe.each(['plain-1', 'anti-hard', 'gpu-two-nodes'])('of %s', (name) => {
    const sources = sourcesOf(name);
    const verdict = check(sources, NODE_START);
    const { summary, settled, firstPass } = verdict;

    test('has other nodes than the first pass', () => {
      expect(settled!.nodes.median).toBeGreaterThan(firstPass!.nodes);
    });

    test('is what the JSON counts, lists and prices', () => {
      expect(summary.nodes).toBe(settled!.nodes.median);
      expect(summary.cost.usdPerHour).toBe(settled!.usdPerHour!.median);
      expect(newNodes(verdict)).toHaveLength(settled!.nodes.median);
      expect(verdict.nodeClaims).toHaveLength(settled!.nodes.median);
      const prices = newNodes(verdict).map(({ price }) => price!.perHour);
      expect(prices.reduce((sum, price) => sum + price, 0)).toBeCloseTo(settled!.usdPerHour!.median, 6);
    });

    test('is in the headline of the text, the page and the Markdown', () => {
      const price = `$${settled!.usdPerHour!.median.toFixed(2)}/h`;
      const headline = `fit on ${settled!.nodes.median} nodes, from ${price}`;
      for (const report of [
        renderText(verdict),
        renderHtml(verdict, undefined, []),
        renderMarkdown(verdict).replace(/\\/g, ''),
      ])
        expect(report.replace(/\s+/g, ' ')).toContain(headline);
    });

    test('runs each pod once', () => {
      const pods = verdict.nodeClaims.flatMap((claim) => claim.pods);
      expect(new Set(pods).size).toBe(pods.length);
      expect(pods).toHaveLength(summary.scheduledPods);
    });

    test('requests no more than each node has', () => {
      for (const { allocatable, requests } of newNodes(verdict)) {
        for (const resource of ['cpu', 'memory', 'pods'])
          expect((requests.pods[resource] ?? 0) + (requests.daemonSets[resource] ?? 0)).toBeLessThanOrEqual(
            allocatable[resource],
          );
      }
    });

    test('is where explanations say that pods run', () => {
      const [{ pod, node, settledNode = node }] = explain(sources, ['default/*'], NODE_START).placements;
      const claim = verdict.nodeClaims.find(({ id }) => id === settledNode!.name)!;
      expect(claim.pods).toContain(pod);
      expect('offer' in settledNode! ? settledNode.offer : settledNode!.cheapest).toMatchObject({
        instanceType: claim.launch!.cheapest.instanceType,
      });
    });

    test('is the fleet with which scenarios start', () => {
      expect(prepareCluster(readSession(sources, NODE_START)).cluster.nodes).toHaveLength(settled!.nodes.median);
    });
  });

  test('counts the DaemonSets that run on each node, one of them in a single zone only', () => {
    const nodes = newNodes(check(sourcesOf('daemons'), NODE_START)).filter(({ allocatable: { cpu } }) => cpu > 15);
    expect(nodes.length).toBeGreaterThan(5);
    expect(nodes.map(({ requests }) => requests.daemonSets.cpu)).toEqual(
      nodes.map(({ zone }) => (zone === 'us-east-1b' ? 0.93 : 0.73)),
    );
  });

  test('blames no preferences for a node that only random names add', () => {
    const { findings } = check(sourcesOf('gpu-two-nodes'), NODE_START);
    expect(findings.map(({ rule }) => rule)).not.toContain('KARP-416');
  });

  test('leaves the pods without a node that kube-scheduler leaves, with reasons and a limit that is enough', () => {
    const verdict = check(sourcesOf('limits'), NODE_START);
    const { unschedulable, settled, findings } = verdict;
    expect(unschedulable).toHaveLength(settled!.pendingPods.median);
    expect(unschedulable.every(({ reasons }) => reasons.length > 0)).toBe(true);
    expect(new Set(unschedulable.map(({ pod }) => pod)).size).toBe(unschedulable.length);
    expect(unschedulable.every(({ smallestChange }) => smallestChange?.startsWith('raise limits.cpu'))).toBe(true);
    expect(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual(['KARP-322']);
  });

  test('raises no limit to the value that it has', () => {
    const { unschedulable } = check(sourcesOf('big2-stuck'), NODE_START);
    const raises = unschedulable.flatMap(({ smallestChange }) => smallestChange?.match(/from \d+ to \d+/g) ?? []);
    expect(raises.length).toBeGreaterThan(0);
    expect(raises.filter((raise) => /from (\d+) to \1$/.test(raise))).toEqual([]);
  });
});
