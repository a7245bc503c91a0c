import { countText, shortListText } from '../../../model';
import { PatchWithoutTarget } from '../../manifest/model';
import { defineRule, SubjectFinding } from '../define-rule';
import { subjectsFrom } from '../subjects';

const MOST_NAMED = 3;

/** @see https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/patches/ */
export const patchWithoutTarget = defineRule<PatchWithoutTarget>({
  id: 'KARP-011',
  name: 'patch-without-target',
  severity: 'warning',
  summary:
    'The target of a patch, or an entry of images, selects nothing, so kustomize changes nothing, and does not say so.',
  subjects: subjectsFrom(({ model }) => model.patchesWithoutTarget ?? []),
  judge({ patch: { path, target, field, nearest, others = [] } }) {
    if (path[0] === 'images') return unusedImage(String(target.name), nearest);
    const change = path[0] === 'replacements' ? 'replacement' : 'patch';
    const { kind = '', name = '' } = target;
    const what = [kind, name].filter((part) => part !== '').join(' ');
    const count = countText(others.length, `other ${kind}`, `other ${kind}s`);
    return {
      path: [field],
      message:
        `a ${change} changes nothing, because no object is ${what === '' ? 'selected' : what}` +
        `${field === 'kind' || field === 'name' ? '' : ` of ${field} ${target[field]}`}: kustomize does not report this`,
      remedy:
        nearest !== undefined
          ? nearest === ''
            ? `remove ${field} from the target`
            : `write ${field}: ${nearest} in the target`
          : others.length > 0
            ? `write the name of an object that is built, or remove the ${change}: there ${others.length === 1 ? 'is' : 'are'} ${count} (${shortListText(others, MOST_NAMED)})`
            : `add the ${kind} to the resources, or remove the ${change}`,
      evidence: { target, field, nearest: nearest ?? null },
    };
  },
});

function unusedImage(name: string, nearest: string | undefined): SubjectFinding {
  return {
    path: ['name'],
    message: `an entry of images changes nothing, because no container has the image ${name}: kustomize does not report this`,
    remedy: `write name: ${nearest}`,
    evidence: { image: name, nearest: nearest ?? null },
  };
}
