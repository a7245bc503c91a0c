import { PoolChange } from './pool-change';
import { PoolDraft } from './pool-draft';
import { Label, normalizeLabelKey } from '../../../model';

/** Values of these labels need the consent of the user. */
const OTHER_NODES: readonly string[] = [Label.CAPACITY_TYPE, Label.ARCH, Label.OS];

/** A NodePool that also takes the pods of another one, if only lists of values keep these from it. */
export function mergingChanges(drafts: readonly PoolDraft[]): PoolChange[] {
  return drafts.flatMap((draft) =>
    drafts.flatMap((other) => (draft === other || !isAlike(draft, other) ? [] : merged(draft, other))),
  );
}

function isAlike({ spec }: PoolDraft, { spec: other }: PoolDraft): boolean {
  const traitsOf = ({ nodeClass, labels, taints }: typeof spec) => JSON.stringify([nodeClass, labels, taints]);
  return traitsOf(spec) === traitsOf(other) && spec.weight >= other.weight;
}

function merged(draft: PoolDraft, other: PoolDraft): PoolChange[] {
  const keysOf = ({ spec }: PoolDraft) => new Set(spec.requirements.map(({ key }) => normalizeLabelKey(key)));
  const lists = [...new Set([...keysOf(draft), ...keysOf(other)])].map((key) => {
    const [own, theirs] = [draft.listed(key), other.listed(key)];
    if (own !== undefined && theirs !== undefined)
      return { requirement: own, added: theirs.values.filter((value) => !own.values.includes(value)) };
    const [left, right] = [draft, other].map(({ spec }) =>
      JSON.stringify(spec.requirements.filter((requirement) => normalizeLabelKey(requirement.key) === key)),
    );
    return left === right || left === '[]' ? 'equal' : 'different';
  });
  const isOther = lists.some(
    (list) =>
      typeof list !== 'string' &&
      list.added.length > 0 &&
      OTHER_NODES.includes(normalizeLabelKey(list.requirement.key)),
  );
  const widened = lists.flatMap((list) => (typeof list === 'string' || list.added.length === 0 ? [] : [list]));
  if (isOther || lists.includes('different') || widened.length === 0) return [];
  return [
    draft.widened(
      {
        description: `allow all that NodePool ${other.name} allows, which is then not needed`,
        subject: 'whole',
        condition: `The disruption budgets and the expiry of NodePool ${draft.name} then hold for these pods.`,
      },
      ...widened,
    ),
  ];
}
