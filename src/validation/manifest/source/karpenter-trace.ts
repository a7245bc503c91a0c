/** What Terraform files and scripts say about Karpenter besides manifests: that it is there, and its release. */
import { devicePluginsIn, clusterProgramsIn } from '../../../contract';
import { KarpenterTrace } from '../../vocabulary/source-file';
import { SourceFile } from '../model';
import { createsCluster } from './terraform/repository-kubernetes';

const TERRAFORM = ['.tf', '.tfvars'];
const SCRIPTS = ['.sh', '.bash', '.mk'];

const COMMANDS = [
  ['tags', /\bcreate-tags\b/],
  ['roles', /\biamidentitymapping\b|\bcreate-access-entry\b|\baws-auth\b/],
] as const;

/** The extensions of files that may install Karpenter. */
export const TRACE_EXTENSIONS: readonly string[] = [...TERRAFORM, ...SCRIPTS];

/** Whether a text names Karpenter, as its API groups, charts, images, labels and IAM policies do. */
export function namesKarpenter(text: string): boolean {
  return /karpenter/i.test(text);
}

/**
 * A file without text that says what such a file has about Karpenter and the region; none if it says nothing. Nothing
 * is run: only literal releases count.
 *
 * @param facts the region of the AWS provider that the file configures, and what it creates
 */
export function karpenterTrace(
  { path, text, unreadable }: SourceFile,
  extension: string,
  {
    region,
    kubernetes,
    nodeGroups = [],
    resources = [],
    releases: charts = [],
  }: Pick<KarpenterTrace, 'region' | 'kubernetes' | 'nodeGroups' | 'resources' | 'releases'> = {},
): SourceFile[] {
  if (unreadable || !TRACE_EXTENSIONS.includes(extension)) return [];
  const devicePlugins = devicePluginsIn(text);
  const clusterPrograms = clusterProgramsIn(text);
  const scripted = SCRIPTS.includes(extension)
    ? COMMANDS.flatMap(([what, command]) => (command.test(text) ? [what] : []))
    : [];
  const facts = {
    ...(region === undefined ? {} : { region }),
    ...(kubernetes === undefined ? {} : { kubernetes }),
    ...(nodeGroups.length === 0 ? {} : { nodeGroups }),
    ...(resources.length === 0 ? {} : { resources }),
    ...(extension === '.tf' && createsCluster(text) ? { createsCluster: true } : {}),
    ...(scripted.length === 0 ? {} : { scripted }),
    ...(charts.length === 0 ? {} : { releases: charts }),
    ...(devicePlugins.length === 0 ? {} : { devicePlugins }),
    ...(clusterPrograms.length === 0 ? {} : { clusterPrograms }),
  };
  const trace = (more: KarpenterTrace): SourceFile[] => [
    { path, text: '', isFound: true, trace: { ...facts, ...more } },
  ];
  if (!namesKarpenter(text)) return Object.keys(facts).length === 0 ? [] : trace({ isSilent: true });
  const code = text.replace(/^[ \t]*(?:#|\/\/).*$/gm, '');
  const use = VERSION_USE.test(code) ? { usesVersion: true } : {};
  const releases = new Set(SCRIPTS.includes(extension) ? releasesOfScript(code) : releasesOfTerraform(code));
  const [version] = releases.size === 1 ? releases : [];
  if (releases.size === 0) {
    const commented = text.replace(/^[ \t]*(?:#|\/\/) ?/gm, '');
    const [commentedVersion, ...others] = new Set(
      SCRIPTS.includes(extension) ? releasesOfScript(commented) : releasesOfTerraform(commented),
    );
    if (commentedVersion !== undefined && others.length === 0) return trace({ commentedVersion, ...use });
  }
  const isDefault = ofVariables(code).length > 0 && [ASSIGNED, HELM_RELEASE].every((it) => !code.match(it));
  return trace({
    ...(version === undefined ? {} : { version, ...(isDefault ? { isDefault } : {}) }),
    ...use,
  });
}

const VERSION = String.raw`v?(\d+\.\d+\.\d+)`;
const VERSION_NAME = 'karpenter_(?:chart_|helm_|helm_chart_)?version';

/** `karpenter_version = "1.2.1"` of locals, modules and variable files. */
const ASSIGNED = new RegExp(String.raw`^[ \t]*${VERSION_NAME}[ \t]*=[ \t]*"${VERSION}"`, 'gm');
const VARIABLE = new RegExp(
  String.raw`^variable[ \t]+"${VERSION_NAME}"[ \t]*\{[^}]*?^[ \t]*default[ \t]*=[ \t]*"${VERSION}"`,
  'gm',
);
const VERSION_USE = new RegExp(String.raw`\bvar\.${VERSION_NAME}\b`);
/** A resource ends with a brace at the begin of a line, as `terraform fmt` writes it. */
const HELM_RELEASE = /^resource[ \t]+"helm_release"[^\n]*\n(?:(?!\})[^\n]*\n)*/gm;
const CHART = /^[ \t]*chart[ \t]*=[ \t]*"(?:[^"\n]*\/)?karpenter"/m;
const CHART_VERSION = new RegExp(String.raw`^[ \t]*version[ \t]*=[ \t]*"${VERSION}"`, 'm');

function releasesOfTerraform(text: string): string[] {
  const ofCharts = [...text.matchAll(HELM_RELEASE)].flatMap(([resource]) =>
    CHART.test(resource) ? (CHART_VERSION.exec(resource)?.[1] ?? []) : [],
  );
  return [...ofCharts, ...[...text.matchAll(ASSIGNED)].map(([, version]) => version), ...ofVariables(text)];
}

function ofVariables(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, version]) => version);
}

/** `export KARPENTER_VERSION="${KARPENTER_VERSION:-1.2.1}"`. */
const EXPORTED = new RegExp(
  String.raw`^[ \t]*(?:export[ \t]+)?KARPENTER_VERSION=["']?(?:\$\{KARPENTER_VERSION:-["']?)?${VERSION}`,
  'gm',
);
const HELM_COMMAND = /^[ \t]*helm[ \t]+(?:upgrade|install)\b(?:\\\r?\n|[^\n])*/gm;
const CHART_ARGUMENT = /\s["']?(?:[^\s"']*\/)?karpenter\/karpenter["']?(?=\s|$)/;
const VERSION_ARGUMENT = new RegExp(String.raw`\s--version[= \t]+["']?${VERSION}`);

function releasesOfScript(text: string): string[] {
  const commands = [...text.matchAll(HELM_COMMAND)].flatMap(([command]) =>
    CHART_ARGUMENT.test(command) ? [command] : [],
  );
  const ofCharts = commands.flatMap((command) => VERSION_ARGUMENT.exec(command)?.[1] ?? []);
  const exported = [...text.matchAll(EXPORTED)].map(([, version]) => version);
  return [...ofCharts, ...(isInstalled(text, commands) ? exported : [])];
}

/** Without a version, helm installs the newest release, whatever variable the script only prints. */
function isInstalled(text: string, commands: readonly string[]): boolean {
  if (commands.length > 0) return commands.some((command) => VERSION_OF_VARIABLE.test(command));
  const lines = text.split('\n').filter((line) => VARIABLE_USE.test(line));
  return lines.length === 0 || lines.some((line) => !/^\s*(?:echo|printf)\b/.test(line));
}

const VARIABLE_USE = /\$\{?KARPENTER_VERSION\b(?!:-)/;
const VERSION_OF_VARIABLE = /\s--version[= \t]+["']?v?\$\{?KARPENTER_VERSION\b/;
