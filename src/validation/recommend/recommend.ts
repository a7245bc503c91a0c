import { poolChanges, PoolChange } from './pool-change';
import { searchChanges } from './search';
import { listText } from '../../model';
import { checkSession } from '../check/check';
import { CheckOptions } from '../check-options';
import { readSession } from '../context/check-session';
import { withFixes } from '../fixes/apply-fixes';
import { READING_RULES, SourceFile } from '../manifest';
import { fixOf } from '../manifest/edit/fix-of';
import { Finding, Fix, Verdict } from '../vocabulary/verdict';

/** What the fleet looks like with and without a recommendation. */
export interface FleetFigures {
  readonly usdPerHour: number;
  readonly nodes: number;
  /** The part of all CPUs that the largest node has, from 0 to 1. */
  readonly largestShare: number;
  /** The part of the nodes that are spot instances, from 0 to 1. */
  readonly spotShare: number;
  /** How many instance types the changed NodePools can launch. */
  readonly instanceTypes: number;
}

/** Lines of NodePools that make the same pods cheaper. `check --first-pass` of the changed files has these figures. */
export interface Recommendation {
  readonly changes: ReadonlyArray<Pick<PoolChange, 'nodePool' | 'description'> & { readonly fix: Fix }>;
  readonly before: FleetFigures;
  readonly after: FleetFigures;
  /** Files whose text changes, with the new text. */
  readonly files: readonly SourceFile[];
}

/** The result of `recommend` for one root, JSON schema version 1. */
export interface Recommendations {
  readonly schemaVersion: '1';
  readonly currency: string;
  /** `null` if the price is unknown; then `why` says why. */
  readonly usdPerHour: number | null;
  readonly lowerBoundUsdPerHour: number | null;
  /** At most five. Fewest changes first, then cheapest first. None is both dearer and of more nodes than another. */
  readonly recommendations: readonly Recommendation[];
  /** How many changes were tried, each by scheduling all pods. */
  readonly tried: number;
  /** Sentences on what was not tried, and why there is no recommendation. */
  readonly notes: readonly string[];
  /** Input that cannot be read. Pods and NodePools in it are missing from the price. */
  readonly problems: readonly Finding[];
}

/** The files from which the sources of a root are made, which are the ones that a recommendation changes. */
export interface Origin {
  readonly files: readonly SourceFile[];
  /** The sources of the root if these were the files. */
  sourcesFrom(files: readonly SourceFile[]): readonly SourceFile[];
}

/**
 * Searches for changes of NodePools that make the fleet cheaper. Each one is tried by the scheduler; those that are
 * returned are checked as a whole: no pod loses its node, and no finding is new.
 *
 * @param origin @default - the sources are files as they are written
 * @throws Error if an option has an invalid value
 */
