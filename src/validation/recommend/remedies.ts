import { RecommendedRemedy } from './recommendation';
import { FindingsOfObject } from './trial';
import { ManifestModel, ManifestObject } from '../manifest';
import { fixOf, fixTitle, ObjectFix } from '../manifest/edit/fix-of';

/** The remedy of a finding that changes of NodePools make, as changes of the objects as they are. */
export interface FindingRemedy {
  readonly rule: string;
  readonly changes: readonly ObjectFix[];
}

/**
 * The remedy of findings of changed files. Undefined if it leaves a choice, or if the unchanged files have not exactly
 * one object of the name.
 */
export function remedyOf(findings: FindingsOfObject, { objects }: ManifestModel): FindingRemedy | undefined {
  const { rule, remedy } = findings;
  const changes = remedy.flatMap(({ object, fix }) => {
    const [present, ...others] = objects.filter((other) => isSame(object, other));
    return present === undefined || others.length > 0 ? [] : [{ object: present, fix }];
  });
  return rule === undefined || changes.length === 0 || changes.length < remedy.length
    ? undefined
    : { rule: rule.id, changes };
}

/** @param isWritten whether the files of all objects can be changed */
export function recommendedRemedies(remedies: readonly FindingRemedy[], isWritten: boolean): RecommendedRemedy[] {
  return remedies.flatMap(({ rule, changes }) =>
    changes.map(({ object, fix }) => ({
      rule,
      object: `${object.kind} ${object.name}`,
      description: fixTitle(fix.edits),
      ...(isWritten ? { fix: fixOf(object, fix)! } : {}),
    })),
  );
}

function isSame(left: ManifestObject, right: ManifestObject): boolean {
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    left.namespace === right.namespace &&
    left.source?.file.path === right.source?.file.path
  );
}
