import { CheckOptions, SimulatedScenario, simulateScenario } from '../../../../../src/validation';
import { consolidateAfterTooShort } from '../../../../../src/validation/rules/disruption/consolidation/consolidate-after-too-short';
import { autoscaler, cronJob, deployment, judge, nodeClass, nodePool, oneOf, PoolFields, types } from '../../judge';
import { clusterWithOversizedNode } from '../oversized-node';

const rule = consolidateAfterTooShort;
const judged = (fields: PoolFields, ...documents: string[]) =>
  judge(rule, [nodeClass(), nodePool('default', fields), ...documents]);
const after = (consolidateAfter: string, consolidationPolicy?: string) => ({
  disruption: { consolidateAfter, consolidationPolicy },
});
const slow = deployment('web', {
  containers: [
    {
      name: 'main',
      image: 'app',
      readinessProbe: { initialDelaySeconds: 90, httpGet: { port: 80 } },
      resources: { requests: { cpu: 1, memory: '1Gi' } },
    },
  ],
});

describe('KARP-421 consolidate-after-too-short', () => {
  test('reports pods that take longer to start', () => {
    const { states, findings } = judged({}, slow);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain(
      'consolidates 0s after the last change on a node, but the pods of Deployment web take at least 90 s to start',
    );
    expect(findings[0].remedy).toContain('1m30s');
  });

  test('notes a startup probe that allows ten minutes or more', () => {
    const probed = (startupProbe: object) =>
      judged(after('1m'), deployment('web', { containers: [{ resources: { requests: { cpu: 1 } }, startupProbe }] }))
        .findings;
    expect(probed({ failureThreshold: 60, httpGet: { port: 80 } })).toMatchObject([
      { severity: 'info', message: expect.stringContaining('gives its pods up to 600 s to start') },
    ]);
    expect(probed({ failureThreshold: 30, httpGet: { port: 80 } })).toEqual([]);
  });

  test('passes an autoscaler whose most pods fit on the planned node', () => {
    const small = { requests: { cpu: '100m', memory: '64Mi' }, replicas: 1 };
    const large: PoolFields = { ...after('1m'), requirements: [types('m5.large')] };
    expect(judged(large, deployment('web', {}, small), autoscaler()).states).toEqual(['pass NodePool/default']);
  });

  test('reports an autoscaler with a longer window, and a CronJob', () => {
    const large: PoolFields = { ...after('1m'), requirements: [types('m5.large')] };
    const web = deployment('web', {}, { requests: { cpu: '1500m', memory: '1Gi' }, replicas: 1 });
    expect(judged(large, web, autoscaler()).findings[0].evidence).toMatchObject({
      consolidateAfter: '1m',
      seconds: 300,
    });
    expect(judged(after('1m'), cronJob('sync', '*/15 * * * *')).findings[0].message).toContain('CronJob sync');
    expect(judged(after('1m'), cronJob('sync', '*/15 * * * *')).findings[0].remedy).toMatch(
      /^write consolidateAfter: 5m or more, /,
    );
    expect(judged(after('1m'), cronJob('sync', '* * * * *')).findings[0].remedy).toMatch(
      /^run CronJob sync in a NodePool of its own, /,
    );
  });

  describe('with a simulation', () => {
    const large: PoolFields = { requirements: [types('m5.large'), oneOf('karpenter.sh/capacity-type', 'on-demand')] };
    const big = { requests: { cpu: '1500m', memory: '1Gi' } };
    const sync = (when: string, parallelism = 2, more: object = {}) => {
      const job = JSON.parse(cronJob('sync', when, {}, { parallelism }));
      job.spec.jobTemplate.spec.template.spec.containers[0].resources = big;
      return JSON.stringify({ ...job, spec: { ...job.spec, ...more } });
    };
    const simulatedReport = (
      documents: readonly string[],
      options: CheckOptions = {},
      scenario: SimulatedScenario = 'consolidation',
    ) => simulateScenario([{ path: 'test.yaml', text: documents.join('\n---\n') }], scenario, options).reports[0];

    test.each([
      ['*/15 * * * *', '96 runs a day remove 2 nodes and add 2 nodes'],
      ['0 9 * * 1', 'each run removes 2 nodes and adds 2 nodes'],
    ])('says how many nodes are removed after each run of a CronJob at %s', (when, frequency) => {
      const [finding] = judged(large, deployment('web', {}, big), sync(when)).findings;
      const withPods = simulatedReport([
        nodeClass(),
        nodePool('default', large),
        deployment('web', {}, big),
        sync(when),
      ]).after.nodes;
      const withoutPods = simulatedReport([nodeClass(), nodePool('default', large), deployment('web', {}, big)]).after
        .nodes;
      const ended = simulatedReport(
        [nodeClass(), nodePool('default', large), deployment('web', {}, big), sync(when)],
        {},
        'job-end',
      );
      expect([withPods, withoutPods]).toEqual([3, 1]);
      expect(ended).toMatchObject({
        subject: 'Job default/sync',
        before: { nodes: withPods },
        after: { nodes: withoutPods },
      });
      expect(finding.evidence).toMatchObject({ betweenRuns: { seconds: ended.seconds } });
      expect(finding.message).toContain(
        `; simulated: ${withPods} nodes with the pods of CronJob sync, ${withoutPods} left `,
      );
      expect(finding.message).toMatch(new RegExp(`: if runs finish that long before the next, ${frequency}$`));
    });

    test('does not mention runs with too short gaps, suspended CronJobs, or pods that need no node of their own', () => {
      const quiet = { disruption: { consolidateAfter: '2m' } };
      expect(
        judged({ ...large, ...quiet }, deployment('web', {}, big), sync('*/2 * * * *')).findings[0].evidence,
      ).toMatchObject({ betweenRuns: null });
      expect(
        judged({ ...large, ...quiet }, deployment('web', {}, big), sync('*/10 * * * *')).findings[0].evidence,
      ).toMatchObject({ betweenRuns: { nodesWith: 3, nodesWithout: 1 } });
      expect(judged(large, deployment('web', {}, big), sync('@hourly', 2, { suspend: true })).findings).toEqual([]);
      expect(judged({}, deployment('web'), cronJob('sync', '@hourly')).findings[0].evidence).toMatchObject({
        betweenRuns: null,
      });
    });

    test('says what one consolidation does if there is no CronJob', () => {
      const cluster = clusterWithOversizedNode();
      const documents = [
        nodeClass(),
        nodePool('default', {
          requirements: [types('m5.large', 'm5.4xlarge'), oneOf('karpenter.sh/capacity-type', 'on-demand')],
        }),
        slow,
      ];
      const report = simulatedReport(documents, { cluster });
      expect(report.workloads[0]).toMatchObject({ workload: 'Deployment default/web', evictions: 1 });
      expect(judge(rule, documents, { cluster }).findings[0]).toMatchObject({
        message: expect.stringMatching(
          /; simulated: consolidation of the planned cluster, from 1 node to 1, evicts 1 pod$/,
        ),
        evidence: {
          consolidation: { nodes: report.before.nodes, nodesAfter: report.after.nodes, evictions: 1 },
          betweenRuns: null,
        },
      });
    });

    test('does not mention a simulation of too many pods, or of a NodePool known only at deployment', () => {
      for (const extra of [
        deployment('crowd', {}, { replicas: 1000 }),
        nodePool('another', { disruption: { consolidateAfter: '${After}' } }),
      ]) {
        const [{ message, evidence }] = judged(large, slow, sync('@hourly'), extra).findings;
        expect(message).not.toContain('simulated');
        expect(evidence).toMatchObject({ consolidation: null, betweenRuns: null });
      }
    });
  });

  test.each<[string, PoolFields, string[]]>([
    ['pods that start at once', {}, [deployment('web')]],
    ['a consolidateAfter that is long enough', after('5m'), [slow, deployment('api'), cronJob('sync', '@hourly')]],
    [
      'an autoscaler without a stabilization window',
      {},
      [deployment('web'), autoscaler({ behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } })],
    ],
  ])('passes %s', (_, fields, documents) => {
    expect(judged(fields, ...documents).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated if the value is known only at deployment', () => {
    expect(judged(after('${After}'), slow).states).toEqual(['not-evaluated NodePool/default']);
  });

  test.each([after('0s', 'WhenEmpty'), after('0s', 'Balanced'), after('Never')])('does not apply to %j', (fields) => {
    expect(judged(fields, slow).outcomes).toEqual([]);
  });
});
