import { setField, unsafeFix } from '../../../contract';
import { shortListText } from '../../../model';
import { ManifestObject } from '../../manifest/model';
import { EmptiedVariable } from '../../vocabulary/source-file';
import { defineRule, SubjectFinding } from '../define-rule';
import { subjectsWith } from '../subjects';

const KARPENTER = /^karpenter\.(?:sh|k8s\.aws)\//;
const MOST_NAMED = 4;
const DEFAULT = /^\$\{\w+:?[-=]/;

/** @see https://fluxcd.io/flux/components/kustomize/kustomizations/#post-build-variable-substitution */
export const variableEmptiedByFlux = defineRule<ManifestObject>({
  id: 'KARP-010',
  name: 'variable-emptied-by-flux',
  severity: 'warning',
  summary: 'A variable has no value in postBuild of a Flux Kustomization: Flux deploys an empty text in its place.',
  subjects: subjectsWith<ManifestObject>(
    (object) => object,
    ({ model: { objects, workloads } }) => {
      const karpenter = objects.filter(({ apiVersion }) => KARPENTER.test(apiVersion));
      const judged = new Set([...karpenter, ...workloads.map(({ object }) => object)]);
      return [...judged].filter(({ emptied = [] }) => emptied.length > 0);
    },
  ),
  judge: (object) => [...byField(object).values()].map((variables) => findingOf(object, variables)),
});

/** Each group is one finding: the variables of one field, but a misspelt one alone. */
function byField(object: ManifestObject): Map<string, EmptiedVariable[]> {
  const fields = new Map<string, EmptiedVariable[]>();
  for (const variable of object.emptied ?? []) {
    const { path, written, nearest = '', isRefused, isAssigned } = variable;
    // The scripts of containers are no concern of Karpenter.
    if (!KARPENTER.test(object.apiVersion) && path.some((step) => /^(?:initC|c)ontainers$/.test(String(step))))
      continue;
    const key = JSON.stringify([path, written, nearest, isRefused, isAssigned]);
    fields.set(key, [...(fields.get(key) ?? []), variable]);
  }
  return fields;
}

function findingOf(object: ManifestObject, variables: readonly EmptiedVariable[]): SubjectFinding {
  const [{ path, written, nearest, by, isAssigned, isRefused, text }] = variables;
  const texts = variables.map((variable) => variable.text);
  const names = shortListText(texts, MOST_NAMED);
  const escaped = texts.map((one) => `$${one}`);
  const isWhole = written === text;
  return {
    object: { ...object, locate: (where) => placeOf(object, where, text) },
    path,
    ...((isWhole || isRefused) && KARPENTER.test(object.apiVersion) ? { severity: 'error' as const } : {}),
    message: isRefused
      ? `Flux cannot read ${names}, because its variables are no arrays: ${by} fails with "bad substitution", and nothing of it is deployed`
      : `Flux replaces ${names} by ${texts.some((one) => DEFAULT.test(one)) ? 'a default' : 'an empty text'}, because postBuild of ${by} has no such ${texts.length === 1 ? 'variable' : 'variables'}` +
        (isAssigned ? ', although the script sets a value itself' : ''),
    remedy:
      nearest !== undefined
        ? `write \${${nearest}}`
        : isAssigned
          ? `write ${shortListText(escaped, MOST_NAMED)}, which Flux deploys with one dollar sign`
          : `add a value to postBuild.substitute, or write ${shortListText(escaped, MOST_NAMED)} if a script on the node is to replace it`,
    evidence: { field: path.join('.'), variables: texts, kustomization: by, nearest: nearest ?? null },
    ...fixOf(variables),
  };
}

/** The field with the right names, or with dollar signs that Flux leaves. */
function fixOf(variables: readonly EmptiedVariable[]): Pick<SubjectFinding, 'fix'> {
  const [{ path, written, nearest, isAssigned }] = variables;
  // The name of a field is no value that an edit can set.
  if ((nearest === undefined && !isAssigned) || path.at(-1) === written) return {};
  const fixed = variables.reduce((text, { text: variable }) => {
    const [, name] = /^\$\{#?(\w+)/.exec(variable)!;
    const all = new RegExp(`(?<!\\$)\\$\\{(#?)${name}(?=[^\\w])`, 'g');
    return text.replace(
      all,
      (_, length: string) => `${nearest === undefined ? '$' : ''}\${${length}${nearest ?? name}`,
    );
  }, written);
  return { fix: unsafeFix(setField(path, fixed)) };
}

/** The line of the variable in a text of several lines. */
function placeOf(
  object: ManifestObject,
  path: EmptiedVariable['path'],
  text: string,
): ReturnType<ManifestObject['locate']> {
  const place = object.locate(path);
  const { file } = object.source ?? {};
  if (file === undefined || file.path !== place.file) return place;
  const lines = file.text.split('\n');
  const line = lines.findIndex((content, index) => index >= place.line - 1 && content.includes(text));
  return line < 0 ? place : { ...place, line: line + 1, column: lines[line].indexOf(text) + 1 };
}