export function recommend(
  sources: readonly SourceFile[],
  options: CheckOptions = {},
  origin: Origin = { files: sources, sourcesFrom: (files) => files },
): Recommendations {
  const session = readSession(sources, options);
  const verdict = checkSession(session);
  const { usdPerHour, lowerBoundUsdPerHour, currency, notEvaluated } = verdict.summary.cost;
  const problems = session.model.problems.filter(
    ({ rule, severity }) => rule === READING_RULES.unreadable.rule && severity === 'error',
  );
  const base = { schemaVersion: '1', currency, usdPerHour, lowerBoundUsdPerHour, problems } as const;
  if (usdPerHour === null)
    return {
      ...base,
      recommendations: [],
      tried: 0,
      notes: [
        notEvaluated === undefined
          ? 'no node is launched, so there is nothing to make cheaper'
          : `the price is unknown: ${listText(notEvaluated)}`,
      ],
    };
  const pools = session.model.nodePools.filter(({ spec }) =>
    session.ruleContext.plan.nodeClaims.some(({ nodePool }) => nodePool === spec?.name),
  );
  const fixes = new Map<PoolChange, Fix>();
  const unwritable: string[] = [];
  for (const pool of pools) {
    const changes = poolChanges(pool).map((change) => [change, fixOf(pool.object, change.fix)] as const);
    if (changes.length > 0 && changes.every(([, fix]) => fix === undefined)) unwritable.push(pool.object.name);
    for (const [change, fix] of changes) if (fix !== undefined) fixes.set(change, fix);
  }
  const { candidates, tried, isCut } = searchChanges(session, [...fixes.keys()]);
  const recommendations: Recommendation[] = [];
  for (const { changes } of candidates) {
    const written = changes.map((change) => ({ ...change, fix: fixes.get(change)! }));
    const files = changedFiles(
      origin.files,
      written.map(({ fix }) => fix),
    );
    if (files === undefined) continue;
    const texts = new Map(files.map((file) => [file.path, file]));
    const patched = checkSession(
      readSession(
        sources.map((file) => texts.get(file.path) ?? file),
        options,
      ),
    );
    const names = new Set(changes.map(({ nodePool }) => nodePool));
    const [before, after] = [figuresOf(verdict, names), figuresOf(patched, names)];
    if (after === undefined || before === undefined || !isBetter(verdict, patched)) continue;
    if (after.usdPerHour >= before.usdPerHour) continue;
    if (recommendations.some((other) => isAsGood(other.after, after))) continue;
    recommendations.push({
      changes: written.map(({ nodePool, description, fix }) => ({ nodePool, description, fix })),
      before,
      after,
      files,
    });
  }
  return { ...base, recommendations, tried, notes: notesOf(recommendations.length, tried, isCut, unwritable) };
}

function notesOf(found: number, tried: number, isCut: boolean, unwritable: readonly string[]): string[] {
  return [
    ...(found === 0 && tried > 0
      ? ['no change that was tried makes the same pods cheaper by 2% without a new finding']
      : []),
    ...(isCut ? ['more changes are possible than were tried'] : []),
    ...(unwritable.length > 0
      ? [
          `not tried: NodePool ${listText(unwritable)}, not written in a file that can be changed (standard input, a chart, an alias)`,
        ]
      : []),
  ];
}

/** Undefined if the fixes cannot all be made together. */
function changedFiles(sources: readonly SourceFile[], fixes: readonly Fix[]): SourceFile[] | undefined {
  const paths = [...new Set(fixes.map(({ file }) => file))];
  const results = paths.flatMap((path) => {
    const source = sources.find((file) => file.path === path);
    return source === undefined
      ? []
      : [
          withFixes(
            source,
            fixes.filter(({ file }) => file === path),
          ),
        ];
  });
  const applied = results.reduce((sum, result) => sum + result.applied.length, 0);
  return applied === fixes.length ? results.map(({ file }) => file) : undefined;
}

function isAsGood(known: FleetFigures, other: FleetFigures): boolean {
  return known.usdPerHour <= other.usdPerHour && known.nodes <= other.nodes;
}

/** No pod without a node that had one, and no new error or warning. */
function isBetter(before: Verdict, after: Verdict): boolean {
  const keyOf = ({ rule, subject: { kind, namespace, name } }: Finding) =>
    JSON.stringify([rule, kind, namespace, name]);
  const known = new Set(before.findings.map(keyOf));
  return (
    after.summary.scheduledPods >= before.summary.scheduledPods &&
    after.findings.every((finding) => finding.severity === 'info' || known.has(keyOf(finding)))
  );
}

function figuresOf({ summary, nodes, nodePools }: Verdict, names: ReadonlySet<string>): FleetFigures | undefined {
  const { usdPerHour } = summary.cost;
  const created = nodes.filter(({ existing }) => !existing);
  if (usdPerHour === null || created.length === 0) return undefined;
  const cpus = created.map(({ allocatable }) => allocatable.cpu ?? 0);
  return {
    usdPerHour,
    nodes: created.length,
    largestShare: Math.max(...cpus) / cpus.reduce((sum, amount) => sum + amount, 0),
    spotShare: created.filter(({ capacityType }) => capacityType === 'spot').length / created.length,
    instanceTypes: new Set(nodePools.flatMap(({ name, instanceTypes }) => (names.has(name) ? instanceTypes : []))).size,
  };
}
