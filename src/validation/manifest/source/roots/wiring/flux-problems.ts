import { normalize } from 'path';
import { carriedText } from './carried-objects';
import { FluxReference, fluxReferences } from './flux-references';
import { resolve, Resolution } from './resolved-reference';
import { KUSTOMIZE_GROUP, mayMeet, wiredTitle, WiredObject } from './wired-objects';
import { formatFieldPath } from '../../../../../contract';
import { shortListText } from '../../../../../model';
import { DeploymentProblem } from '../../../../vocabulary/source-file';
import { recordsOf } from '../../../records';
import { FluxDeployment } from '../clusters/flux';

const MOST_NAMED = 4;

/** What the input says about Flux. */
export interface FluxWiring {
  readonly objects: readonly WiredObject[];
  readonly deployments: readonly FluxDeployment[];
}

/** References of Flux to objects that do not exist. */
export function danglingReferences(wiring: FluxWiring): DeploymentProblem[] {
  const { objects } = wiring;
  return objects.flatMap((from) =>
    fluxReferences(from).flatMap((reference): DeploymentProblem[] => {
      const resolution = resolve(reference, from, objects);
      if (resolution?.wrong === undefined) return [];
      if (resolution.wrong === 'all' && (reference.use === 'values' || !isWhole(from, wiring))) return [];
      return [danglingProblem(reference, from, resolution, wiring)];
    }),
  );
}

function danglingProblem(
  reference: FluxReference,
  from: WiredObject,
  resolution: Wrong,
  wiring: FluxWiring,
): DeploymentProblem {
  const { kind, name, path, namespace = from.namespace } = reference;
  const { wrong, meant } = resolution;
  const field = wrong === 'all' || (wrong === 'namespace' && reference.namespace === undefined) ? 'name' : wrong;
  return {
    kind: 'blocked',
    file: from.definition.file,
    object: from.definition.object,
    path: [...path, field],
    message:
      `${VERBS[reference.use]} ${kind} ${name}${wrong === 'namespace' && namespace !== undefined ? ` in namespace ${namespace}` : ''}, which does not exist` +
      `${wrong === 'all' ? ' in this repository' : ''}: ${carriedText(from, wiring.deployments)}`,
    remedy: deployerInstead(reference, wrong, wiring) ?? remedyOf(reference, from, resolution),
    evidence: { field: formatFieldPath(path), kind, name, nearest: meant?.name ?? null },
    ...(wrong === 'all' ? { severity: 'warning' } : {}),
  };
}

type Wrong = Exclude<Resolution, { found: readonly WiredObject[] }>;

const VERBS: Readonly<Record<FluxReference['use'], string>> = {
  dependency: 'waits for',
  source: 'takes its files from',
  values: 'takes values from',
};

/** The Kustomization that deploys the HelmRelease of that name: a Kustomization waits only for Kustomizations. */
function deployerInstead(
  { kind, name, use }: FluxReference,
  wrong: string,
  { objects, deployments }: FluxWiring,
): string | undefined {
  if (wrong !== 'all' || use !== 'dependency' || kind !== 'Kustomization') return undefined;
  const release = objects.find((object) => object.kind === 'HelmRelease' && object.name === name);
  if (release === undefined) return undefined;
  const path = normalize(release.definition.file.path);
  const deployer = objects.find(({ definition }) =>
    deployments.some(
      (one) => one.definition === definition && one.sources.some((source) => normalize(source.path) === path),
    ),
  );
  return (
    deployer &&
    `a Kustomization waits only for Kustomizations: write name: ${deployer.name}, which deploys HelmRelease ${name}, and wait: true there`
  );
}

function remedyOf({ kind, use, path }: FluxReference, from: WiredObject, { wrong, meant, others }: Wrong): string {
  const field = path.filter((step) => typeof step === 'string').at(-1);
  if (wrong === 'name') return `write name: ${meant!.name}`;
  if (wrong === 'kind') return `write kind: ${meant!.kind}`;
  if (wrong === 'namespace') return `write namespace: ${meant!.namespace} in ${field}`;
  const names = [...new Set(others.filter((object) => object !== from).map((object) => object.name))].sort();
  const choices =
    names.length === 0 ? '' : ` (there ${names.length === 1 ? 'is' : 'are'} ${shortListText(names, MOST_NAMED)})`;
  return use === 'dependency'
    ? `write the name of a ${kind} that exists${choices}, or remove the entry`
    : `write the name of a ${kind} that exists${choices}, or add it to the repository`;
}

/** Kinds that make further objects of Flux, which no file of the repository shows. */
const MAKERS = /^(?:ResourceSet|FluxInstance|Terraform|Application|ApplicationSet|Kustomize|Composition)$/;

