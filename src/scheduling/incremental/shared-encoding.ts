import { countWidths } from './node-columns';
import { NodeRowEncoder } from './node-rows';
import { NodeTable, NodeTables, nodeTables } from './node-table';
import { PodKinds } from './pod-kinds';
import { offeredDomains } from './pool-changes';
import { QueryPodCache } from './query-pods';
import { Label } from '../../model';
import { EncodedProblem, encodeProblem, sizeRanks, Workload } from '../encoding/problem';
import { ExistingNode } from '../input/schedule-input';

/** The encoding that queries share. Solvers that differ only in their pools share the encoded pods and nodes. */
export interface SharedEncoding {
  readonly workload: Workload;
  readonly encoded: EncodedProblem;
  /** Per class: its rank by size. */
  readonly ranks: Int32Array;
  readonly kinds: PodKinds;
  readonly queryPods: QueryPodCache;
  readonly rows: NodeRowEncoder;
  readonly tables: NodeTables;
}

/** Encodes pools, instance types and kinds of pods. Nodes are encoded when a query first has them. */
export function encodeShared(workload: Workload, nodes: readonly ExistingNode[]): SharedEncoding {
  const {
    pods: { classes, classOf, topologies },
    groups,
    templates,
    relaxedDaemonSets,
  } = workload;
  const encoded = encodeProblem(workload, { isIncremental: true });
  const {
    resources,
    problem: { portWords },
  } = encoded;
  const kinds = new PodKinds(topologies, nodes, groups, classOf, workload.daemonSets);
  const offered = offeredDomains(encoded, workload.pods, templates);
  const hostGroups = topologies.groups.filter(({ key }) => key === Label.HOSTNAME).length;
  const rows = new NodeRowEncoder(encoded, topologies, kinds, relaxedDaemonSets);
  const widths = { resources: resources.length, portWords, hostGroups, ...countWidths(encoded.problem) };
  const inverse = Uint8Array.from(topologies.groups, ({ inverseAntiAffinity }) => (inverseAntiAffinity ? 1 : 0));
  const ranks = sizeRanks(classes);
  return {
    workload,
    encoded,
    ranks,
    kinds,
    queryPods: new QueryPodCache({ kinds, classes, ranks, inverse }),
    rows,
    tables: nodeTables(() => new NodeTable(rows, widths, offered)),
  };
}
