import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { BIN, MODULE, moduleFolder } from './go';

interface Replacement {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly times: number;
}

const KARPENTER = 'sigs.k8s.io/karpenter';
const SCHEDULER = 'pkg/controllers/provisioning/scheduling/scheduler.go';
const DISRUPTION = 'pkg/controllers/disruption/';
const REQUIREMENTS = 'pkg/scheduling/requirements.go';
const TOPOLOGY = 'pkg/controllers/provisioning/scheduling/topology.go';
const DOMAINS = 'pkg/controllers/provisioning/scheduling/topologygroup.go';

/** Code of Karpenter that takes the first of equals from a Go map, with a replacement that walks the keys in order. */
const REPLACEMENTS: readonly Replacement[] = [
  { file: 'pkg/scheduling/requirement.go', from: 'r.values.UnsortedList()', to: 'sets.List(r.values)', times: 2 },
  {
    file: DOMAINS,
    from: 'for domain := range t.domains {',
    to: 'for _, domain := range sets.List(sets.KeySet(t.domains)) {',
    times: 5,
  },
  // Which of several labels is blamed: the first by key.
  {
    file: REQUIREMENTS,
    from: '\tfor key := range requirements {\n',
    to: '\tfor _, key := range sets.List(sets.KeySet(requirements)) {\n',
    times: 1,
  },
  {
    file: REQUIREMENTS,
    from: '\t\tfor key := range smallest {\n',
    to: '\t\tfor _, key := range sets.List(sets.KeySet(smallest)) {\n',
    times: 1,
  },
  // Which of several unmet constraints is blamed: the first by type and key, as in our code.
  {
    file: TOPOLOGY,
    from: '\tfor _, tg := range t.inverseTopologyGroups {\n\t\tif tg.Counts(p, taints, requirements, compatibilityOptions...) {\n',
    to:
      '\tsortTopologies(matchingTopologies)\n\town := len(matchingTopologies)\n' +
      '\tfor _, tg := range t.inverseTopologyGroups {\n\t\tif tg.Counts(p, taints, requirements, compatibilityOptions...) {\n',
    times: 1,
  },
  {
    file: TOPOLOGY,
    from: '\treturn matchingTopologies\n}\n',
    to:
      '\tsortTopologies(matchingTopologies[own:])\n\treturn matchingTopologies\n}\n\n' +
      'func sortTopologies(groups []*TopologyGroup) {\n\tslices.SortStableFunc(groups, func(a, b *TopologyGroup) int {\n' +
      '\t\treturn cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.Key, b.Key))\n\t})\n}\n',
    times: 1,
  },
  { file: TOPOLOGY, from: 'import (\n', to: 'import (\n\t"cmp"\n\t"slices"\n', times: 1 },
  {
    file: SCHEDULER,
    from: 'lo.Values(groups)',
    // The group without DaemonSets, whose key is empty, comes last.
    to: 'lo.Map(lo.Reverse(sets.List(sets.KeySet(groups))), func(key string, _ int) *DaemonOverheadGroup { return groups[key] })',
    times: 1,
  },
  {
    file: 'pkg/controllers/state/cluster.go',
    from: 'return lo.Map(lo.Values(c.nodes), func(n *StateNode, _ int) *StateNode {\n\t\treturn n.DeepCopy()\n\t})',
    // By name, because the keys are instance ids.
    to:
      'nodes := lo.Map(lo.Values(c.nodes), func(n *StateNode, _ int) *StateNode { return n.DeepCopy() })\n' +
      '\tslices.SortFunc(nodes, func(a, b *StateNode) int { return strings.Compare(a.Name(), b.Name()) })\n\treturn nodes',
    times: 1,
  },
  { file: 'pkg/controllers/state/cluster.go', from: 'import (\n', to: 'import (\n\t"slices"\n\t"strings"\n', times: 1 },
  {
    file: 'pkg/cloudprovider/types.go',
    from: '\t\treturn iPrice < jPrice\n',
    to: '\t\treturn iPrice < jPrice || (iPrice == jPrice && its[i].Name < its[j].Name)\n',
    times: 1,
  },
  // A stable sort keeps equal items in map order.
  { file: `${DISRUPTION}consolidation.go`, from: 'sort.Slice(', to: 'sort.SliceStable(', times: 1 },
  { file: `${DISRUPTION}drift.go`, from: 'sort.Slice(', to: 'sort.SliceStable(', times: 1 },
  {
    file: `${DISRUPTION}singlenodeconsolidation.go`,
    from: 'lo.Keys(nodePoolCandidates)',
    to: 'sets.List(sets.KeySet(nodePoolCandidates))',
    times: 1,
  },
];

/**
 * Go walks a map in random order, and the order of the keys is one of the possible orders. Makes a copy of Karpenter
 * that walks maps by key, and returns the path of the module file that uses this copy.
 *
 * @throws Error if a file is not as expected
 */
export function mapOrderModfile(): string {
  const source = moduleFolder(KARPENTER);
  const folder = join(BIN, 'map-order');
  const copy = join(folder, 'karpenter');
  copyFile(source, copy, 'go.mod');
  for (const file of readdirSync(join(source, 'pkg'), { recursive: true, withFileTypes: true })) {
    if (file.isFile() && !file.name.endsWith('_test.go'))
      copyFile(source, copy, relative(source, join(file.parentPath, file.name)));
  }
  for (const { file, from, to, times } of REPLACEMENTS) {
    const parts = readFileSync(join(copy, file), 'utf8').split(from);
    if (parts.length !== times + 1)
      throw new Error(
        `${file}: expected ${times} × ${from}, got ${parts.length - 1}; adapt the replacement to Karpenter's new code`,
      );
    writeFileSync(join(copy, file), parts.join(to));
  }
  return writeModfile(folder, copy);
}

/** Copies a file without its mode, because Go keeps its modules read-only. */
function copyFile(source: string, copy: string, file: string): void {
  mkdirSync(join(copy, dirname(file)), { recursive: true });
  writeFileSync(join(copy, file), readFileSync(join(source, file)));
}

function writeModfile(folder: string, copy: string): string {
  const path = join(folder, 'go.mod');
  const lines = readFileSync(join(MODULE, 'go.mod'), 'utf8')
    .split('\n')
    .map((line) =>
      line.includes(`${KARPENTER} `) && line.includes('=>') ? `\t${line.trim().split(' => ')[0]} => ${copy}` : line,
    );
  writeFileSync(path, lines.join('\n'));
  copyFile(MODULE, folder, 'go.sum');
  return path;
}
