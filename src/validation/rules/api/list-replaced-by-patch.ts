import { lostEntries, operationsThatKeep } from './replaced-entries';
import { countText, shortListText } from '../../../model';
import { ListPatch } from '../../manifest/model';
import { defineRule, Judgement } from '../define-rule';
import { RuleContext } from '../rule';
import { subjectsWith } from '../subjects';

const MOST_LOST = 5;
const MOST_OPERATIONS = 3;

/** One patch may have several targets. */
interface PatchedList {
  readonly targets: readonly ListPatch[];
}

/** @see https://kubectl.docs.kubernetes.io/references/kustomize/kustomization/patches/ */
export const listReplacedByPatch = defineRule<PatchedList>({
  id: 'KARP-158',
  name: 'list-replaced-by-patch',
  severity: 'warning',
  summary:
    'A strategic merge patch of a kustomization replaces a whole list of a NodePool or EC2NodeClass, and entries of the base are lost.',
  subjects: subjectsWith(({ targets }) => targets[0].object, patchedLists),
  judge: judgePatch,
});

function patchedLists({ model }: RuleContext): PatchedList[] {
  const byPlace = new Map<string, ListPatch[]>();
  for (const patch of model.listPatches ?? []) {
    const { file, inline, kind, path, after } = patch.list;
    const place = JSON.stringify([file.path, inline ?? null, kind, path, after]);
    byPlace.set(place, [...(byPlace.get(place) ?? []), patch]);
  }
  return [...byPlace.values()].map((targets) => ({ targets }));
}

function judgePatch({ targets }: PatchedList): Judgement {
  const losing = targets.filter(({ list }) => lostEntries(list).length > 0);
  if (losing.length === 0) return undefined;
  const [{ object, list }] = losing;
  const { kind, name, path, before } = list;
  const lost = lostEntries(list);
  const others = losing.slice(1).map((patch) => patch.list.name);
  const also = others.length === 0 ? '' : `; the same for ${kind} ${shortListText(others)}`;
  const operations = operationsThatKeep(list);
  const shown = operations.slice(0, MOST_OPERATIONS).map((operation) => JSON.stringify(operation));
  const more =
    operations.length > shown.length ? `, and ${countText(operations.length - shown.length, 'operation')} more` : '';
  return {
    object,
    path,
    message:
      `loses ${shortListText(lost, MOST_LOST)}: kustomize merges no lists of custom resources, so the patch ` +
      `replaces all ${countText(before.length, 'entry', 'entries')}${also}`,
    remedy:
      `write it as a JSON patch with target ${kind} ${name}: [${shown.join(', ')}]${more}; ` +
      `if the loss is meant, write {"op":"replace","path":"/${path.join('/')}"} with the whole list as its value`,
    evidence: { lost, targets: losing.map((patch) => patch.list.name), operations },
  };
}
