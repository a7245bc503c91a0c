import { PodDisruptionBudget, runScenario } from '../../../../../src/disruption';
import { clusterOf, HOUR, machine, NOW, pod } from '../../../builders';

const LABELS = { app: 'web' };
const web = (name: string, ready = true) => pod(name, {}, { ready, more: { labels: LABELS } });
const budget = (more: Partial<PodDisruptionBudget>): PodDisruptionBudget => ({
  namespace: 'default',
  name: 'web',
  selector: { matchLabels: LABELS },
  ...more,
});

describe('a pod whose do-not-disrupt annotation expires', () => {
  const protectedPod = pod('kept', {}, { annotations: { 'karpenter.sh/do-not-disrupt': '4h' } });
  const node = machine('a', 'm5.large', [protectedPod]);

  test('is evicted when the annotation expires, if its node is draining', () => {
    const expired = { ...node, claim: { ...node.claim!, expireAfter: HOUR } };
    const [report] = runScenario('expiration', clusterOf([expired]), { start: NOW });
    expect(report.stuck).toEqual([]);
    expect(report.timeline).toContainEqual({ second: Math.ceil(3 * 3600 + 2.7 + 10), what: 'a is terminated' });
  });

  test('lets its node be disrupted when the annotation expires', () => {
    const [report] = runScenario('drift', clusterOf([node]), { start: NOW });
    expect(report.stuck).toEqual([]);
    expect(report.timeline[0]).toEqual({ second: 3 * 3600, what: 'Drift decides to replace a' });
  });
});

describe('a draining node', () => {
  const OLD = { claim: { createdAt: NOW - HOUR, initializedAt: NOW - HOUR, expireAfter: HOUR } };
  const roomy = machine('z', 'm5.4xlarge', []);
  const simulated = (pods: ReturnType<typeof pod>[], more: Parameters<typeof clusterOf>[1] = {}) =>
    runScenario('expiration', clusterOf([machine('a', 'm5.large', pods, OLD), roomy], more), { start: NOW })[0];
  const at = ({ timeline }: ReturnType<typeof simulated>, wanted: string) =>
    timeline.find(({ what }) => what === wanted)?.second;

  test('drains for at least five seconds, because pods may still be bound to it', () => {
    expect(at(simulated([]), 'a is terminated')).toBe(5);
  });

  test('evicts each pod when the one before is ready elsewhere, as the PodDisruptionBudget demands', () => {
    const pods = [web('x'), web('y'), web('z')];
    const report = simulated(pods, { pdbs: [budget({ maxUnavailable: 1 })] });
    // Each pod is ready after 20 seconds. Evictions are tried after 22.7 and 42.7 seconds; the last pod is deleted ten
    // seconds later.
    expect(at(report, 'a is terminated')).toBe(Math.ceil(42.7 + 10));
    expect(report.workloads[0]).toMatchObject({ lowestReady: 2, evictions: 3 });
  });

  test('does not evict a terminating pod, and waits for it', () => {
    const terminating = pod('x', {}, { terminating: true, killDeadline: NOW + 25_000, more: { labels: LABELS } });
    const report = simulated([terminating, web('y')]);
    expect(at(report, 'a is terminated')).toBe(10);
    expect(report.workloads[0]).toMatchObject({ replicas: 1, evictions: 1 });
  });

  test('does not wait for a pod that should have terminated more than a minute ago', () => {
    const stuck = (killedAt: number) =>
      pod('x', {}, { terminating: true, killDeadline: killedAt, more: { labels: LABELS } });
    expect(at(simulated([stuck(NOW - HOUR)]), 'a is terminated')).toBe(5);
    expect(at(simulated([stuck(NOW - 50_000)]), 'a is terminated')).toBe(11);
  });
});
