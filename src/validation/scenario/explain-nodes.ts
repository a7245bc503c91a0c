import { prepareCluster } from './prepared-cluster';
import { simulatePrepared } from './simulate-scenario';
import { NodeStay, Stays } from '../../disruption';
import { nearestNames } from '../../model';
import { CheckSession } from '../context/check-session';
import { READING_RULES } from '../manifest';
import { Finding } from '../vocabulary/verdict';

/** Why a node stays after consolidation, or how it is removed. */
export interface NodeExplanation {
  readonly node: string;
  /** Why it stays, and what frees it. @default - consolidation removes it, or the simulation does not end */
  readonly stays?: NodeStay;
  /** What happens to it: each event with its whole second after the start. Empty if it stays as it is. */
  readonly events: ReadonlyArray<{ readonly second: number; readonly what: string }>;
}

export interface NodeExplanations {
  readonly nodes: readonly NodeExplanation[];
  /** All nodes that stay, and the changes. @default - the simulation does not end */
  readonly stays?: Stays;
  /** Requested names that match no node, with similar names, and all names. */
  readonly unknownNodes: ReadonlyArray<{
    readonly node: string;
    readonly nearest: readonly string[];
    readonly existing: readonly string[];
  }>;
  readonly assumptions: readonly string[];
  readonly notEvaluated: readonly string[];
  readonly currency?: string | null;
  /** Input that could not be read. */
  readonly problems: readonly Finding[];
}

/**
 * Simulates consolidation, and explains why nodes stay or how they are removed.
 *
 * @param names of nodes, existing or planned, or patterns with `*`
 */
export function explainNodes(session: CheckSession, names: readonly string[]): NodeExplanations {
  const prepared = prepareCluster(session);
  const existing = prepared.cluster.nodes.map(({ name }) => name);
  const matches = names.map((requested) => ({ requested, found: existing.filter(matcherOf(requested)) }));
  const problems = session.model.problems.filter(
    ({ rule, severity }) => rule === READING_RULES.unreadable.rule && severity === 'error',
  );
  const unknownNodes = matches
    .filter(({ found }) => found.length === 0)
    .map(({ requested }) => ({ node: requested, nearest: nearestNames(requested, existing), existing }));
  if (unknownNodes.length > 0) return { nodes: [], unknownNodes, assumptions: [], notEvaluated: [], problems };
  const { reports, assumptions, notEvaluated, currency } = simulatePrepared('consolidation', prepared, {});
  const [{ stays, timeline }] = reports;
  return {
    nodes: [...new Set(matches.flatMap(({ found }) => found))].map((node): NodeExplanation => {
      const stay = stays?.nodes.find((candidate) => candidate.node === node);
      const events = timeline.filter(({ what }) => what.split(/[\s,]+/).includes(node));
      return { node, ...(stay ? { stays: stay } : {}), events };
    }),
    ...(stays ? { stays } : {}),
    unknownNodes,
    assumptions,
    notEvaluated,
    ...(currency === undefined ? {} : { currency }),
    problems,
  };
}

function matcherOf(requested: string): (name: string) => boolean {
  if (!requested.includes('*')) return (name) => name === requested;
  const parts = requested.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`);
  return (name) => pattern.test(name);
}
