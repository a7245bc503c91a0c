import { Chart, Testing } from 'cdk8s';
import * as plus28 from 'cdk8s-plus-28';
import * as plus33 from 'cdk8s-plus-33';
import * as plus34 from 'cdk8s-plus-34';
import { kindsOf, newChart, podOf, written } from './fixtures';
import { Resilience } from '../../src/workloads';

/** The same web server in each version of cdk8s-plus. Their classes are not related, but their objects are alike. */
function webServer(plus: typeof plus28): Chart {
  const chart = newChart();
  const web = new plus.Deployment(chart, 'web', { replicas: 3, metadata: { name: 'web' } });
  web.addContainer({
    image: 'nginx:1.29',
    portNumber: 8080,
    readiness: plus.Probe.fromHttpGet('/'),
    resources: { cpu: { request: plus.Cpu.millis(500) } },
  });
  chart.with(new Resilience());
  return chart;
}

describe.each([
  ['33', plus33],
  ['34', plus34],
])('Resilience protects workloads of cdk8s-plus-%s', (_, plus) => {
  const chart = webServer(plus as unknown as typeof plus28);

  test('with a PodDisruptionBudget, spread over zones, and time to drain', () => {
    expect(kindsOf(chart)).toContain('PodDisruptionBudget');
    const pod = podOf(written(chart, 'Deployment'));
    expect(pod.topologySpreadConstraints).toEqual(
      expect.arrayContaining([expect.objectContaining({ topologyKey: 'topology.kubernetes.io/zone' })]),
    );
    expect(pod.containers[0].lifecycle.preStop).toBeDefined();
  });

  test('as it does those of cdk8s-plus-28', () => {
    const expected = webServer(plus28);
    const safeguards = (of: Chart) => {
      const {
        topologySpreadConstraints,
        terminationGracePeriodSeconds,
        containers: [{ lifecycle }],
      } = podOf(written(of, 'Deployment'));
      const budgets = Testing.synth(of)
        .filter(({ kind }) => kind === 'PodDisruptionBudget')
        .map(({ spec: { maxUnavailable, minAvailable } }) => ({ maxUnavailable, minAvailable }));
      const topologyKeys = topologySpreadConstraints.map(({ topologyKey }: { topologyKey: string }) => topologyKey);
      return { topologyKeys, terminationGracePeriodSeconds, lifecycle, budgets };
    };
    expect(safeguards(chart)).toEqual(safeguards(expected));
  });
});
