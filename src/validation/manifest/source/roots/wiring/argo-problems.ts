import {
  DEFAULT_PROJECT,
  destinationOf,
  nearestProject,
  permitsDestination,
  permitsSource,
  projectsIn,
} from './argo-project';
import { wrongUrl } from './argo-url';
import { isFilledLater, WiredObject } from './wired-objects';
import { asRecord, FieldPath } from '../../../../../contract';
import { listText, shortListText } from '../../../../../model';
import { DeploymentProblem } from '../../../../vocabulary/source-file';
import { PlainRecord, recordsOf, scalarText } from '../../../records';
import { Application, specPathOf } from '../clusters/argo-cd';
import { deployerOf } from '../inline-build';

const MOST_NAMED = 4;

/** What the input says about Argo CD. */
export interface ArgoWiring {
  readonly objects: readonly WiredObject[];
  readonly applications: readonly Application[];
  /** Whether patterns leave out all files of a folder that an Application deploys. */
  readonly isEmptied: (application: Application, path: unknown) => boolean;
  /** What an Application deploys from folders of the input. */
  readonly deployedBy: (application: Application) => readonly PlainRecord[];
}

/** A finding at a field of an Application. */
export function applicationProblem(
  application: Application,
  field: FieldPath,
  problem: Pick<DeploymentProblem, 'message' | 'remedy' | 'evidence'> & Partial<DeploymentProblem>,
): DeploymentProblem {
  const { file, object } = application.definition;
  return { kind: 'blocked', file, object, path: [...specPathOf(application), ...field], ...problem };
}

/** Each source of an Application, with its path in the spec. */
export function sourcesOf({ spec }: Application): ReadonlyArray<readonly [source: PlainRecord, path: FieldPath]> {
  if (spec.sources !== undefined)
    return recordsOf(spec.sources).map((source, index) => [source, ['sources', index]] as const);
  const source = asRecord(spec.source);
  return source ? [[source, ['source']]] : [];
}

/** Applications of a project that does not exist, but almost. */
export function unknownProjects({ applications, objects }: ArgoWiring): DeploymentProblem[] {
  return applications.flatMap((application): DeploymentProblem[] => {
    const project = scalarText(application.spec.project);
    const near = nearestProject(project, objects);
    if (near === undefined) return [];
    return [
      applicationProblem(application, ['project'], {
        message: `is of project ${project}, which does not exist: Argo CD refuses it, and nothing of it is deployed`,
        remedy: `write project: ${near}`,
        evidence: { project, nearest: near },
      }),
    ];
  });
}

/** The Applications by their project, if the input has that project. */
export function byProject({ applications, objects }: ArgoWiring): Array<readonly [WiredObject, Application[]]> {
  const projects = projectsIn(objects);
  return [...projects].flatMap(([name, project]) => {
    const own = applications.filter(({ spec }) => (scalarText(spec.project) || DEFAULT_PROJECT) === name);
    return own.length === 0 ? [] : [[project, own] as const];
  });
}

/**
 * Projects that permit no source or destination of their Applications.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/projects/
 */
export function refusedApplications(wiring: ArgoWiring): DeploymentProblem[] {
  return byProject(wiring).flatMap(([project, applications]) => [
    ...refusedSources(project, applications),
    ...refusedDestinations(project, applications),
  ]);
}

function refusedSources(project: WiredObject, applications: readonly Application[]): DeploymentProblem[] {
  const byUrl = new Map<string, Set<string>>();
  for (const application of applications)
    for (const [source] of sourcesOf(application)) {
      const { repoURL } = source;
      if (typeof repoURL !== 'string' || isFilledLater(repoURL) || permitsSource(project.spec, repoURL)) continue;
      // The URL is wrong, not the project.
      if (wrongUrl(source) !== undefined) continue;
      byUrl.set(repoURL, (byUrl.get(repoURL) ?? new Set()).add(deployerOf(application.definition)));
    }
  if (byUrl.size === 0) return [];
  const urls = [...byUrl.keys()];
  const names = [...new Set([...byUrl.values()].flatMap((own) => [...own]))];
  return [
    projectProblem(project, 'sourceRepos', {
      message: `does not permit ${listText(urls)}: Argo CD refuses ${shortListText(names, MOST_NAMED)}, and deploys nothing of ${names.length === 1 ? 'it' : 'them'}`,
      remedy: `add ${listText(urls)} to sourceRepos`,
      evidence: { sources: urls, applications: names },
    }),
  ];
}

interface DestinationEntry {
  readonly server?: string;
  readonly name?: string;
  readonly namespace: string;
}

function refusedDestinations(project: WiredObject, applications: readonly Application[]): DeploymentProblem[] {
  if (project.spec.permitOnlyProjectScopedClusters === true) return [];
  const refused = applications.flatMap((application) => {
    const destination = destinationOf(application.spec.destination);
    if (destination === undefined || permitsDestination(project.spec, destination) !== false) return [];
    const { server, name, namespace } = destination;
    const entry: DestinationEntry = server === undefined ? { name, namespace } : { server, namespace };
    return [{ application: deployerOf(application.definition), entry }];
  });
  if (refused.length === 0) return [];
  const names = [...new Set(refused.map(({ application }) => application))];
  const entries = [...new Map(refused.map(({ entry }) => [JSON.stringify(entry), entry])).values()];
  return [
    projectProblem(project, 'destinations', {
      message: `does not permit ${listText(entries.map(({ server, name, namespace }) => `namespace ${namespace} of ${server ?? name}`))}: Argo CD refuses ${shortListText(names, MOST_NAMED)}, and deploys nothing of ${names.length === 1 ? 'it' : 'them'}`,
      remedy: `add ${listText(entries.map((entry) => entryText({ ...entry })))} to destinations`,
      evidence: { destinations: entries, applications: names },
    }),
  ];
}

export function entryText(entry: Readonly<Record<string, string | undefined>>): string {
  const fields = Object.entries(entry).map(
    ([key, value]) => `${key}: ${value === '*' || value === '' ? `"${value}"` : value}`,
  );
  return `{ ${fields.join(', ')} }`;
}

/** A finding at a list of an AppProject. */
export function projectProblem(
  { definition: { file, object } }: WiredObject,
  list: string,
  problem: Pick<DeploymentProblem, 'message' | 'remedy' | 'evidence'>,
): DeploymentProblem {
  return { kind: 'blocked', file, object, path: ['spec', list], ...problem };
}
