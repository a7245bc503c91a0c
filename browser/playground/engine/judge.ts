import { v1ObjectsOf } from '../../../src/conversion/legacy-converter';
import {
  check,
  Finding,
  renderHtml,
  renderJson,
  rootsOf,
  RULES,
  Verdict,
  withKarpenterOfRepository,
  withSharedPools,
} from '../../../src/validation';
import { outcome } from '../../../src/validation/report/text/headline';
import { CheckAnswer, CheckRequest, Problem } from '../messages';
import { MissingDataFile } from './data-file';

/**
 * Judges files as the command line does if they are its arguments: the same JSON and the same HTML.
 *
 * @throws Error if an option has an invalid value
 */
export function judge({ files, region, version, root: index = 0 }: CheckRequest): CheckAnswer {
  const sources = files.map(({ name, text }) => ({ path: name, text }));
  const roots = withKarpenterOfRepository(withSharedPools(rootsOf(sources)), sources);
  const root = roots[index] ?? roots[0];
  const result = check(root?.sources ?? sources, {
    convertLegacy: v1ObjectsOf,
    systemDaemonSets: 'eks',
    settle: {},
    // The worker fetches the file, and judges again.
    onInternalError: (error) => {
      if (error instanceof MissingDataFile) throw error;
    },
    ...(region === undefined ? {} : { region }),
    ...(version === undefined ? {} : { karpenterVersion: version }),
  });
  const verdict: Verdict = { ...result, assumptions: [...(root?.notes ?? []), ...result.assumptions] };
  return {
    outcome: outcome(verdict),
    json: renderJson(verdict),
    html: renderHtml(verdict, undefined, RULES),
    problems: verdict.findings.map(problemOf),
    roots: roots.map(({ name }) => name),
  };
}

function problemOf({
  rule,
  severity,
  subject: { kind, name },
  location: { file, line, column },
  message,
  remedy,
}: Finding): Problem {
  return { rule, severity, file, line, column, message: kind === '' ? message : `${kind} ${name}: ${message}`, remedy };
}
