import { countText } from '../../../model';
import { Finding } from '../../vocabulary/verdict';

/** Kinds of objects that all roots share, so that one change corrects the finding in each root. */
const SHARED_KINDS: readonly string[] = ['NodePool', 'EC2NodeClass', 'NodeOverlay', 'Provisioner', 'AWSNodeTemplate'];

/** A mistake of a base is the reason why none of its overlays can be built. */
const REFUSED = /^kustomize refuses to build [^:]*: /;

/** Ends the name of a file that helm makes of a template. Each release of the chart gives its objects other names. */
const TEMPLATE = ' (helm template)';

/** Whether one of these is an error depends on the pods of the root. */
const VOLUME_KINDS: readonly string[] = ['StorageClass', 'PersistentVolume'];

const RANK: Readonly<Record<Finding['severity'], number>> = { error: 2, warning: 1, info: 0 };

/** An object in a message: each overlay may give it another prefix. */
const OBJECT = /\b([A-Z][A-Za-z]+) [a-z0-9][\w./-]*/g;

/** Each root has its own pods that wait for the correction. */
const WAITING = /; (?:\d+ pods? of [^;]* waits? for it|the same change lets \d+ pods? of [^;]* fit)/g;

/**
 * The same fact about one line in several roots is one finding, such as in overlays of one base. The one for which the
 * most pods wait stays, and says how many more roots have it.
 *
 * @param findings in their order; two of one root are two facts
 */
export function withSameFactOnce<Found extends Finding>(
  findings: readonly Found[],
  roots: ReadonlyArray<readonly Found[]>,
): Found[] {
  const rootOf = new Map(roots.flatMap((own, root) => own.map((finding) => [finding, root] as const)));
  const byFact = new Map<string, Found[]>();
  for (const finding of findings) {
    const key = factKey(finding);
    const same = byFact.get(key) ?? [];
    const isOfOneRoot = same.some((other) => rootOf.get(other) === rootOf.get(finding));
    if (isOfOneRoot) byFact.set(JSON.stringify([key, byFact.size]), [finding]);
    else byFact.set(key, [...same, finding]);
  }
  return [...byFact.values()].map((same) => {
    const [first, ...others] = [...same].sort(
      (a, b) => RANK[b.severity] - RANK[a.severity] || waitingPods(b) - waitingPods(a),
    );
    if (others.length === 0) return first;
    return {
      ...first,
      message: `${first.message}; ${countText(others.length, 'more root has', 'more roots have')} this finding`,
    };
  });
}

/**
 * The details of a message differ between roots. An error about an object of one root has them in its key. A warning
 * about an object of all roots, or of a template, has nothing of the message: its line says what to change. Names
 * differ, too, if overlays have prefixes.
 */
function factKey({
  rule,
  severity,
  location: { file, line, path, rendered },
  subject: { kind, name },
  ...rest
}: Finding): string {
  const given = rest.message.replace(WAITING, '');
  if (REFUSED.test(given)) return JSON.stringify([rule, file, line, given.replace(REFUSED, '')]);
  const message = (name === '' ? given : given.split(name).join('*')).replace(OBJECT, '$1');
  const isShared = SHARED_KINDS.includes(kind);
  const isOfTemplate = rendered !== undefined || file.endsWith(TEMPLATE);
  const fact =
    VOLUME_KINDS.includes(kind) || (severity !== 'error' && (isShared || isOfTemplate))
      ? ''
      : !isShared && severity === 'error'
        ? message
        : message.split(': ', 1)[0];
  return JSON.stringify([rule, VOLUME_KINDS.includes(kind) ? '' : severity, file, line, path, kind, fact]);
}

/** The pods that start once the finding is corrected. */
export function waitingPods({ evidence }: Finding): number {
  return typeof evidence?.waitingPods === 'number' ? evidence.waitingPods : 0;
}
