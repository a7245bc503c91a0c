import { carriedBy } from './carried-objects';
import { FluxWiring } from './flux-problems';
import { fluxReferences } from './flux-references';
import { resolve } from './resolved-reference';
import { groupOf, isFilledLater, KUSTOMIZE_GROUP, wiredTitle, WiredObject } from './wired-objects';
import { asRecord } from '../../../../../contract';
import { listText, nearestName, valueText } from '../../../../../model';
import { DeploymentProblem } from '../../../../vocabulary/source-file';
import { PlainRecord, recordsOf, stringOrUndefined } from '../../../records';

/**
 * Health checks of Kustomizations that name no object, but almost one that the Kustomization deploys.
 *
 * @see https://fluxcd.io/flux/components/kustomize/kustomizations/#health-checks
 */
export function namelessHealthChecks(wiring: FluxWiring): DeploymentProblem[] {
  return wiring.objects.flatMap((object) => {
    if (object.group !== KUSTOMIZE_GROUP || object.spec.wait === true) return [];
    const carried = carriedBy(object, wiring.deployments);
    return recordsOf(object.spec.healthChecks).flatMap((check, index): DeploymentProblem[] => {
      const wrong = wrongField(check, carried);
      if (wrong === undefined) return [];
      const [field, value] = wrong;
      const waiting = waitingFor(object, wiring);
      return [
        {
          kind: 'blocked',
          file: object.definition.file,
          object: object.definition.object,
          path: ['spec', 'healthChecks', index, field],
          message:
            `waits for ${valueText(check.kind)} ${valueText(check.name)}, which it does not deploy: it is never ready` +
            (waiting.length === 0
              ? ''
              : `, and ${listText(waiting)}, which ${waiting.length === 1 ? 'waits' : 'wait'} for it, ${waiting.length === 1 ? 'is' : 'are'} never applied`),
          remedy: `write ${field}: ${value}`,
          evidence: { kind: valueText(check.kind), name: valueText(check.name), nearest: value },
        },
      ];
    });
  });
}

/** The field that differs from an object which is meant, and its value there. */
function wrongField(check: PlainRecord, carried: readonly PlainRecord[]): ['name' | 'namespace', string] | undefined {
  const { kind, name, namespace, apiVersion } = check;
  if (typeof name !== 'string' || isFilledLater(name)) return undefined;
  const group = groupOf(apiVersion);
  const ofKind = carried.filter(
    (one) => one.kind === kind && (apiVersion === undefined || groupOf(one.apiVersion) === group),
  );
  const metadata = ofKind.map((one) => asRecord(one.metadata) ?? {});
  const named = metadata.filter((one) => one.name === name);
  if (named.some((one) => one.namespace === undefined || namespace === undefined || one.namespace === namespace))
    return undefined;
  const [meant] = named;
  if (meant !== undefined) return ['namespace', valueText(meant.namespace)];
  const near = nearestName(
    name,
    metadata.flatMap((one) => stringOrUndefined(one.name) ?? []),
  );
  return near === undefined ? undefined : ['name', near];
}

function waitingFor(object: WiredObject, { objects }: FluxWiring): string[] {
  const waiting = objects.filter((other) =>
    fluxReferences(other).some(
      (reference) =>
        reference.use === 'dependency' && resolve(reference, other, objects)?.found?.includes(object) === true,
    ),
  );
  return [...new Set(waiting.map(wiredTitle))].slice(0, MOST_NAMED);
}

const MOST_NAMED = 3;
