import { asRecord, compareKarpenterVersions } from '../../../contract';
import { chartDefault, HELM_VALUES, unreadValues } from '../../controller';
import { PlainRecord } from '../../manifest/records';
import { chartValueMove } from '../common/edits/chart-value-fix';
import { defineRule, NOT_APPLICABLE } from '../define-rule';
import { controllers } from '../subjects';

/** Earlier charts have other keys, such as clusterName and settings.aws. */
const SETTINGS_SINCE = '0.32.0';

/** @see https://github.com/aws/karpenter-provider-aws/blob/main/charts/karpenter/values.yaml */
export const helmValueUnread = defineRule({
  id: 'KARP-919',
  name: 'helm-value-unread',
  severity: 'warning',
  summary:
    'A Helm value of Karpenter, or of a chart in the repository, is at another level than templates read it, or misspelt: Helm ignores it silently.',
  subjects: controllers({ where: ({ fromChart, object }) => fromChart || object.kind === HELM_VALUES }),
  judge(controller) {
    const { values, pathOf, object, version, fromChart } = controller;
    if (version !== undefined && compareKarpenterVersions(version, SETTINGS_SINCE) < 0) return NOT_APPLICABLE;
    // The command line warns of keys under `settings` in a file of values.
    const unread = unreadValues(values).filter(
      ({ path, meant }) =>
        (object.kind !== HELM_VALUES || path[0] !== 'settings' || path.length === 1) &&
        // KARP-115 finds misspelt settings.
        !(fromChart && path[0] === 'settings' && meant.slice(0, -1).join('.') === path.slice(0, -1).join('.')),
    );
    if (unread.length === 0) return NOT_APPLICABLE;
    return unread.map(({ path, meant }) => ({
      path: pathOf(...path),
      message: `sets ${path.join('.')}, which Karpenter's chart does not read: it has no effect, and Helm does not say so`,
      remedy: isWritten(values, meant)
        ? `remove it, because ${meant.join('.')} is there already`
        : `write ${meant.join('.')}`,
      evidence: { value: path.join('.'), meant: meant.join('.') },
      fix: chartValueMove(controller, path, meant, isWritten(values, meant) ? undefined : valueAt(values, path)),
    }));
  },
});

/** A value that is as in the chart may be its default, which the user has not written. */
function isWritten(values: PlainRecord, path: readonly string[]): boolean {
  const value = valueAt(values, path);
  return value !== undefined && JSON.stringify(value) !== JSON.stringify(chartDefault(path));
}

function valueAt(values: PlainRecord, path: readonly string[]): unknown {
  return path.reduce<unknown>((record, key) => asRecord(record)?.[key], values);
}
