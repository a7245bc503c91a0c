import { Answer, ClaimAnswer, LaunchAnswer } from './answer';
import { errorClasses } from './error-class';
import { Quantity } from '../../src/model';
import { AnswerComparison } from '../scenario-comparison';

/** Maps zones and pods to the names that are compared: their own, or one that interchangeable ones share. */
interface Naming {
  pod(name: string): string;
  zone(name: string): string;
}

const BY_NAME: Naming = { pod: (name) => name, zone: (name) => name };

/**
 * Answers are equivalent if they differ only in three ways: which pod of a workload is on which node, the order of
 * claims, and the names of interchangeable zones. Karpenter leaves these choices to the order of a Go map.
 */
export function compare(
  expected: Answer,
  given: Answer,
  workloadOf: ReadonlyMap<string, number>,
  freeZones: readonly string[],
): AnswerComparison {
  const [passes, others] = [expected, given].map((answer) => [answer, ...(answer.later ?? [])]);
  const count = Math.max(comparedPasses(passes), comparedPasses(others));
  // If passes would go on without end, the two sides may stop at different passes.
  const most = expected.cut || given.cut ? Math.min(passes.length, others.length, count) : count;
  const [wanted, found] = [passes.slice(0, most), others.slice(0, most)];
  const compared = wanted.map((pass, at) =>
    found[at]
      ? comparePass(pass, found[at], workloadOf, freeZones)
      : { verdict: 'different' as const, difference: `${found.length} passes instead of ${wanted.length}` },
  );
  const at = compared.findIndex(({ verdict }) => verdict === 'different');
  if (at >= 0)
    return at === 0 ? compared[0] : { ...compared[at], difference: `pass ${at + 1}: ${compared[at].difference}` };
  if (found.length > wanted.length)
    return { verdict: 'different', difference: `${found.length} passes instead of ${wanted.length}` };
  return compared.find(({ verdict }) => verdict === 'equivalent') ?? compared[0];
}

/**
 * The number of passes up to the last one that gives a node to a pod which had none before, and which the node can
 * run. Further passes only move pods between nodes that are not ready yet. Karpenter makes such a pass every ten
 * seconds until the pods run.
 */
function comparedPasses(passes: readonly Answer[]): number {
  const left = ({ unschedulable, unbindable = 0 }: Answer) => unschedulable.length + unbindable;
  let count = passes.length;
  while (count > 1 && left(passes[count - 1]) >= left(passes[count - 2])) count -= 1;
  return count;
}

function comparePass(
  expected: Answer,
  given: Answer,
  workloadOf: ReadonlyMap<string, number>,
  freeZones: readonly string[],
): AnswerComparison {
  const actual = expected.nodeClaims.every(({ launch }) => launch) ? given : withoutLaunches(given);
  if (same(expected, actual, BY_NAME, BY_NAME)) return { verdict: 'identical' };
  const pod = (name: string) => String(workloadOf.get(name) ?? name);
  const [plain, ...others] = permutations(freeZones);
  const renamed = (order: readonly string[]): Naming => ({
    pod,
    zone: (name) => order[freeZones.indexOf(name)] ?? name,
  });
  const target = renamed(plain);
  for (const order of [plain, ...others]) {
    if (same(expected, actual, renamed(order), target)) return { verdict: 'equivalent' };
  }
  return { verdict: 'different', difference: firstDifference(expected, actual, target) };
}

function withoutLaunches(answer: Answer): Answer {
  return { ...answer, nodeClaims: answer.nodeClaims.map((claim) => ({ ...claim, launch: undefined })) };
}

function same(expected: Answer, actual: Answer, ofExpected: Naming, ofActual: Naming): boolean {
  return (
    expected.nodeClaims.length === actual.nodeClaims.length &&
    expected.unschedulable.length === actual.unschedulable.length &&
    equal(refusals(expected, ofExpected), refusals(actual, ofActual)) &&
    equal(claims(expected, ofExpected), claims(actual, ofActual)) &&
    equal(nodes(expected, ofExpected), nodes(actual, ofActual))
  );
}

function equal(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((item, at) => item === right[at]);
}

function refusals({ unschedulable }: Answer, naming: Naming): string[] {
  return unschedulable.map(({ pod, errors, ignored }) => `${naming.pod(pod)}: ${errorClasses(errors, ignored)}`).sort();
}

function claims({ nodeClaims }: Answer, naming: Naming): string[] {
  return nodeClaims.map((claim) => Object.values(aspects(claim, naming)).join(' | ')).sort();
}

function nodes(answer: Answer, { pod }: Naming): string[] {
  return answer.nodes.map(({ node, pods }) => `${node}: ${pods.map(pod).sort().join(' ')}`).sort();
}

/** The compared aspects of a claim. */
function aspects(claim: ClaimAnswer, { pod, zone }: Naming): Record<string, string> {
  if (claim.static)
    return {
      pool: `static ${claim.nodePool}`,
      pods: claim.pods.map(pod).sort().join(' '),
      launch: launchText(claim.launch),
    };
  return {
    pool: claim.nodePool,
    pods: claim.pods.map(pod).sort().join(' '),
    types: claim.instanceTypes.join(' '),
    zones: claim.zones.map(zone).sort().join(' '),
    capacityTypes: claim.capacityTypes.join(' '),
    price: claim.usdPerHour === null ? 'unknown' : claim.usdPerHour.toPrecision(12),
    requests: Object.entries(claim.requests)
      .map(([resource, amount]) => `${resource}=${Quantity.parse(amount).nanos}`)
      .filter((request) => !request.endsWith('=0'))
      .sort()
      .join(' '),
    launch: launchText(claim.launch),
  };
}

function launchText(launch: LaunchAnswer | undefined): string {
  if (!launch) return '';
  const { failed, capacityType, instanceTypes, usdPerHour } = launch;
  return failed ? 'fails' : `${capacityType} ${usdPerHour.toPrecision(12)} ${(instanceTypes ?? []).join(' ')}`;
}

function firstDifference(expected: Answer, actual: Answer, naming: Naming): string {
  if (expected.unschedulable.length !== actual.unschedulable.length) {
    return `${actual.unschedulable.length} unschedulable pods instead of ${expected.unschedulable.length}`;
  }
  const [wanted, got] = [refusals(expected, naming), refusals(actual, naming)];
  const at = wanted.findIndex((refusal, index) => refusal !== got[index]);
  if (at >= 0) return `refusal ${got[at]} instead of ${wanted[at]}`;
  const [there, ours] = [nodes(expected, naming), nodes(actual, naming)];
  if (!equal(there, ours)) return `existing nodes get ${ours.join('; ')} instead of ${there.join('; ')}`;
  if (expected.nodeClaims.length !== actual.nodeClaims.length)
    return `${actual.nodeClaims.length} claims instead of ${expected.nodeClaims.length}`;
  for (const aspect of ['pool', 'pods', 'types', 'zones', 'capacityTypes', 'price', 'requests', 'launch']) {
    const of = (answer: Answer) => answer.nodeClaims.map((claim) => aspects(claim, naming)[aspect] ?? '').sort();
    if (!equal(of(expected), of(actual))) return `${aspect} of claims`;
  }
  return 'the combination of pods, types and zones of claims';
}

/** All permutations, beginning with the given order; more than six items are not permuted. */
function permutations(items: readonly string[]): string[][] {
  if (items.length < 2) return [[...items]];
  if (items.length > 6) return [[...items]];
  return items.flatMap((item, at) =>
    permutations([...items.slice(0, at), ...items.slice(at + 1)]).map((rest) => [item, ...rest]),
  );
}
