import { join } from 'path';
import type { Stack, Stage } from 'aws-cdk-lib';
import { App, Chart, Yaml } from 'cdk8s';
import { SourceFile, SourceFileReader } from '../../validation';
import { stackTemplates } from '../stack-templates';

/** The manifests of a chart and of those within it, each under the name of its path. */
export function chartSources(chart: Chart): SourceFile[] {
  return chart.node.findAll().filter((construct) => Chart.isChart(construct)).map(chartSource);
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

/** The templates of a stack, of those nested in it, and of those that it depends on. */
export function stackSources(stack: Stack): SourceFile[] {
  const stage = [...stack.node.scopes].reverse().find(isStage);
  if (!stage) throw new Error(`${stack.node.path}: a stack is synthesised by its app, got one without; write new Stack(app, …)`);
  const assembly = stage.synth();
  return stackTemplates({
    stackTemplates: withDependencies(stack).map(({ node, templateFile, region, account }) => ({
      stackConstructPath: node.path, templatePath: join(assembly.directory, templateFile), region: known(region), accountId: known(account),
    })),
  });
}

/** By what it can do: the CDK is loaded by those only who use it. */
function isStage(scope: object): scope is Stage {
  return typeof (scope as Partial<Stage>).synth === 'function';
}

function withDependencies(stack: Stack, found = new Set<Stack>()): Stack[] {
  if (found.has(stack)) return [];
  found.add(stack);
  return [stack, ...stack.dependencies.flatMap((each) => withDependencies(each, found))];
}

/** Undefined for what is known only at deployment. */
function known(text: string): string | undefined {
  return text.includes('${Token[') ? undefined : text;
}
