import { ArgoWiring, byProject, entryText, projectProblem, sourcesOf } from './argo-problems';
import { GroupKind, permitsKind } from './argo-project';
import { groupOf, WiredObject } from './wired-objects';
import { asRecord } from '../../../../../contract';
import { listText, shortListText } from '../../../../../model';
import { DeploymentProblem } from '../../../../vocabulary/source-file';
import { PlainRecord } from '../../../records';
import { Application } from '../clusters/argo-cd';
import { deployerOf } from '../inline-build';

const MOST_NAMED = 4;
const RBAC = 'rbac.authorization.k8s.io';

/** Kinds without a namespace, by group. Only of these groups is it known which kinds have one. */
const CLUSTER_KINDS: ReadonlyMap<string, RegExp> = new Map([
  ['', /^(?:Namespace|PersistentVolume)$/],
  ['apps', /^$/],
  ['batch', /^$/],
  ['autoscaling', /^$/],
  ['policy', /^$/],
  ['karpenter.sh', /./],
  ['karpenter.k8s.aws', /./],
  ['storage.k8s.io', /^(?:StorageClass|CSIDriver)$/],
  ['scheduling.k8s.io', /./],
  ['node.k8s.io', /./],
  ['apiextensions.k8s.io', /./],
  [RBAC, /^Cluster/],
]);

/** What the charts of Karpenter contain that has no namespace, in every release of them. */
const CRD: GroupKind = { group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition', isClusterScoped: true };
const OF_CONTROLLER: readonly GroupKind[] = ['ClusterRole', 'ClusterRoleBinding'].map((kind) => ({
  group: RBAC,
  kind,
  isClusterScoped: true,
}));
const CHART = /^karpenter(-crd)?$/;

interface Refused {
  readonly kind: GroupKind;
  readonly list: string;
  readonly by: string;
}

/**
 * Projects that permit no objects of a kind that their Applications deploy.
 *
 * @see https://argo-cd.readthedocs.io/en/stable/user-guide/projects/
 */
export function refusedKinds(wiring: ArgoWiring): DeploymentProblem[] {
  return byProject(wiring).flatMap(([project, applications]) => {
    const refused = applications.flatMap((application) =>
      kindsOf(application, wiring).flatMap((kind): Refused[] => {
        const permitted = permitsKind(project.spec, kind);
        return permitted ? [{ kind, list: permitted.list, by: deployerOf(application.definition) }] : [];
      }),
    );
    const lists = [...new Set(refused.map(({ list }) => list))];
    return lists.map((list) =>
      kindProblem(
        project,
        list,
        refused.filter((one) => one.list === list),
      ),
    );
  });
}

function kindProblem(project: WiredObject, list: string, refused: readonly Refused[]): DeploymentProblem {
  const kinds = new Map(refused.map(({ kind }) => [JSON.stringify(kind), kind]));
  const shown = [...kinds.values()].map(({ group, kind }) => (group === '' ? kind : `${kind} (${group})`));
  const names = [...new Set(refused.map(({ by }) => by))];
  const isWhite = list.endsWith('Whitelist');
  const entries = [...kinds.values()].map(({ group, kind }) => entryText({ group: group || '', kind }));
  const isMissing = isWhite && project.spec[list] === undefined;
  return projectProblem(project, list, {
    message:
      `does not permit ${listText(shown)}${isMissing ? `, because it has no ${list}` : ''}: Argo CD refuses to sync ` +
      `${shortListText(names, MOST_NAMED)}, which ${names.length === 1 ? 'deploys' : 'deploy'} ${kinds.size === 1 ? 'it' : 'them'}`,
    remedy: isWhite
      ? `add ${shortListText(entries, MOST_NAMED)} to ${list}`
      : `remove ${listText([...kinds.values()].map(({ kind }) => kind))} from ${list}`,
    evidence: { list, kinds: shown, applications: names },
  });
}

/** The deployed kinds whose scope is known. */
function kindsOf(application: Application, { deployedBy }: ArgoWiring): GroupKind[] {
  const kinds = [
    ...deployedBy(application).flatMap(kindOf),
    ...sourcesOf(application).flatMap(([one]) => ofChart(one)),
  ];
  return [...new Map(kinds.map((kind) => [JSON.stringify(kind), kind])).values()];
}

function kindOf({ apiVersion, kind }: PlainRecord): GroupKind[] {
  const own = groupOf(apiVersion);
  const clusterKinds = CLUSTER_KINDS.get(own);
  if (clusterKinds === undefined || typeof kind !== 'string' || kind === '' || kind.endsWith('List')) return [];
  return [{ group: own, kind, isClusterScoped: clusterKinds.test(kind) }];
}

function ofChart({ chart, helm }: PlainRecord): GroupKind[] {
  const found = typeof chart === 'string' ? CHART.exec(chart) : undefined;
  if (!found) return [];
  const crds = asRecord(helm)?.skipCrds === true ? [] : [CRD];
  return found[1] === undefined ? [...OF_CONTROLLER, ...crds] : [CRD];
}
