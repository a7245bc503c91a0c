import { autoscaler, cronJob, deployment, judge, nodeClass, nodePool, oneOf, PoolFields, types } from './helper';
import { tooBigNode } from './too-big-node';
import { CheckOptions, PlayedScenario, playScenario } from '../../../src/validation';
import { ConsolidateAfterTooShort } from '../../../src/validation/rules/consolidate-after-too-short';

const rule = new ConsolidateAfterTooShort();
const judged = (fields: PoolFields, ...documents: string[]) => judge(rule, [nodeClass(), nodePool('default', fields), ...documents]);
const after = (consolidateAfter: string, consolidationPolicy?: string) => ({ disruption: { consolidateAfter, consolidationPolicy } });
const slow = deployment('web', { containers: [{ name: 'main', image: 'app', readinessProbe: { initialDelaySeconds: 90 }, resources: { requests: { cpu: 1, memory: '1Gi' } } }] });

describe('KARP-421 consolidate-after-too-short', () => {
  test('fails where pods take longer to start', () => {
    const { states, findings } = judged({}, slow);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain('consolidates 0s after the last change on a node, and the pods of Deployment web take at least 90 s to start');
    expect(findings[0].remedy).toContain('1m30s');
  });

  test('fails where an autoscaler changes its mind, or a CronJob comes and goes', () => {
    expect(judged(after('1m'), deployment('web'), autoscaler()).findings[0].evidence).toMatchObject({ consolidateAfter: '1m', seconds: 300 });
    expect(judged(after('1m'), cronJob('sync', '*/15 * * * *')).findings[0].message).toContain('CronJob sync');
    expect(judged(after('1m'), cronJob('sync', '*/15 * * * *')).findings[0].remedy).toMatch(/^write consolidateAfter: 5m or more, /);
    expect(judged(after('1m'), cronJob('sync', '* * * * *')).findings[0].remedy).toMatch(/^let CronJob sync run in a NodePool of its own, /);
  });

  describe('of what the simulator shows', () => {
    const large: PoolFields = { requirements: [types('m5.large'), oneOf('karpenter.sh/capacity-type', 'on-demand')] };
    const big = { requests: { cpu: '1500m', memory: '1Gi' } };
    const sync = (when: string, parallelism = 2, more: object = {}) => {
      const job = JSON.parse(cronJob('sync', when, {}, { parallelism }));
      job.spec.jobTemplate.spec.template.spec.containers[0].resources = big;
      return JSON.stringify({ ...job, spec: { ...job.spec, ...more } });
    };
    const played = (documents: readonly string[], options: CheckOptions = {}, scenario: PlayedScenario = 'consolidation') =>
      playScenario([{ path: 'test.yaml', text: documents.join('\n---\n') }], scenario, options).reports[0];

    test.each([['*/15 * * * *', '2 nodes go and come again 96 times a day'], ['0 9 * * 1', '2 nodes go and come again with each of them']])(
      'tells how many nodes go after each run of a CronJob at %s', (when, often) => {
        const [finding] = judged(large, deployment('web', {}, big), sync(when)).findings;
        const withPods = played([nodeClass(), nodePool('default', large), deployment('web', {}, big), sync(when)]).after.nodes;
        const withoutPods = played([nodeClass(), nodePool('default', large), deployment('web', {}, big)]).after.nodes;
        const ended = played([nodeClass(), nodePool('default', large), deployment('web', {}, big), sync(when)], {}, 'job-end');
        expect([withPods, withoutPods]).toEqual([3, 1]);
        expect(ended).toMatchObject({ subject: 'Job default/sync', before: { nodes: withPods }, after: { nodes: withoutPods } });
        expect(finding.evidence).toMatchObject({ betweenRuns: { seconds: ended.seconds } });
        expect(finding.message).toContain(`; simulated: ${withPods} nodes with the pods of CronJob sync, and ${withoutPods} left `);
        expect(finding.message).toMatch(new RegExp(`: where runs end so long before the next, ${often}$`));
      });

    test('tells nothing of runs that leave less time than it takes, that none follows, or whose pods have room anyway', () => {
      const quiet = { disruption: { consolidateAfter: '2m' } };
      expect(judged({ ...large, ...quiet }, deployment('web', {}, big), sync('*/2 * * * *')).findings[0].evidence).toMatchObject({ betweenRuns: null });
      expect(judged({ ...large, ...quiet }, deployment('web', {}, big), sync('*/10 * * * *')).findings[0].evidence)
        .toMatchObject({ betweenRuns: { nodesWith: 3, nodesWithout: 1 } });
      expect(judged(large, deployment('web', {}, big), sync('@hourly', 2, { suspend: true })).findings).toEqual([]);
      expect(judged({}, deployment('web'), cronJob('sync', '@hourly')).findings[0].evidence).toMatchObject({ betweenRuns: null });
    });

    test('tells once what consolidation of the planned cluster does, where no CronJob says how often', () => {
      const cluster = tooBigNode();
      const documents = [nodeClass(), nodePool('default', { requirements: [types('m5.large', 'm5.4xlarge'), oneOf('karpenter.sh/capacity-type', 'on-demand')] }), slow];
      const report = played(documents, { cluster });
      expect(report.workloads[0]).toMatchObject({ workload: 'Deployment default/web', evictions: 1 });
      expect(judge(rule, documents, { cluster }).findings[0]).toMatchObject({
        message: expect.stringMatching(/; simulated: consolidation of the planned cluster, from 1 node to 1, evicts 1 pod$/),
        evidence: { consolidation: { nodes: report.before.nodes, nodesAfter: report.after.nodes, evictions: 1 }, betweenRuns: null },
      });
    });

    test('says nothing where there are more pods than are played, or some NodePool is known only at deployment', () => {
      for (const other of [deployment('crowd', {}, { replicas: 1000 }), nodePool('another', { disruption: { consolidateAfter: '${After}' } })]) {
        const [{ message, evidence }] = judged(large, slow, sync('@hourly'), other).findings;
        expect(message).not.toContain('simulated');
        expect(evidence).toMatchObject({ consolidation: null, betweenRuns: null });
      }
    });
  });

  test.each<[string, PoolFields, string[]]>([
    ['pods that come to rest', {}, [deployment('web')]],
    ['a pause that is long enough', after('5m'), [slow, deployment('api'), cronJob('sync', '@hourly')]],
    ['an autoscaler that removes pods at once', {}, [deployment('web'), autoscaler({ behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } })]],
  ])('passes %s', (_, fields, documents) => {
    expect(judged(fields, ...documents).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated where it is known only at deployment', () => {
    expect(judged(after('${After}'), slow).states).toEqual(['not-evaluated NodePool/default']);
  });

  test.each([after('0s', 'WhenEmpty'), after('0s', 'Balanced'), after('Never')])('does not apply to %j', (fields) => {
    expect(judged(fields, slow).outcomes).toEqual([]);
  });
});
