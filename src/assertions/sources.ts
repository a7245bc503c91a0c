import { join } from 'path';
import type { Stack, Stage } from 'aws-cdk-lib';
import { App, Chart, Yaml } from 'cdk8s';
import { _stackTemplates } from '../plugins';
import { SourceFile, SourceFileReader } from '../validation';

/** Manifests of a chart and the charts inside it; the path of each source is the chart's construct path. */
export function chartSources(chart: Chart): SourceFile[] {
  return chart.node
    .findAll()
    .filter((construct) => Chart.isChart(construct))
    .map(chartSource);
}

export function appSources(app: App): SourceFile[] {
  return app.charts.map(chartSource);
}

function chartSource(chart: Chart): SourceFile {
  return { path: `${chart.node.path}.k8s.yaml`, text: Yaml.stringify(...chart.toJson()) };
}

export function fileSources(paths: readonly string[]): SourceFile[] {
  const reader = new SourceFileReader();
  for (const path of paths) reader.read(path);
  return reader.files;
}

/** Templates of a stack, its nested stacks, and the stacks that it depends on. */
export function stackSources(stack: Stack): SourceFile[] {
  const stage = [...stack.node.scopes].reverse().find(isStage);
  if (!stage)
    throw new Error(
      `${stack.node.path}: the stack does not belong to an app, so it cannot be synthesised; write new Stack(app, …)`,
    );
  const assembly = stage.synth();
  return _stackTemplates({
    stackTemplates: withDependencies(stack).map(({ node, templateFile, region, account }) => ({
      stackConstructPath: node.path,
      templatePath: join(assembly.directory, templateFile),
      region: unlessToken(region),
      accountId: unlessToken(account),
    })),
  });
}

/** Detected by its method `synth`: `Stage.isStage` would load aws-cdk-lib for everybody. */
function isStage(scope: object): scope is Stage {
  return typeof (scope as Partial<Stage>).synth === 'function';
}

function withDependencies(stack: Stack, visited = new Set<Stack>()): Stack[] {
  if (visited.has(stack)) return [];
  visited.add(stack);
  return [stack, ...stack.dependencies.flatMap((dependency) => withDependencies(dependency, visited))];
}

/** Undefined for a value that is known only at deployment. */
function unlessToken(text: string): string | undefined {
  return text.includes('${Token[') ? undefined : text;
}
