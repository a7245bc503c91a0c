import { plural } from './section';
import { Verdict } from './verdict';

/** The nodes that pods are on: without nodes that are there, all are new. */
export function placesText({ summary: { nodes }, filledNodes: { length: filled } }: Pick<Verdict, 'summary' | 'filledNodes'>): string {
  if (filled === 0) return plural(nodes, 'node');
  return [`${plural(filled, 'node')} of the cluster`, ...(nodes > 0 ? [plural(nodes, 'new node')] : [])].join(' and ');
}
