import { Consent } from './changes/pool-change';
import { FleetFigures } from './figures';
import { SourceFile } from '../manifest';
import { BestFound, Finding, Fix } from '../vocabulary/verdict';

/** A change of one NodePool. */
export interface RecommendedChange {
  readonly nodePool: string;
  /** An instruction: 'launch nodes of at most 32 CPUs'. */
  readonly description: string;
  /** What the author of the workloads must agree to. Absent if that is nothing. */
  readonly consent?: Consent;
  /** What must be true and is not in the input, as a sentence. */
  readonly condition?: string;
  /**
   * The edits of the file, as if no other change was made. Absent if the NodePool is in no file that can be changed,
   * because a chart has it, for example.
   */
  readonly fix?: Fix;
}

/** The remedy of a finding that the changes make, which is made together with them. */
export interface RecommendedRemedy {
  /** The rule of the finding: 'KARP-303'. */
  readonly rule: string;
  /** `DaemonSet agent`. */
  readonly object: string;
  /** An instruction: 'write priorityClassName: system-node-critical'. */
  readonly description: string;
  /** The edits of the file, as if no other change was made. Absent if no file can be changed. */
  readonly fix?: Fix;
}

/** A NodePool whose requirements change. */
export interface ConstructCode {
  readonly nodePool: string;
  /** The requirements that are added or replaced, as TypeScript. */
  readonly requirements: readonly string[];
  /** The same requirements, as YAML. */
  readonly manifest: readonly string[];
}

/** The price of another root that has the same NodePool. */
export interface OtherRootPrice {
  readonly root: string;
  readonly before: number;
  readonly after: number;
}

/**
 * Changes of NodePools that make the same pods cheaper. A check of the changed files with the same options has these
 * figures.
 */
export interface Recommendation {
  readonly changes: readonly RecommendedChange[];
  /** Absent if the changes alone make no finding that has a remedy. */
  readonly remedies?: readonly RecommendedRemedy[];
  /**
   * Findings of the changed files that the present files lead to as well, with other random names of nodes:
   * `KARP-425 about Deployment web`. Absent if there are none.
   */
  readonly chanceFindings?: readonly string[];
  readonly before: FleetFigures;
  readonly after: FleetFigures;
  readonly constructs: readonly ConstructCode[];
  /** Other roots whose price changes with the same files. Absent if there are none. */
  readonly otherRoots?: readonly OtherRootPrice[];
  /** Files whose text changes, with the new text. Empty if a NodePool is in no file that can be changed. */
  readonly files: readonly SourceFile[];
}

/** The result of `recommend` for one root, JSON schema version 1. */
export interface Recommendations {
  readonly schemaVersion: '1';
  readonly currency: string;
  /** Dates of the prices of the nodes as they are, `YYYY-MM-DD`, oldest first. */
  readonly pricesOf: readonly string[];
  /** `null` if the price is unknown; then `notes` says why. */
  readonly usdPerHour: number | null;
  /** The price after consolidation. Absent if consolidation is not simulated. */
  readonly consolidatedUsdPerHour?: number;
  readonly lowerBoundUsdPerHour: number | null;
  /** The cheapest fleet that a search found on these NodePools. Absent if it found none. */
  readonly bestFound?: BestFound;
  /**
   * At most five. None is worse in every respect than another. Those that need no consent come first, then those with
   * fewest changes, then the cheapest.
   */
  readonly recommendations: readonly Recommendation[];
  /** How many changes were tried, each by scheduling all pods. */
  readonly tried: number;
  /** Sentences on what was not tried or is not recommended, and why there is no recommendation. */
  readonly notes: readonly string[];
  /** Input that cannot be read. Pods and NodePools in it are missing from the price. */
  readonly problems: readonly Finding[];
}

/** A root of a repository, which is deployed by itself. */
export interface NamedSources {
  readonly name: string;
  readonly sources: readonly SourceFile[];
}

/** The files from which the sources of a root are made, which are the ones that a recommendation changes. */
export interface Origin {
  readonly files: readonly SourceFile[];
  /** The name of the root. @default - the sources are no root */
  readonly name?: string;
  /** Other roots of the same files, which must not become worse. @default - there are none */
  readonly others?: readonly NamedSources[];
  /** The sources of a root if these were the files. Used if a kustomization changes them. */
  sourcesFrom?(files: readonly SourceFile[], name: string): readonly SourceFile[];
}
