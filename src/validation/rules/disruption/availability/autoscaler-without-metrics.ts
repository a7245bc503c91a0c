import { asRecord, KEDA, METRICS_SERVER } from '../../../../contract';
import { countText, shortListText } from '../../../../model';
import { AddonList, addonListOf } from '../../../cluster/addon-list';
import { ManifestObject } from '../../../manifest/model';
import { PlainRecord, recordsOf, stringMapOf } from '../../../manifest/records';
import { defineRule, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { subjectsFrom } from '../../subjects';

/** @see https://docs.aws.amazon.com/eks/latest/userguide/metrics-server.html */
export const autoscalerWithoutMetrics = defineRule({
  id: 'KARP-445',
  name: 'autoscaler-without-metrics',
  readsTerraform: true,
  severity: 'warning',
  summary:
    'Autoscalers need metrics-server or KEDA, which is not among the add-ons of the cluster, and which no file installs: they never scale.',
  subjects: subjectsFrom<Useless>(uselessAutoscalers),
  judge: ({ autoscalers, program, addons }) => finding(autoscalers, program, addons),
});

/** Autoscalers, and the program that they need. */
interface Useless {
  readonly object: ManifestObject;
  readonly autoscalers: readonly ManifestObject[];
  readonly program: string;
  readonly addons: AddonList;
}

function uselessAutoscalers({ model }: RuleContext): Useless[] {
  const addons = model.cluster ? undefined : addonListOf(model);
  if (addons === undefined) return [];
  const isMissing = (program: string) =>
    !addons.names.includes(program) && model.installedPrograms?.includes(program) !== true;
  const of = (program: string, isOf: (object: ManifestObject) => boolean): Useless[] => {
    const autoscalers = isMissing(program) ? model.objects.filter(isOf) : [];
    return autoscalers.length === 0 ? [] : [{ object: autoscalers[0], autoscalers, program, addons }];
  };
  return [
    // eksctl installs metrics-server with the cluster.
    ...(addons.isOfEksctl ? [] : of(METRICS_SERVER, readsUseOfPods)),
    ...of(KEDA, ({ apiVersion, kind }) => apiVersion.startsWith('keda.sh/') && kind === 'ScaledObject'),
  ];
}

/** Whether a HorizontalPodAutoscaler reads CPU or memory. Without metrics, it reads the use of CPU. */
function readsUseOfPods({ apiVersion, kind, raw }: ManifestObject): boolean {
  if (kind !== 'HorizontalPodAutoscaler' || !apiVersion.startsWith('autoscaling/')) return false;
  const spec: PlainRecord = asRecord(raw.spec) ?? {};
  const metrics = recordsOf(spec.metrics);
  const hasOthers = Object.keys(stringMapOf(raw.metadata?.annotations)).some((key) => key.startsWith('metric-config.'));
  return !hasOthers && (metrics.length === 0 || metrics.some(({ type }) => /^(?:Container)?Resource$/.test(`${type}`)));
}

function finding(autoscalers: readonly ManifestObject[], program: string, addons: AddonList): SubjectFinding {
  const names = autoscalers.map(({ namespace = 'default', name }) => `${namespace}/${name}`);
  const isMetrics = program === METRICS_SERVER;
  const which = names.length === 1 ? '' : ` (${countText(names.length, 'autoscaler')}: ${shortListText(names, 4)})`;
  return {
    path: ['spec', isMetrics ? 'metrics' : 'triggers'],
    message: isMetrics
      ? `reads the use of CPU or memory from metrics-server, which is not among the cluster's add-ons, and which no file here installs: it never scales${which}`
      : `is an object of KEDA, which no file here installs: the API server does not know it, and nothing scales${which}`,
    remedy: isMetrics
      ? 'install the add-on metrics-server'
      : 'install the chart keda from https://kedacore.github.io/charts',
    evidence: { program, addons: addons.names, autoscalers: names },
    related: { object: addons.object, path: addons.path, label: `the add-ons are ${shortListText(addons.names, 6)}` },
  };
}
