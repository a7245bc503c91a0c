import { Chart, Cron, Duration } from 'cdk8s';
import * as plus28 from 'cdk8s-plus-28';
import * as plus33 from 'cdk8s-plus-33';
import * as plus34 from 'cdk8s-plus-34';
import { newChart, podOf, written } from './fixtures';
import * as workloads from '../../src/workloads';
import { resilientWorkloads } from '../../src/workloads/private/classes-of-release';

/** One workload of each kind, with settings of the release and of ours. */
function shop(plus: typeof plus28, classes: ReturnType<typeof resilientWorkloads>): Chart {
  const chart = newChart();
  const containers = [{ image: 'shop', portNumber: 80, liveness: plus.Probe.fromHttpGet('/') }];
  const web = new classes.ResilientDeployment(chart, 'Web', { containers });
  web.addContainer({ name: 'proxy', image: 'proxy' });
  new classes.ResilientStatefulSet(chart, 'Db', { containers, terminationGracePeriod: Duration.seconds(40) });
  new classes.ResilientJob(chart, 'Import', { containers, activeDeadline: Duration.hours(1) });
  new classes.ResilientCronJob(chart, 'Report', { containers, schedule: Cron.daily() });
  return chart;
}

const KINDS = ['Deployment', 'StatefulSet', 'Job', 'CronJob'];

describe.each([
  ['33', plus33],
  ['34', plus34],
])('the classes of cdk8s-plus-%s', (_name, release) => {
  const plus = release as unknown as typeof plus28;
  const chart = shop(plus, resilientWorkloads(plus));

  test.each(KINDS)('a %s has the same pod as one of cdk8s-plus-28', (kind) => {
    // Newer releases write this field, too.
    const { shareProcessNamespace: _, ...pod } = podOf(written(chart, kind));
    expect(pod).toEqual(podOf(written(shop(plus28, workloads), kind)));
  });

  test('are classes of that release, with their own names', () => {
    const { ResilientJob } = resilientWorkloads(plus);
    const job = new ResilientJob(newChart(), 'Job', { containers: [{ image: 'job' }] });
    expect([job instanceof plus.Job, ResilientJob.name]).toEqual([true, 'ResilientJob']);
  });
});

test.each([
  ['ResilientJob', 'Job', (job: any) => job.spec.template],
  ['ResilientCronJob', 'CronJob', (job: any) => job.spec.jobTemplate.spec.template],
] as const)('%s protects the node of a running pod until its deadline', (_, kind, templateOf) => {
  const [until, always] = [Duration.hours(1), undefined].map((activeDeadline) => {
    const chart = newChart();
    const props = { containers: [{ image: 'job' }], activeDeadline, schedule: Cron.daily() };
    if (kind === 'Job') new workloads.ResilientJob(chart, 'Job', props);
    else new workloads.ResilientCronJob(chart, 'Job', props);
    return templateOf(written(chart, kind)).metadata.annotations['karpenter.sh/do-not-disrupt'];
  });
  expect([until, always]).toEqual(['1h', 'true']);
});
