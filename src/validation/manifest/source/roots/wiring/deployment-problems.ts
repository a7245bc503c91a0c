import { normalize } from 'path';
import { refusedKinds } from './argo-kinds';
import { refusedApplications, unknownProjects } from './argo-problems';
import { emptiedFolders, skippedApplications, unusableSources } from './argo-sources';
import { wrongTags } from './chart-versions';
import { chartArtifacts, poolsBesideTheirCrds, repositoryTypes } from './flux-charts';
import { circularDependencies, danglingReferences, waitingParents } from './flux-problems';
import { namelessHealthChecks } from './health-checks';
import { ownedTwice, releasesTwice } from './owned-twice';
import { suspendedObjects } from './suspended';
import { wiredObjects } from './wired-objects';
import { DeploymentProblem } from '../../../../vocabulary/source-file';
import { Application, ArgoPaths } from '../clusters/argo-cd';
import { DefinedObject } from '../clusters/deployed-path';
import { FluxPaths } from '../clusters/flux';
import { FolderContent } from '../clusters/folder-content';
import { cleanPath } from '../clusters/missing-paths';
import { Kustomizations } from '../kustomization';
import { editedObjectsIn } from '../root-objects';

/** Why objects of Flux and Argo CD deploy nothing, or not what they are meant to: each place once. */
export function deploymentProblems(
  definitions: readonly DefinedObject[],
  argo: ArgoPaths,
  flux: FluxPaths,
  content: FolderContent,
  kustomizations: Kustomizations,
): DeploymentProblem[] {
  const objects = wiredObjects(definitions, flux.deployments, kustomizations);
  const fluxWiring = { objects, deployments: flux.deployments };
  const deployedBy = (application: Application) =>
    argo.paths
      .filter(({ by }) => by.definition === application.definition && by.name === nameOf(application))
      .flatMap((path) => content.sourcesIn(path.folder, path.isRecursive, path))
      .filter(({ unreadable }) => unreadable === undefined)
      .flatMap((source) => [...editedObjectsIn(source)]);
  const applications = argo.applications.filter(({ definition: { file } }) => file.isOfOthers !== true);
  const isEmptied = (application: Application, written: unknown) =>
    argo.paths.some(
      ({ by, folder, isRecursive, isIncluded }) =>
        by.definition === application.definition &&
        folder.endsWith(cleanPath(written)) &&
        isIncluded !== undefined &&
        content.isEmptied(folder, isRecursive, isIncluded),
    );
  const argoWiring = { objects, applications, deployedBy, isEmptied };
  return onceEach([
    ...danglingReferences(fluxWiring),
    ...circularDependencies(fluxWiring),
    ...waitingParents(fluxWiring),
    ...namelessHealthChecks(fluxWiring),
    ...repositoryTypes(fluxWiring),
    ...chartArtifacts(fluxWiring),
    ...wrongTags(fluxWiring, argoWiring),
    ...poolsBesideTheirCrds(fluxWiring),
    ...suspendedObjects(fluxWiring),
    ...unknownProjects(argoWiring),
    ...unusableSources(argoWiring),
    ...refusedApplications(argoWiring),
    ...refusedKinds(argoWiring),
    ...emptiedFolders(argoWiring),
    ...skippedApplications(argoWiring),
    ...releasesTwice(fluxWiring),
    ...ownedTwice(
      { ...argo, paths: [...argo.paths, ...flux.paths], written: [...argo.written, ...flux.written] },
      content,
      kustomizations,
    ),
  ]);
}

/** The label of an Application in what it deploys. One with a placeholder has none. */
function nameOf({ name }: Application): string | undefined {
  return name === undefined || name.includes('{{') ? undefined : name;
}

function onceEach(problems: readonly DeploymentProblem[]): DeploymentProblem[] {
  const byPlace = new Map<string, DeploymentProblem>();
  for (const problem of problems) {
    const key = JSON.stringify([normalize(problem.file.path), problem.object, problem.path]);
    if (!byPlace.has(key)) byPlace.set(key, problem);
  }
  return [...byPlace.values()];
}
