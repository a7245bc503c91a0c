import { setField, unsafeFix } from '../../../contract';
import { countText, Label, memoizeByIdentity } from '../../../model';
import { stateNodes } from '../../cluster/state-nodes';
import { ManifestModel } from '../../manifest/model';
import { recordsOf, stringMapOf, stringOrUndefined, stringsOf } from '../../manifest/records';
import { defineRule, SubjectFinding } from '../define-rule';
import { nodePoolManifests } from '../subjects';

/** A label that is missing on the node does not meet these. */
const REQUIRING: readonly unknown[] = ['In', 'Exists', 'Gt', 'Lt', 'Gte', 'Lte'];
const OPPOSITE: ReadonlyMap<string, string> = new Map([
  ['true', 'false'],
  ['false', 'true'],
]);

/** @see https://karpenter.sh/docs/concepts/disruption/#drift */
export const requirementDriftsNodes = defineRule({
  id: 'KARP-433',
  name: 'requirement-drifts-nodes',
  severity: 'warning',
  summary: 'A NodePool requires a label that its existing nodes lack: all of them drift.',
  subjects: nodePoolManifests({
    where: ({ object }, { model }) => labelsByPool(model).has(object.name),
  }),
  judge({ object }, { model }) {
    const nodes = labelsByPool(model).get(object.name)!;
    return recordsOf(object.raw?.spec?.template?.spec?.requirements).flatMap(
      ({ key: rawKey, operator, values }, index): SubjectFinding[] => {
        const key = stringOrUndefined(rawKey);
        if (key === undefined || !REQUIRING.includes(operator)) return [];
        const lacking = nodes.filter((labels) => labels[key] === undefined).length;
        if (lacking === 0) return [];
        const opposite = operator === 'In' ? oppositeOf(stringsOf(values)) : undefined;
        const path = ['spec', 'template', 'spec', 'requirements', index];
        return [
          {
            path: [...path, 'key'],
            message: `requires label ${key}, which ${lacking} of ${countText(nodes.length, 'node')} ${lacking === 1 ? 'lacks' : 'lack'}: they drift (RequirementsDrifted), and Karpenter replaces them`,
            remedy:
              opposite === undefined
                ? 'exclude the unwanted values with NotIn, which a node without the label meets, or plan for the replacement of these nodes'
                : `write operator: NotIn, values: ["${opposite}"], which a node without the label meets`,
            evidence: { label: key, nodes: nodes.length, lacking },
            ...(opposite === undefined
              ? {}
              : {
                  fix: unsafeFix(setField([...path, 'operator'], 'NotIn'), setField([...path, 'values'], [opposite])),
                }),
          },
        ];
      },
    );
  },
});

function oppositeOf([value, ...others]: readonly string[]): string | undefined {
  return value === undefined || others.length > 0 ? undefined : OPPOSITE.get(value);
}

/** The labels of the NodeClaims in the cluster, by NodePool. */
const labelsByPool = memoizeByIdentity(({ cluster }: ManifestModel) => {
  const byPool = new Map<string, Array<Readonly<Record<string, string>>>>();
  for (const { claim } of stateNodes(cluster?.objects ?? [])) {
    const labels = stringMapOf(claim?.raw?.metadata?.labels);
    const pool = labels[Label.NODE_POOL];
    if (pool !== undefined) byPool.set(pool, [...(byPool.get(pool) ?? []), labels]);
  }
  return byPool;
});