/**
 * Whether the repository has all objects of the cluster: the Kustomization that `flux bootstrap` writes, which deploys
 * itself, and all that Kustomizations deploy.
 */
function isWhole(from: WiredObject, { objects, deployments }: FluxWiring): boolean {
  if (from.clusters === undefined) return false;
  const own = deployments.filter(({ clusters }) => clusters.some((cluster) => from.clusters!.has(cluster)));
  const isBootstrap = ({ sources, definition }: FluxDeployment) =>
    sources.some(({ path }) => normalize(path) === normalize(definition.file.path));
  return (
    own.some(isBootstrap) &&
    own.every(
      ({ folder, sources }) => folder !== undefined && sources.every(({ unreadable }) => unreadable === undefined),
    ) &&
    !objects.some((object) => MAKERS.test(object.kind) && mayMeet(object, from))
  );
}

/** Kustomizations and HelmReleases that wait for each other, or for themselves. */
export function circularDependencies({ objects, deployments }: FluxWiring): DeploymentProblem[] {
  const next = new Map(
    objects.map((from) => [
      from,
      fluxReferences(from)
        .filter(({ use }) => use === 'dependency')
        .flatMap((reference) =>
          (resolve(reference, from, objects)?.found ?? [])
            .filter((to) => mayMeet(to, from))
            .map((to) => ({ to, reference })),
        ),
    ]),
  );
  const reported = new Set<WiredObject>();
  return objects.flatMap((start): DeploymentProblem[] => {
    const circle = reported.has(start) ? undefined : circleFrom(start, next);
    if (circle === undefined) return [];
    for (const object of circle) reported.add(object);
    const last = circle.at(-1)!;
    const { reference } = next.get(last)!.find(({ to }) => to === start)!;
    const names = [...circle, start].map(({ name }) => name);
    return [
      {
        kind: 'blocked',
        file: last.definition.file,
        object: last.definition.object,
        path: [...reference.path, 'name'],
        message:
          circle.length === 1
            ? `waits for itself: ${carriedText(start, deployments)}`
            : `is in a circle of ${start.kind}s that wait for each other (${names.join(' → ')}): Flux applies none of them`,
        remedy: `remove ${start.name} from dependsOn of ${wiredTitle(last)}${circle.length === 1 ? '' : ', or another entry of the circle'}`,
        evidence: { circle: names },
      },
    ];
  });
}

type Next = ReadonlyMap<WiredObject, ReadonlyArray<{ readonly to: WiredObject; readonly reference: FluxReference }>>;

/** The shortest way from an object to itself, without the object at the end. */
function circleFrom(start: WiredObject, next: Next): readonly WiredObject[] | undefined {
  const before = new Map<WiredObject, WiredObject | undefined>([[start, undefined]]);
  for (const [object] of before) {
    for (const { to } of next.get(object) ?? []) {
      if (to === start) return wayTo(object, before);
      if (!before.has(to)) before.set(to, object);
    }
  }
  return undefined;
}

function wayTo(object: WiredObject, before: ReadonlyMap<WiredObject, WiredObject | undefined>): WiredObject[] {
  const way: WiredObject[] = [];
  for (let step: WiredObject | undefined = object; step !== undefined; step = before.get(step)) way.unshift(step);
  return way;
}

/** Kustomizations that wait until their own parts are ready, while a part waits for them. */
export function waitingParents({ objects, deployments }: FluxWiring): DeploymentProblem[] {
  return objects.flatMap((child) => {
    if (child.group !== KUSTOMIZE_GROUP) return [];
    return fluxReferences(child).flatMap((reference): DeploymentProblem[] => {
      if (reference.use !== 'dependency') return [];
      const parent = resolve(reference, child, objects)?.found?.find((object) => deploys(object, child, deployments));
      if (parent === undefined || !waitsFor(parent, child)) return [];
      return [
        {
          kind: 'blocked',
          file: child.definition.file,
          object: child.definition.object,
          path: [...reference.path, 'name'],
          message:
            `waits for ${wiredTitle(parent)}, which deploys it and waits until it is ready: ` +
            carriedText(child, deployments),
          remedy: `remove ${parent.name} from dependsOn: what deploys a Kustomization is applied before it anyway`,
          evidence: { parent: parent.name },
        },
      ];
    });
  });
}

function deploys(parent: WiredObject, child: WiredObject, deployments: readonly FluxDeployment[]): boolean {
  const path = normalize(child.definition.file.path);
  return deployments.some(
    ({ definition, sources }) =>
      definition === parent.definition && sources.some((source) => normalize(source.path) === path),
  );
}

function waitsFor({ spec }: WiredObject, child: WiredObject): boolean {
  const checks = recordsOf(spec.healthChecks);
  return spec.wait === true || checks.some(({ kind, name }) => kind === child.kind && name === child.name);
}
