import { JudgedFinding } from './judged-findings';
import { RemedyTrials } from './remedy-trials';
import { listText } from '../../../model';
import { Severity } from '../../rules';

const RANK: Readonly<Record<Severity, number>> = { error: 2, warning: 1, info: 0 };

/**
 * Without the findings that follow from another one, such as the list that a patch of a kustomization replaces: a check
 * of the restored input does not have them. That finding names them, and is as severe as the most severe one.
 *
 * @param isAccepted whether the finding is acknowledged: the loss is meant then, and what follows is judged by itself
 */
export function withoutConsequencesOfPatches(
  findings: readonly JudgedFinding[],
  trials: RemedyTrials,
  isAccepted: (finding: JudgedFinding) => boolean,
): JudgedFinding[] {
  let left = [...findings];
  for (const cause of findings.filter(({ finding }) => finding.restored !== undefined)) {
    if (isAccepted(cause)) continue;
    const others = left.filter((other) => other !== cause && other.finding.restored === undefined);
    const gone = trials.goneWith(cause.finding.restored!, others) ?? [];
    if (gone.length === 0) continue;
    left = left
      .filter((other) => !gone.includes(other))
      .map((other) => (other === cause ? withConsequences(cause, gone) : other));
  }
  return left;
}

const MOST_NAMED = 3;

function titleOfFinding({ rule, finding: { object } }: JudgedFinding): string {
  return `${rule.id} of ${object.kind} ${object.name}`;
}

/** Such as `KARP-409 × 5`. */
function countsByRule(findings: readonly JudgedFinding[]): string[] {
  const ids = findings.map(({ rule }) => rule.id);
  return [...new Set(ids)].sort().map((id) => {
    const count = ids.filter((other) => other === id).length;
    return count === 1 ? id : `${id} × ${count}`;
  });
}

function withConsequences(cause: JudgedFinding, gone: readonly JudgedFinding[]): JudgedFinding {
  const { finding } = cause;
  const shown = gone.filter(({ severity }) => severity !== 'info');
  const named = shown.length > MOST_NAMED ? countsByRule(shown) : shown.map(titleOfFinding);
  const severity = shown.reduce<Severity>(
    (most, other) => (RANK[other.severity] > RANK[most] ? other.severity : most),
    cause.severity,
  );
  if (named.length === 0) return cause;
  const message = `${finding.message}; ${listText([...new Set(named)])} ${shown.length === 1 ? 'follows' : 'follow'} from it`;
  return { ...cause, severity, finding: { ...finding, message } };
}
