import { JudgedFinding } from './judged-findings';
import { RemedyTrials, TrialResult } from './remedy-trials';
import { changedObjectKey } from '../../manifest/edit/changed-source';
import { fixOfObjects, ObjectFix } from '../../manifest/edit/fix-of';
import { Remedy, RuleFinding } from '../../rules';
import { Fix } from '../../vocabulary/verdict';

/** A remedy that a check of the changed input has confirmed, as far as it can be tried. */
export interface TriedRemedy {
  readonly remedy: string;
  readonly fix?: Fix;
}

/** A remedy, and the changes of objects that it consists of. */
interface Candidate {
  readonly remedy: string;
  readonly changes: readonly ObjectFix[];
}

/**
 * The remedy of each finding. A remedy that makes the verdict worse is replaced by the finding's next one: it causes
 * another error or warning, or leaves pods without a node. If it causes a finding that has a remedy itself, both
 * together are tried.
 *
 * The remedies of all findings are tried together first: in most inputs these are the only trials. Advice for workloads
 * is tried by itself, because what it adds, such as a spread, may hide what another remedy causes.
 */
export function triedRemedies(
  findings: readonly JudgedFinding[],
  trials: RemedyTrials,
): ReadonlyMap<RuleFinding, TriedRemedy> {
  const tried = findings.filter(isTried);
  const isAdvice = ({ rule }: JudgedFinding) => rule.isWorkloadAdvice === true;
  const notes = findings
    .filter(({ severity, finding: { also = [] } }) => severity === 'info' && also.length > 0)
    .map(({ finding }) => [finding, accepted(candidateOf(finding, finding), undefined)] as const);
  return new Map<RuleFinding, TriedRemedy>([
    ...notes,
    ...triedTogether(
      tried.filter((judged) => !isAdvice(judged)),
      trials,
    ),
    ...triedTogether(tried.filter(isAdvice), trials),
  ]);
}

/**
 * If the remedies together make something worse, they are divided: remedies of the objects that become worse are tried
 * without the others. If that does not tell them apart, each half is tried, until the ones that do it are left.
 *
 * @param isKnown whether these remedies make something worse, because the other half does not
 */
function triedTogether(
  tried: readonly JudgedFinding[],
  trials: RemedyTrials,
  isKnown = false,
): Array<[RuleFinding, TriedRemedy]> {
  if (tried.length < 2) return tried.map((judged) => [judged.finding, firstThatHelps(judged, trials)]);
  const result = isKnown ? undefined : resultOfAll(tried, trials);
  if (isHarmless(result))
    return tried.map((judged) => {
      const candidate = candidateOf(judged.finding, judged.finding);
      const isAlone = isWidening(candidate.changes);
      return [judged.finding, isAlone ? firstThatHelps(judged, trials) : accepted(candidate, undefined)];
    });
  const isSuspect = ({ finding }: JudgedFinding) =>
    candidateOf(finding, finding).changes.some(({ object }) => result?.suspects?.has(changedObjectKey(object)));
  const [suspects, others] = [tried.filter(isSuspect), tried.filter((judged) => !isSuspect(judged))];
  if (suspects.length > 0 && others.length > 0)
    return [others, suspects].flatMap((part) => triedTogether(part, trials));
  const middle = Math.floor(tried.length / 2);
  const [left, right] = [tried.slice(0, middle), tried.slice(middle)];
  const isLeft = isHarmless(resultOfAll(left, trials));
  return [...triedTogether(left, trials, !isLeft), ...triedTogether(right, trials, isLeft)];
}

function resultOfAll(tried: readonly JudgedFinding[], trials: RemedyTrials): TrialResult | undefined {
  if (trials.isSpent) return undefined;
  return trials.resultOf(separate(tried.flatMap(({ finding }) => candidateOf(finding, finding).changes)), tried);
}

/** A typo is fixed in any case: what else is wrong then was wrong before. Notes are too many to try. */
function isTried({ severity, finding: { fix, isTypo = false, also = [] } }: JudgedFinding): boolean {
  return severity !== 'info' && !isTypo && ((fix !== undefined && !fix.safe) || also.length > 0);
}

/** Two changes of one field cannot be tried together: the first one is. */
function separate(changes: readonly ObjectFix[]): ObjectFix[] {
  const taken = new Set<string>();
  return changes.filter(({ object: { kind, namespace, name }, fix }) => {
    const fields = fix.edits.map(({ path }) => JSON.stringify([kind, namespace, name, path]));
    const isTaken = fields.some((field) => taken.has(field));
    for (const field of fields) taken.add(field);
    return !isTaken;
  });
}

function candidateOf(finding: RuleFinding, { remedy, fix, also = [] }: Remedy): Candidate {
  return { remedy, changes: [...(fix === undefined ? [] : [{ object: finding.object, fix }]), ...also] };
}

function isHarmless(result: TrialResult | undefined): boolean {
  return result !== undefined && !isRejected(result) && result.dearer === undefined;
}

function isRejected({ isUseless, objection }: TrialResult): boolean {
  return isUseless === true || objection !== undefined;
}

function firstThatHelps(judged: JudgedFinding, trials: RemedyTrials): TriedRemedy {
  const { finding } = judged;
  const candidates = [finding, ...(finding.alternatives ?? [])].map((remedy) => candidateOf(finding, remedy));
  let rejected: string | undefined;
  for (const candidate of candidates) {
    // A remedy without an edit leaves a choice.
    if (candidate.changes.length === 0) return { remedy: candidate.remedy };
    const result = trials.resultOf(candidate.changes, [judged]);
    if (result === undefined || !isRejected(result)) return accepted(candidate, result);
    const both = withRemedyOf(judged, candidate, result, trials);
    if (both !== undefined) return both;
    if (result.objection !== undefined)
      rejected ??= `${candidate.remedy}; this alone leads to another problem (${result.objection})`;
  }
  return { remedy: rejected ?? finding.remedy };
}

/** The candidate together with the remedy of the finding that it causes. */
function withRemedyOf(
  judged: JudgedFinding,
  candidate: Candidate,
  { cause }: TrialResult,
  trials: RemedyTrials,
): TriedRemedy | undefined {
  if (cause === undefined) return undefined;
  const { finding } = cause;
  for (const next of [finding, ...(finding.alternatives ?? [])]) {
    const further = candidateOf(finding, next);
    if (further.changes.length === 0) continue;
    const changes = [...candidate.changes, ...further.changes];
    const result = trials.resultOf(changes, [judged]);
    const remedy = `${firstChoice(candidate.remedy)}, and ${firstChoice(next.remedy)}`;
    if (result !== undefined && !isRejected(result)) return accepted({ remedy, changes }, result);
  }
  return undefined;
}

/** A remedy may end with other choices, which were not tried. */
function firstChoice(remedy: string): string {
  return remedy.split(', or ')[0];
}

function accepted({ remedy, changes }: Candidate, result: TrialResult | undefined): TriedRemedy {
  const price = result?.dearer ?? (isWidening(changes) ? result?.price : undefined);
  const text = price === undefined ? remedy : `${remedy} (${price})`;
  const fix = fixOfObjects(changes);
  // With more than one change, or a higher price, the title says so.
  return { remedy: text, fix: fix && (text === remedy && changes.length === 1 ? fix : { ...fix, title: text }) };
}

/** Whether NodePools launch other nodes than they are allowed to now, whose price is unknown to the user. */
function isWidening(changes: readonly ObjectFix[]): boolean {
  return changes.some(
    ({ object, fix }) => object.kind === 'NodePool' && fix.edits.some(({ path }) => path.includes('requirements')),
  );
}
