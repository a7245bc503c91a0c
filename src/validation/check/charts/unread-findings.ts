import { markedRenderingOf } from './marked-rendering';
import { overlayOf } from './markers';
import { pathInDocument, yamlDocuments } from './merged-values';
import { UnreadChartValue, unreadChartValues } from './unread-values';
import { changedLayer } from './values-fix';
import { asRecord, formatFieldPath } from '../../../contract';
import { memoizeByIdentity, valueText } from '../../../model';
import { textWithFix } from '../../fixes/apply-fixes';
import { ChartRendering, ManifestObject, SourceFile } from '../../manifest';
import { isSameValue, valueAt } from '../../manifest/edit/edited-value';
import { fixOf } from '../../manifest/edit/fix-of';
import { SourceText } from '../../manifest/source/source-text';
import { Finding, Fix } from '../../vocabulary/verdict';
import { JudgedFinding } from '../remedies/judged-findings';
import { RemedyTrials } from '../remedies/remedy-trials';

/** The rule of values that helm ignores. */
const RULE = { rule: 'KARP-919', name: 'helm-value-unread' } as const;
/** The most values of a chart that are tried. */
const MOST_TRIED = 3;
/** Objects that decide where pods run. Changes of others are not reported. */
const KINDS: ReadonlySet<unknown> = new Set([
  ...['NodePool', 'EC2NodeClass', 'NodeOverlay', 'PodDisruptionBudget', 'HorizontalPodAutoscaler'],
  ...['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job', 'CronJob', 'Pod', 'Rollout'],
]);

const unreadOf = memoizeByIdentity((rendering: ChartRendering) =>
  unreadChartValues(markedRenderingOf(rendering).values),
);

/** A finding about values that no template reads, and the findings that they explain. */
export interface UnreadFinding {
  readonly finding: Finding;
  readonly explained: readonly JudgedFinding[];
}

/**
 * Values that have no effect where they are written, and would have one at a place that templates read. Each is moved
 * there, and the input is checked again: what is gone then is explained by the value.
 */
export function unreadFindings(
  sources: readonly SourceFile[],
  findings: readonly JudgedFinding[],
  trials: RemedyTrials,
): UnreadFinding[] {
  const byChart = new Map<ChartRendering, SourceFile[]>();
  for (const source of sources)
    if (source.chart !== undefined) byChart.set(source.chart, [...(byChart.get(source.chart) ?? []), source]);
  return [...byChart].flatMap(([rendering, own]) => {
    const isOfOthers = own.every((source) => source.isOfOthers === true);
    if (isOfOthers && rendering.values.length === 0) return [];
    return unreadOf(rendering)
      .filter(({ layer }) => !isOfOthers || layer.inside === undefined)
      .slice(0, MOST_TRIED)
      .flatMap((unread) => unreadFinding(unread, rendering, own, findings, trials) ?? []);
  });
}

function unreadFinding(
  unread: UnreadChartValue,
  rendering: ChartRendering,
  own: readonly SourceFile[],
  findings: readonly JudgedFinding[],
  trials: RemedyTrials,
): UnreadFinding | undefined {
  const { path, meant, layer } = unread;
  const { merged } = markedRenderingOf(rendering).values;
  const value = valueAt(merged, path);
  const fix = moveOf(unread, value);
  const moved = fix
    ? rendering.render(changedLayer(layer, textWithFix(layer.file, fix)))
    : rendering.render({
        overlay: overlayOf(
          merged,
          new Map([
            [{ path }, null],
            [{ path: meant }, value],
          ]),
        ),
      });
  const changed = moved && own.flatMap((source) => changedObjects(source, moved.get(source.path) ?? ''));
  const [object] = changed ?? [];
  if (moved === undefined || changed === undefined || object === undefined) return undefined;
  const gone = trials.goneWithFiles((file) => withText(file, moved.get(file.path)), findings) ?? [];
  const explained = gone.filter(
    ({ severity, finding }) => severity !== 'info' && changed.some((one) => isSameObject(one, finding.object)),
  );
  const cause = explained.find(({ severity }) => severity === 'error') ?? explained[0];
  const subject = cause ? subjectOf(cause.finding.object) : object;
  const [written, read] = [formatFieldPath(path), formatFieldPath(meant)];
  const effect = cause ? `: ${cause.finding.message}` : '';
  return {
    finding: {
      ...RULE,
      severity: cause?.severity ?? 'warning',
      subject,
      location: {
        file: layer.file.path,
        ...new SourceText(layer.file).position(layer.document.offsetOf(pathInDocument(layer, path))),
        path: written,
        value: written,
      },
      message: `the value ${written} has no effect, because no template reads it${effect}`,
      remedy: `write ${read} instead, which the templates read`,
      evidence: { value: written, meant: read, rules: explained.map(({ rule }) => rule.id) },
      ...(fix ? { fix } : {}),
    },
    explained,
  };
}

/** The value at its place in the same file. */
function moveOf({ path, meant, layer }: UnreadChartValue, value: unknown): Fix | undefined {
  const [from, to] = [path, meant].map((steps) => pathInDocument(layer, steps));
  const isRename = isSameValue(from.slice(0, -1), to.slice(0, -1));
  const { document } = layer;
  const raw = asRecord(document.value);
  if (raw === undefined || document.isMasked || valueAt(raw, to) !== undefined) return undefined;
  const edits = isRename
    ? [{ operation: 'rename', path: from, to: String(to.at(-1)) } as const]
    : [{ operation: 'set', path: to, value } as const, { operation: 'remove', path: from } as const];
  const source = { file: new SourceText(layer.file), range: document.range, path: [] };
  const object = {
    apiVersion: '',
    kind: '',
    name: '',
    raw,
    source,
    locate: () => ({ file: '', line: 0, column: 0, path: '' }),
  };
  const fix = fixOf(object, { safe: false, edits });
  return fix && { ...fix, title: `move ${formatFieldPath(path)} to ${formatFieldPath(meant)}` };
}

/** The objects of a file that are others in a new text. */
function changedObjects(source: SourceFile, text: string): Array<Finding['subject']> {
  const [before, after] = [source.text, text].map((own) => yamlDocuments({ path: source.path, text: own }));
  return after.flatMap(({ value }, index) => {
    const subject = subjectOfDocument(value);
    return isSameValue(value, before[index]?.value) || !KINDS.has(subject.kind) ? [] : [subject];
  });
}

function subjectOfDocument(value: unknown): Finding['subject'] {
  const { apiVersion, kind, metadata } = asRecord(value) ?? {};
  const { namespace, name } = asRecord(metadata) ?? {};
  const [version, ofKind, space, own] = [apiVersion, kind, namespace, name].map((part) => valueText(part ?? ''));
  return { apiVersion: version, kind: ofKind, namespace: space, name: own };
}

function subjectOf({ apiVersion, kind, namespace = '', name }: ManifestObject): Finding['subject'] {
  return { apiVersion, kind, namespace, name };
}

function isSameObject(subject: Finding['subject'], { kind, namespace, name }: ManifestObject): boolean {
  const isNear = subject.namespace === '' || namespace === undefined || subject.namespace === namespace;
  return subject.kind === kind && subject.name === name && isNear;
}

function withText(file: SourceFile, text: string | undefined): SourceFile {
  return text === undefined ? file : { ...file, text };
}
