import { classesOfKind } from './named-class';
import { setField, unsafeFix } from '../../../contract';
import { listText, memoizeByIdentity } from '../../../model';
import { ManifestModel, ManifestObject } from '../../manifest/model';
import { defineRule } from '../define-rule';
import { subjectsFrom } from '../subjects';

/** @see https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/#priorityclass */
export const defaultPriorityClassTwice = defineRule({
  id: 'KARP-122',
  name: 'default-priority-class-twice',
  severity: 'error',
  summary: 'Two PriorityClasses are the global default: the API server refuses the second.',
  subjects: subjectsFrom<ObjectFacts>(({ model }) => globalDefaults(model).map((object) => ({ object }))),
  judge({ object }, { model }) {
    const others = globalDefaults(model).filter(({ name }) => name !== object.name);
    // One finding, at the class that is created last.
    if (others.length === 0 || globalDefaults(model).at(-1) !== object) return undefined;
    const names = [...new Set(others.map(({ name }) => name))];
    const path = ['globalDefault'];
    return {
      path,
      message: `is the global default like PriorityClass ${listText(names)}: the API server refuses the second one that is created, and pods may get another priority than meant`,
      remedy: 'write globalDefault: false in all but one',
      evidence: { globalDefaults: [...names, object.name] },
      fix: unsafeFix(setField(path, false)),
    };
  },
});

interface ObjectFacts {
  readonly object: ManifestObject;
}

const globalDefaults = memoizeByIdentity((model: ManifestModel): readonly ManifestObject[] =>
  classesOfKind(model, { kind: 'PriorityClass' }).filter(({ raw }) => raw?.globalDefault === true),
);
