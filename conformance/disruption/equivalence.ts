import { CommandAnswer, DisruptionAnswer, MethodAnswer, ReplacementAnswer } from './answer';
import { ourRemarksOf, remarksOf } from './remarks';

/** A sentence about the first difference; undefined if there is none. */
export function firstDifference(expected: DisruptionAnswer, actual: DisruptionAnswer): string | undefined {
  for (const wanted of expected.methods) {
    const given = actual.methods.find(({ method }) => method === wanted.method)!;
    const what = ofMethod(wanted, given);
    if (what !== undefined) return `${wanted.method}: ${what}`;
  }
  return (
    ofDrifts(expected.drifts ?? {}, actual.drifts ?? {}) ??
    ofConfirmed(expected.confirmed ?? {}, actual.confirmed ?? {})
  );
}

function ofConfirmed(
  wanted: NonNullable<DisruptionAnswer['confirmed']>,
  given: NonNullable<DisruptionAnswer['confirmed']>,
): string | undefined {
  for (const [method, commands] of Object.entries(wanted)) {
    const what = ofCommands(commands, given[method] ?? []);
    if (what !== undefined) return `${method}, validation: ${what}`;
  }
  return undefined;
}

/** Drift reason that is not compared: only EC2 knows whether it still offers an instance type. */
const UNKNOWN = 'InstanceTypeNotFound';

function ofDrifts(
  wanted: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): string | undefined {
  const claims = [...new Set([...Object.keys(wanted), ...Object.keys(given)])]
    .sort()
    .filter((claim) => wanted[claim] !== UNKNOWN);
  const differing = claims.find((claim) => wanted[claim] !== given[claim]);
  return differing && `drift of ${differing}: ${given[differing] ?? 'none'} instead of ${wanted[differing] ?? 'none'}`;
}

function ofMethod(wanted: MethodAnswer, given: MethodAnswer): string | undefined {
  if (wanted.error !== undefined) return `Karpenter fails: ${wanted.error}`;
  for (const [pool, nodes] of Object.entries(wanted.budgets)) {
    const ours = given.budgets[pool] ?? 0;
    // Go integers have no infinity.
    if (Math.min(ours, UNLIMITED) !== Math.min(nodes, UNLIMITED))
      return `budget of ${pool} is ${ours} instead of ${nodes}`;
  }
  return ofCommands(wanted.commands, given.commands) ?? ofRemarks(wanted, given);
}

function ofCommands(wanted: readonly CommandAnswer[], given: readonly CommandAnswer[]): string | undefined {
  const [left, right] = [wanted, given].map((commands) => [...commands].sort(byCandidates));
  if (left.length !== right.length) return `${commandsText(right)} instead of ${commandsText(left)}`;
  for (const [index, command] of left.entries()) {
    const what = ofCommand(command, right[index]);
    if (what !== undefined) return what;
  }
  return undefined;
}

/**
 * Methods whose remarks are compared. Multi-node consolidation has none, and emptiness also has remarks about nodes
 * that it does not consider.
 */
const METHODS_WITH_REMARKS = ['Repair', 'Drift', 'StaticDrift', 'SingleNodeConsolidation'];

function ofRemarks(wanted: MethodAnswer, given: MethodAnswer): string | undefined {
  if (!METHODS_WITH_REMARKS.includes(wanted.method)) return undefined;
  const [theirs, ours] = [remarksOf(wanted), ourRemarksOf(given)];
  const missing = theirs.find((text) => !ours.includes(text));
  if (missing !== undefined) return `lacks the remark: ${short(missing)}`;
  const extra = ours.find((text) => !theirs.includes(text));
  return extra === undefined ? undefined : `has a remark that Karpenter has not: ${short(extra)}`;
}

const UNLIMITED = 1_000_000;

function byCandidates(left: CommandAnswer, right: CommandAnswer): number {
  return left.candidates.join(' ') < right.candidates.join(' ') ? -1 : 1;
}

function ofCommand(wanted: CommandAnswer, given: CommandAnswer): string | undefined {
  if (commandsText([wanted]) !== commandsText([given]))
    return `${commandsText([given])} instead of ${commandsText([wanted])}`;
  if (wanted.replacements.length !== given.replacements.length)
    return `${given.replacements.length} replacements instead of ${wanted.replacements.length}`;
  const [left, right] = [wanted, given].map(({ replacements }) =>
    replacements.map(aspects).sort((a, b) => (a.join('|') < b.join('|') ? -1 : 1)),
  );
  for (const [position, texts] of left.entries()) {
    const index = texts.findIndex((text, which) => text !== right[position][which]);
    if (index >= 0)
      return `${ASPECTS[index]} of a replacement: ${short(right[position][index])} instead of ${short(texts[index])}`;
  }
  return Math.abs(wanted.savings - given.savings) < 1e-9
    ? undefined
    : `savings ${given.savings} instead of ${wanted.savings}`;
}

const ASPECTS = ['pool', 'instance types', 'zones', 'capacity types'] as const;

function aspects({ nodePool, instanceTypes, zones, capacityTypes }: ReplacementAnswer): string[] {
  return [nodePool, instanceTypes.join(' '), zones.join(' '), capacityTypes.join(' ')];
}

const LONG = 160;

function short(text: string): string {
  return text.length > LONG ? `${text.slice(0, LONG)}… (${text.split(' ').length})` : text;
}

function commandsText(commands: readonly CommandAnswer[]): string {
  return commands.length === 0
    ? 'nothing'
    : commands
        .map(
          ({ decision, terminateFirst, candidates }) =>
            `${decision}${terminateFirst === undefined ? '' : ` (${terminateFirst})`} ${candidates.join(', ')}`,
        )
        .join('; ');
}
