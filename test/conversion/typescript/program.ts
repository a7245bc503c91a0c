import { join } from 'path';
import * as cdk8s from 'cdk8s';
import * as constructs from 'constructs';
import * as ts from 'typescript';
import * as lib from '../../../src';
import { writeTypeScript } from '../../../src/conversion';
import { errorsOfPrograms } from '../../support/compiler-errors';

const ROOT = join(__dirname, '..', '..', '..');

/** The program for YAML manifests. */
export function programOf(text: string): string {
  return writeTypeScript([{ path: 'v1.yaml', text }]).text;
}

/** Runs a program and returns the objects of its charts. The synth validates them. */
export function synthesise(program: string): any[] {
  const objects: any[] = [];
  class App extends cdk8s.App {
    public synth(): void {
      this.synthYaml();
      objects.push(...this.charts.flatMap((chart) => chart.toJson()));
    }
  }
  const modules: Readonly<Record<string, unknown>> = {
    cdk8s: { ...cdk8s, App },
    constructs,
    'karpenter-constructs': lib,
  };
  const { outputText } = ts.transpileModule(program, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  new Function('require', 'exports', outputText)((module: string) => modules[module], {});
  return objects;
}

/** Compiler errors of programs, with strict options. */
export function compilerErrors(programs: readonly string[]): string[] {
  const compilerOptions = {
    strict: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    noEmit: true,
    skipLibCheck: true,
    module: 'node16',
    moduleResolution: 'node16',
    target: 'es2022',
    types: ['node'],
    paths: { 'karpenter-constructs': [join(ROOT, 'src', 'index.ts')] },
  };
  return errorsOfPrograms(new Map(programs.map((text, i) => [`program-${i}.ts`, text])), { compilerOptions });
}

/**
 * Sorts objects and their keys, so that objects can be compared in any order. Integers and strings are equal
 * quantities.
 */
export function sorted(objects: readonly any[]): unknown[] {
  return objects
    .map((object) => JSON.stringify(withSortedKeys(withTextQuantities(object))))
    .sort()
    .map((text) => JSON.parse(text) as unknown);
}

function withTextQuantities(object: any): unknown {
  const field = ({ NodePool: 'limits', NodeOverlay: 'capacity', CapacityBuffer: 'limits' } as Record<string, string>)[
    object.kind
  ];
  const amounts = object.spec?.[field];
  if (typeof amounts !== 'object' || amounts === null || Array.isArray(amounts)) return object;
  const texts = Object.entries(amounts).map(([key, amount]) => [
    key,
    Number.isSafeInteger(amount) ? String(amount) : amount,
  ]);
  return { ...object, spec: { ...object.spec, [field]: Object.fromEntries(texts) } };
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([, child]) => child !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, withSortedKeys(child)]));
}
