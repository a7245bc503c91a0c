import { classesOfKind, judgeNamedClass, NamedClass } from './named-class';
import { memoizeByIdentity } from '../../../model';
import { ManifestModel } from '../../manifest/model';
import { defineRule } from '../define-rule';
import { workloads } from '../subjects';

/** @see https://kubernetes.io/docs/concepts/containers/runtime-class/ */
export const runtimeClassMissing = defineRule({
  id: 'KARP-123',
  name: 'runtime-class-missing',
  severity: 'error',
  summary: 'A workload names a RuntimeClass that does not exist, so the API server refuses its pods.',
  subjects: workloads(),
  judge: (workload, { model }) => judgeNamedClass(workload, model, RUNTIME_CLASS),
});

const runtimeClasses = memoizeByIdentity((model: ManifestModel): string[] =>
  classesOfKind(model, { kind: 'RuntimeClass' }).map(({ name }) => name),
);

/** Classes that operators and device plugins create when they start, so that no manifest has them. */
const OF_OPERATORS = /^(?:nvidia|kata|neuron|habana|wasmtime|spin|crun)(?:-|$)/;

const RUNTIME_CLASS: NamedClass = {
  kind: 'RuntimeClass',
  field: 'runtimeClassName',
  existing: runtimeClasses,
  refusal: (name) => `RuntimeClass "${name}" not found`,
  // The pods are not evaluated without the class, which decides about their overhead and their nodes.
  severityIfUnknown: (name) => (OF_OPERATORS.test(name) ? 'info' : 'warning'),
};
