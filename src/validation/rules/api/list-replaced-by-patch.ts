import { lostEntries, mergedEntries, operationsThatKeep } from './replaced-entries';
import { setField, unsafeFix } from '../../../contract';
import { countText, shortListText } from '../../../model';
import { ObjectFix } from '../../manifest/edit/fix-of';
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

function judgePatch({ targets }: PatchedList, context: RuleContext): Judgement {
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
    restored: losing.flatMap((patch) => restoredList(patch, context)),
    evidence: { lost, targets: losing.map((patch) => patch.list.name), operations },
  };
}

/** The built object with the list that a merge by keys would have made. */
function restoredList({ list }: ListPatch, { model }: RuleContext): ObjectFix[] {
  const { kind, name, path } = list;
  // A rule about budgets says what those of the patch do.
  if (path.includes('budgets')) return [];
  const built = [...model.nodePools, ...model.nodeClasses].find(
    ({ object }) => object.kind === kind && object.name === name,
  );
  return built === undefined ? [] : [{ object: built.object, fix: unsafeFix(setField(path, mergedEntries(list))) }];
}
