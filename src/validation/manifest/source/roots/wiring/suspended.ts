import { carriedBy, carriedText, isKarpenterObject, karpenterChart } from './carried-objects';
import { FluxWiring } from './flux-problems';
import { fluxReferences } from './flux-references';
import { resolve } from './resolved-reference';
import { HELM_GROUP, KUSTOMIZE_GROUP, mayMeet, SOURCE_GROUP, wiredTitle, WiredObject } from './wired-objects';
import { asRecord } from '../../../../../contract';
import { listText } from '../../../../../model';
import { DeploymentProblem } from '../../../../vocabulary/source-file';
import { PlainRecord } from '../../../records';
import { readDocuments } from '../../../yaml/documents';
import { findUnreadable, SourceText } from '../../source-text';

/**
 * Suspended objects of Flux that lead to NodePools, node classes or Karpenter, unless a comment beside `suspend` says
 * why.
 */
export function suspendedObjects(wiring: FluxWiring): DeploymentProblem[] {
  return wiring.objects.flatMap((object): DeploymentProblem[] => {
    if (object.spec.suspend !== true || asRecord(object.definition.object.spec)?.suspend !== true) return [];
    const lost = lostWith(object, wiring);
    if (lost === undefined || isExplained(object)) return [];
    return [
      {
        kind: 'suspended',
        file: object.definition.file,
        object: object.definition.object,
        path: ['spec', 'suspend'],
        message: `is suspended: in a new cluster ${lost}, and in an old one changes do not arrive`,
        remedy: 'remove suspend: true, or write a comment beside it that says why it stays',
        evidence: { suspend: true },
      },
    ];
  });
}

/** What of Karpenter does not arrive; undefined if the object leads to nothing of Karpenter. */
function lostWith(object: WiredObject, wiring: FluxWiring): string | undefined {
  const { deployments, objects } = wiring;
  if (object.group === HELM_GROUP) {
    const chart = karpenterChart(object);
    return chart === undefined ? undefined : `chart ${chart} is not installed`;
  }
  if (object.group === KUSTOMIZE_GROUP) {
    const carried = carriedBy(object, deployments);
    if (carried.some(isKarpenterObject)) return carriedText(object, deployments);
    return carried.some(isKarpenterRelease) ? 'Karpenter is not installed' : undefined;
  }
  if (object.group !== SOURCE_GROUP) return undefined;
  const users = objects.filter(
    (user) =>
      mayMeet(user, object) &&
      leadsToKarpenter(user, wiring) &&
      fluxReferences(user).some(
        (reference) =>
          reference.use === 'source' && resolve(reference, user, objects)?.found?.includes(object) === true,
      ),
  );
  const names = [...new Set(users.map(wiredTitle))];
  return names.length === 0 ? undefined : `${listText(names)} ${names.length === 1 ? 'gets' : 'get'} no files`;
}

function leadsToKarpenter(object: WiredObject, { deployments }: FluxWiring): boolean {
  if (object.group === HELM_GROUP) return karpenterChart(object) !== undefined;
  return carriedBy(object, deployments).some((one) => isKarpenterObject(one) || isKarpenterRelease(one));
}

export function isKarpenterRelease({ kind, spec }: PlainRecord): boolean {
  return kind === 'HelmRelease' && karpenterChart({ kind, spec: asRecord(spec) ?? {} }) !== undefined;
}

/** A comment in the line of the field, or in the one before it. */
function isExplained({ definition: { file, object } }: WiredObject): boolean {
  if (findUnreadable(file)) return false;
  const text = JSON.stringify(object);
  const document = readDocuments(new SourceText(file)).documents.find(({ value }) => JSON.stringify(value) === text);
  if (document === undefined) return false;
  const offset = document.offsetOf(['spec', 'suspend']);
  const before = file.text.slice(0, offset).split('\n');
  const [line] = file.text.slice(offset).split('\n');
  return / #.*\p{L}{2}/u.test(line) || /^\s*#(?!\s*[\w-]+:(?:\s|$)).*\p{L}{2}/u.test(before.at(-2) ?? '');
}
