import { readFileSync, statSync } from 'fs';
import type { Document, Node } from 'yaml';
import { FieldPath, formatFieldPath, formatFieldProblem, readSchedulerConfig, SchedulerConfig } from '../contract';
import { UsageError } from './io';
import { lazy } from './lazy';

const LARGEST_BYTES = 1024 * 1024;
const REMEDY = 'name a file with podTopologySpread.defaultConstraints in it';

/** @throws UsageError if the file cannot be read, or Karpenter would end on what is in it */
export function readSchedulerConfigFile(file: string): SchedulerConfig {
  const lines = new lazy.yaml.LineCounter();
  const text = readText(file);
  const document = lazy.yaml.parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  return configOf(document, (offset) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  });
}

/** @throws UsageError, which begins with the place, if Karpenter would end on the text */
export function parseSchedulerConfig(text: string, place: () => string): SchedulerConfig {
  return configOf(lazy.yaml.parseDocument(text, { logLevel: 'silent' }), place);
}

function configOf(document: Document.Parsed, place: (offset: number) => string): SchedulerConfig {
  const [error] = document.errors;
  if (error) throw new UsageError(`${place(error.pos[0])}: not YAML, ${error.message.split('\n')[0]}; correct the syntax there`);
  const { config, problems: [problem] } = readSchedulerConfig(plain(document, place));
  if (config) return config;
  const path = problem.path.length === 0 ? '' : `${formatFieldPath(problem.path)}: `;
  throw new UsageError(`${place(offsetOf(document, problem.path))}: ${path}${formatFieldProblem(problem)}`);
}

/** Aliases of aliases can stand for more than any memory holds. */
function plain(document: Document.Parsed, place: (offset: number) => string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new UsageError(`${place(0)}: cannot be read, ${(error as Error).message}; write the values out`);
  }
}

function offsetOf(document: Document.Parsed, path: FieldPath): number {
  const node = document.getIn(path, true) as Node | undefined;
  if (node?.range) return node.range[0];
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}

function readText(file: string): string {
  try {
    if (statSync(file).size <= LARGEST_BYTES) return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: cannot be read, ${(error as Error).message}; ${REMEDY}`);
  }
  throw new UsageError(`${file}: larger than such a configuration is; ${REMEDY}`);
}
