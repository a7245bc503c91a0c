import { ScheduledEvent } from '../cluster/event-queue';
import { ScenarioReport } from '../report/scenario-report';
import { ScenarioStart, simulateFrom } from '../scenario-start';

/** Each node drains when it expires, whatever disruption budgets allow. No report if no node expires. */
export function expiration(start: ScenarioStart): ScenarioReport[] {
  const expiring = start.baseline.cluster.nodes.filter(
    ({ claim, deleting }) => claim?.expireAfter !== undefined && !deleting,
  );
  if (expiring.length === 0) return [];
  const events = expiring.map(
    ({ name, claim }): ScheduledEvent => ({
      at: Math.max(start.start, claim!.createdAt + claim!.expireAfter!),
      apply: (cluster) => {
        if (!cluster.nodes.has(name)) return;
        cluster.recordEvent(`${name} expires`);
        cluster.startDraining(name, claim!.terminationGracePeriod);
      },
    }),
  );
  return [simulateFrom(start, { scenario: 'expiration', events })];
}
