import { v1ObjectsOf } from '../../../src/conversion/legacy-converter';
import {
  cheaperNodePool,
  checkedSession,
  Finding,
  renderHtml,
  renderJson,
  rootsOf,
  RULES,
  SourceFile,
  withCheaper,
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
  const dividedIn = (changed: readonly SourceFile[]) =>
    withKarpenterOfRepository(withSharedPools(rootsOf(changed)), changed);
  const roots = dividedIn(sources);
  const root = roots[index] ?? roots[0];
  const { session, verdict: result } = checkedSession(root?.sources ?? sources, {
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
  // One root of several may share its NodePools.
  const cheaper =
    roots.length > 1
      ? undefined
      : cheaperNodePool(session, result, {
          files: sources,
          name: '',
          sourcesFrom: (changed) => dividedIn(changed)[0]?.sources ?? changed,
        });
  const verdict = withCheaper({ ...result, assumptions: [...(root?.notes ?? []), ...result.assumptions] }, cheaper);
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
