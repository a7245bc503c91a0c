import { existsSync, mkdtempSync, realpathSync, rmSync } from 'fs';
import { tmpdir } from 'os';
import { join, relative } from 'path';
import { filesOfChart, placeInside } from './chart-texts';
import { CompletedChart, completeChart, writeInCopy } from './complete-chart';
import { listText, repositoryRoot } from '../../../model';
import type { ChartChanges, ChartRendering, NamedRelease, SourceFile } from '../../../validation';
import { examineChart } from '../chart-files';
import type { ProgramResult, Programs } from '../programs';

/** Values of the command line, which override all others. */
export interface GivenValues {
  /** Texts in YAML. */
  readonly values: readonly string[];
  /** `KEY=VALUE` each. */
  readonly set: readonly string[];
}

/** A release of Kubernetes that EKS runs. */
const KUBERNETES = '1.33.0';

/** The facts of a release that what helm makes depends on. */
export type RenderedRelease = Pick<
  NamedRelease,
  'chart' | 'name' | 'namespace' | 'values' | 'parameters' | 'ownParts' | 'definedIn'
>;

/** What helm makes of a chart, with a sentence if a part is missing; or why there is nothing. */
export type RenderedChart =
  | { readonly sources: readonly SourceFile[]; readonly note?: string }
  | { readonly problem: string };

/** What the input has beside the chart. */
export interface ChartInput {
  /** The folders of charts that the input has, without links. */
  readonly charts: ReadonlySet<string>;
  /** Files that differ from those on the disk, by their paths. @default - none */
  readonly changed?: ReadonlyMap<string, string>;
  /** The text of a file of the input. */
  textOf(path: string): string | undefined;
}

const NO_INPUT: ChartInput = { charts: new Set(), textOf: () => undefined };

/** What helm makes of a chart as a release deploys it, or why there is nothing. */
export function helmTemplate(
  release: RenderedRelease,
  given: GivenValues,
  programs: Programs,
  input: ChartInput = NO_INPUT,
): RenderedChart {
  const { chart } = release;
  const { problem, foreignSchema } = examineChart(chart, repositoryRoot(chart));
  if (problem !== undefined) return { problem: `not rendered: ${problem}` };
  return new HelmChart(release, given, programs, input, foreignSchema !== undefined).rendered();
}

/** A chart is rendered again this often at most, to find where its values and templates are written. */
const MOST_RENDERS = 20;

/** One release of a chart, which helm renders as it is, or with changes. */
class HelmChart {
  private readonly root: string;
  private renders = 0;

  public constructor(
    private readonly release: RenderedRelease,
    private readonly given: GivenValues,
    private readonly programs: Programs,
    private readonly input: ChartInput,
    private readonly skipsSchema: boolean,
  ) {
    this.root = repositoryRoot(release.chart);
  }

  public rendered(): RenderedChart {
    const { chart } = this.release;
    const isChanged = this.changedFiles().size > 0;
    const result = isChanged ? undefined : this.runHelm(realpathSync(chart), {});
    if (result?.isMissing)
      return {
        problem: `not rendered, because ${result.problem}; install helm, or pass the output of helm template`,
      };
    if (result && result.problem === undefined) return { sources: this.sourcesOf(result.text, new Map(), false) };
    const rest = result === undefined || isMissingDependencies(result) ? this.renderCompleted() : undefined;
    return rest ?? { problem: `not rendered: ${result ? problemOfRendering(result, chart) : 'helm fails'}` };
  }

  /** Renders a chart without its dependencies in its folder: the repository may have these charts. */
  private renderCompleted(): RenderedChart | undefined {
    const { chart } = this.release;
    return this.inCopy({}, ({ text, problem }, completed) => {
      if (problem !== undefined) return undefined;
      return { sources: this.sourcesOf(text, shownPlaces(completed, chart), true), ...noteOf(completed, chart) };
    });
  }

  /** The places are empty unless the chart is completed. */
  private sourcesOf(text: string, places: ReadonlyMap<string, string>, isCompleted: boolean): SourceFile[] {
    const { chart, values, parameters, definedIn } = this.release;
    const results = new Map<string, ReadonlyMap<string, string> | undefined>();
    let files: ReturnType<ChartRendering['files']> | undefined;
    const rendering: ChartRendering = {
      values,
      parameters,
      ...(definedIn === undefined ? {} : { definedIn }),
      files: () => (files ??= filesOfChart(chart, places, this.changedFiles())),
      textOf: (path) => this.input.textOf(path),
      render: (changes) => {
        const key = JSON.stringify(changes, (_, value) => (value instanceof Map ? [...value] : value));
        if (!results.has(key)) results.set(key, this.renderAgain(changes, places, isCompleted));
        return results.get(key);
      },
    };
    return sourcesOf(text, this.release, places).map((source) => ({ ...source, chart: rendering }));
  }

  private renderAgain(
    changes: ChartChanges,
    places: ReadonlyMap<string, string>,
    isCompleted: boolean,
  ): ReadonlyMap<string, string> | undefined {
    if (++this.renders > MOST_RENDERS) return undefined;
    const textsOf = ({ text, problem }: ProgramResult) =>
      problem === undefined
        ? new Map(sourcesOf(text, this.release, places).map((source) => [source.path, source.text]))
        : undefined;
    const isCopied = isCompleted || changes.files !== undefined || this.changedFiles().size > 0;
    return isCopied ? this.inCopy(changes, textsOf) : textsOf(this.runHelm(realpathSync(this.release.chart), changes));
  }

