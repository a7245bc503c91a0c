import { FieldEdit, FieldPath, removeField, renameField, setField } from '../../contract';
import { PodShape } from '../../scheduling';
import { valueAt } from '../manifest/edit/edited-value';
import { recordsOf } from '../manifest/records';

const AFFINITY = ['affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'];

/** The change of the labels that a pod selects; undefined if they are written in another way. */
export function selectionEdits(
  before: PodShape,
  after: PodShape,
  raw: unknown,
  path: FieldPath,
): readonly FieldEdit[] | undefined {
  const ofAffinity = affinityEdits(before, after, raw, [...path, ...AFFINITY, 'nodeSelectorTerms']);
  return (
    ofAffinity && [
      ...nodeSelectorEdits(before.nodeSelector, after.nodeSelector, [...path, 'nodeSelector']),
      ...ofAffinity,
    ]
  );
}

function nodeSelectorEdits(
  before: PodShape['nodeSelector'],
  after: PodShape['nodeSelector'],
  path: FieldPath,
): FieldEdit[] {
  const added = Object.keys(after).filter((key) => before[key] === undefined);
  const removed = Object.keys(before).filter((key) => after[key] === undefined);
  const changed = Object.keys(after).filter((key) => before[key] !== undefined && before[key] !== after[key]);
  const isRename = added.length === 1 && removed.length === 1 && after[added[0]] === before[removed[0]];
  return [
    ...changed.map((key) => setField([...path, key], after[key])),
    ...(isRename
      ? [renameField([...path, removed[0]], added[0])]
      : [
          ...removed.map((key) => removeField([...path, key])),
          ...added.map((key) => setField([...path, key], after[key])),
        ]),
  ];
}

function affinityEdits(
  { requiredNodeAffinity: before }: PodShape,
  { requiredNodeAffinity: after }: PodShape,
  raw: unknown,
  path: FieldPath,
): FieldEdit[] | undefined {
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  if (isSame) return [];
  const written = recordsOf(valueAt(raw, path));
  if (written.length !== before.length || after.length !== before.length) return undefined;
  const edits: FieldEdit[] = [];
  for (const [term, { matchExpressions: old }] of before.entries()) {
    const place = [...path, term, 'matchExpressions'];
    const expressions = recordsOf(written[term].matchExpressions);
    const changed = after[term].matchExpressions;
    if (expressions.length !== old.length || expressions.some(({ key }, index) => key !== old[index].key))
      return undefined;
    const gone = old.flatMap((spec, index) => (changed.includes(spec) ? [] : [index]));
    if (changed.length === old.length)
      for (const index of gone) {
        if (changed[index].key !== old[index].key) edits.push(setField([...place, index, 'key'], changed[index].key));
        if (changed[index].operator !== old[index].operator)
          edits.push(setField([...place, index, 'operator'], changed[index].operator));
        if (JSON.stringify(changed[index].values) !== JSON.stringify(old[index].values))
          edits.push(setField([...place, index, 'values'], [...(changed[index].values ?? [])]));
      }
    else if (changed.length === 0 || gone.length !== old.length - changed.length) return undefined;
    else edits.push(...gone.map((index) => removeField([...place, index])));
  }
  return edits;
}
