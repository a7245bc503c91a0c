import { asRecord } from '../../contract';
import { ManifestModel } from '../manifest';
import { isNameToFillIn } from '../manifest/placeholders/placeholder';
import { subjectOf } from '../manifest/problem-log';
import { Finding } from '../vocabulary/verdict';

/** What an editor replaces, such as `<YOUR-NODE-POOL>` and `your-node-class`. Programs fill in other notations. */
const FOR_AN_EDITOR =
  /<[A-Za-z][\w .-]*>|\[[A-Z][A-Z0-9]*[_ -][A-Z0-9_ -]*\]|(?:^|[-_.])(?:your|change-?me|replace-?me)(?=$|[-_.])/i;

/**
 * Makes findings about workloads notes if every NodePool, or the class of it, still has a name to fill in: such files
 * are examples to copy from, and nobody deploys them together.
 */
export function withExamplesLowered(findings: readonly Finding[], model: ManifestModel): Finding[] {
  if (!isCollection(model)) return [...findings];
  const keyOf = ({ kind, namespace, name }: Finding['subject']) => JSON.stringify([kind, namespace, name]);
  const workloads = new Set(model.workloads.map(({ object }) => keyOf(subjectOf(object))));
  return findings.map((finding) =>
    workloads.has(keyOf(finding.subject)) ? { ...finding, severity: 'info' as const } : finding,
  );
}

function isCollection({ nodePools, cluster }: ManifestModel): boolean {
  if (nodePools.length === 0 || cluster) return false;
  return nodePools.every(({ object: { name, raw } }) => {
    const template = asRecord(raw.spec?.template?.spec);
    const names = [name, asRecord(template?.nodeClassRef)?.name];
    return names.some((text) => typeof text === 'string' && (FOR_AN_EDITOR.test(text) || isNameToFillIn(text)));
  });
}