  /** Runs helm with a copy of the chart, in which files are changed and dependencies of the repository are added. */
  private inCopy<Result>(
    changes: ChartChanges,
    use: (result: ProgramResult, completed: CompletedChart) => Result | undefined,
  ): Result | undefined {
    const folder = mkdtempSync(join(tmpdir(), 'karpenter-constructs-'));
    try {
      const completed = completeChart(realpathSync(this.release.chart), folder, this.input.charts);
      const changed = [...this.changedFiles()].flatMap(([path, text]): Array<[string, string]> => {
        const inside = placeInside(path, this.release.chart, shownPlaces(completed, this.release.chart));
        return inside === undefined ? [] : [[inside, text]];
      });
      for (const [inside, text] of [...changed, ...(changes.files ?? [])]) writeInCopy(folder, inside, text);
      return use(this.runHelm(folder, changes), completed);
    } catch {
      // A chart that is not as helm would have it, such as one without a name.
      return undefined;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  private changedFiles(): ReadonlyMap<string, string> {
    return this.input.changed ?? new Map();
  }

  private runHelm(folder: string, { values, parameters, overlay, files: changedFiles }: ChartChanges): ProgramResult {
    const { release, given } = this;
    const texts = [...release.values.map(({ text }, index) => values?.get(index) ?? text), ...given.values];
    if (overlay !== undefined) texts.push(JSON.stringify(overlay));
    const files = texts.map((text, index) => ({ name: `values-${index + 1}.yaml`, text }));
    const isTrial = [values, parameters, overlay, changedFiles].some((change) => change !== undefined);
    const args = [
      'template',
      // Charts write the API versions of this release. That of helm itself may be one that no cluster has any more.
      `--kube-version=${KUBERNETES}`,
      // helm would download other schemas, or read them outside of the repository. Markers fit no schema.
      ...(this.skipsSchema || (isTrial && hasSchema(release.chart)) ? ['--skip-schema-validation'] : []),
      ...(release.namespace === undefined ? [] : [`--namespace=${release.namespace}`]),
      ...files.map(({ name }) => `--values=${name}`),
      ...release.parameters.map(
        ({ key, value, isText }, index) => `--set${isText ? '-string' : ''}=${key}=${parameters?.get(index) ?? value}`,
      ),
      ...given.set.map((pair) => `--set=${pair}`),
      '--',
      release.name,
      folder,
    ];
    return this.programs.run('helm', args, this.root, files);
  }
}

function hasSchema(chart: string): boolean {
  return existsSync(join(chart, 'values.schema.json'));
}

/** Paths are shown as the command line has them. */
function shownPlaces({ places }: CompletedChart, chart: string): ReadonlyMap<string, string> {
  return new Map([...places].map(([inside, folder]) => [inside, join(chart, relative(realpathSync(chart), folder))]));
}

function noteOf({ leftOut }: CompletedChart, chart: string): { readonly note?: string } {
  if (leftOut.length === 0) return {};
  const which = leftOut.length === 1 ? 'its dependency' : 'its dependencies';
  const are = leftOut.length === 1 ? 'is' : 'are';
  return {
    note: `rendered without ${which} ${listText(leftOut)}, which ${are} not in the repository; \`helm dependency build ${chart}\` downloads ${leftOut.length === 1 ? 'it' : 'them'}`,
  };
}

/** The comment that helm writes above each manifest: the name of the chart, and the path of the template in it. */
const SOURCE = /^# Source: [^/\s]+\/((?:[\w.-]+\/)*[\w.-]+)\r?$/m;
const SEPARATOR = /^---\r?$/m;

/**
 * What helm prints, divided by the templates that the manifests are made from.
 *
 * @param places the folders of charts that helm has read as a part of this one, by their place in it @default - none
 */
function sourcesOf(
  text: string,
  { chart, ownParts = [] }: RenderedRelease,
  places: ReadonlyMap<string, string> = new Map(),
): SourceFile[] {
  const byTemplate = new Map<string, string[]>();
  let template = '';
  for (const part of text.split(SEPARATOR)) {
    // A manifest without a comment is from the template of the manifest above it.
    template = SOURCE.exec(part)?.[1] ?? template;
    byTemplate.set(template, [...(byTemplate.get(template) ?? []), part]);
  }
  return [...byTemplate]
    .filter(([, parts]) => parts.some((part) => part.trim() !== ''))
    .map(([path, parts]) => ({
      path: `${isInside(path) ? placeOf(path) : chart} (helm template)`,
      text: parts.join('---'),
      isFound: true,
      isGenerated: true,
      ...(subchartsOf(path).every((part) => ownParts.includes(part)) ? {} : { isOfOthers: true }),
    }));

  function placeOf(path: string): string {
    // The innermost chart is the last one.
    const outer = [...places.keys()].reverse().find((inside) => path.startsWith(`${inside}/`));
    return outer === undefined ? join(chart, path) : join(places.get(outer)!, path.slice(outer.length + 1));
  }
}

/** The subcharts that a template is in, from outside to inside, such as `charts/a` and `charts/a/charts/b`. */
function subchartsOf(path: string): string[] {
  const [nested] = /^(?:charts\/[^/]+\/)*/.exec(path)!;
  return [...nested.matchAll(/charts\/[^/]+(?=\/)/g)].map(({ index, 0: part }) => nested.slice(0, index + part.length));
}

/** Templates can write such comments, too. */
function isInside(path: string): boolean {
  return path !== '' && !path.split('/').includes('..');
}

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
function isMissingDependencies({ errors = '' }: ProgramResult): boolean {
  return MISSING.test(errors);
}

/** Why helm cannot render a chart, in one line. */
function problemOfRendering({ problem = '', errors = '' }: ProgramResult, chart: string): string {
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
