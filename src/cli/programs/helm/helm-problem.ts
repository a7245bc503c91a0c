import { listText } from '../../../model';
import type { ProgramResult } from '../programs';

const PASS_VALUES = 'pass them with --values or --set';

interface Failure {
  readonly pattern: RegExp;
  readonly describe: (groups: readonly string[], chart: string) => string;
}

/** `app/templates/web.yaml:3:12`, without the name of the chart. */
const PLACE = String.raw`[^/\s:()"]+\/([^\s:()"]+):(\d+)(?::\d+)?`;

const MISSING = /found in Chart\.yaml, but missing in charts\/ directory: ([^\n]+)/;

/** What helm says if a chart cannot be rendered, and what it means. The first one that is found is the cause. */
const FAILURES: readonly Failure[] = [
  {
    pattern: /unknown flag: --skip-schema-validation/,
    describe: () =>
      'it has an archive, or a values.schema.json that refers to other files, and this helm would open them; install helm 3.16 or newer',
  },
  {
    pattern: MISSING,
    describe: ([names], chart) =>
      `its dependencies are not in its folder charts: ${listText(names.split(/,\s*/))}; run \`helm dependency build ${chart}\` first`,
  },
  {
    pattern: new RegExp(String.raw`execution error at \(${PLACE}\): ([^\n]+)`),
    describe: ([file, line, message]) =>
      `${file} refuses the values in line ${line}: ${withoutEnd(message)}; pass others with --values or --set`,
  },
  {
    pattern: new RegExp(
      String.raw`${PLACE}: executing "[^"\n]*" at <([^\n]*?)>: (?:nil pointer evaluating|error calling \w+: nil pointer)`,
    ),
    describe: ([file, line, expression]) =>
      `${file} needs ${expression} in line ${line}, which has no value; ${PASS_VALUES}`,
  },
  {
    pattern: /values don't meet the specifications of the schema[^\n]*\n[^\n]+:\n- ?([^\n]+)/,
    describe: ([reason]) => `its values do not fit its values.schema.json: ${reason}; ${PASS_VALUES}`,
  },
  {
    pattern: new RegExp(String.raw`${PLACE}: executing "[^"\n]*" at <([^\n]*?)>: ([^\n]+)`),
    describe: ([file, line, expression, reason]) => `${file} fails in line ${line} at ${expression}: ${reason}`,
  },
  {
    pattern: /YAML parse error on [^/\s]+\/(\S+): [^\n]*?yaml: ([^\n]+)/,
    describe: ([file, reason]) => `${file} makes text that is not YAML: ${reason}`,
  },
  {
    pattern: /chart requires kubeVersion: (\S[^\n]*?) which is incompatible with Kubernetes (\S+)/,
    describe: ([wanted, own]) =>
      `it requires Kubernetes ${wanted}, and this helm assumes ${own}; pass the output of helm template --kube-version`,
  },
  {
    pattern: /parse error at \([^/\s]+\/([^\s:()]+):(\d+)\): ([^\n]+)/,
    describe: ([file, line, reason]) => `${file} is no template in line ${line}: ${reason}`,
  },
];

/** Whether helm has not rendered a chart because dependencies are not in its folder. */
export function isMissingDependencies({ errors = '' }: ProgramResult): boolean {
  return MISSING.test(errors);
}

/** Why helm cannot render a chart, in one line. */
export function problemOfRendering({ problem = '', errors = '' }: ProgramResult, chart: string): string {
  // Of nested templates, the innermost comes last in a line of its own error.
  for (const { pattern, describe } of FAILURES) {
    const match = pattern.exec(errors);
    if (match) return describe(match.slice(1), chart);
  }
  return problem;
}

function withoutEnd(message: string): string {
  return message.trim().replace(/[.;]+$/, '');
}
