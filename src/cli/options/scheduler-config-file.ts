import type { Document, Node } from 'yaml';
import { FieldPath, formatFieldPath, formatFieldProblem, readSchedulerConfig, SchedulerConfig } from '../../contract';
import { readNamedFile } from '../../model';
import { UsageError } from '../io';
import { lazy } from '../lazy';

const MAX_BYTES = 1024 * 1024;
const REMEDY = 'name a file that contains podTopologySpread.defaultConstraints';

/** @throws UsageError if the file cannot be read, or Karpenter would not start with it */
export function readSchedulerConfigFile(file: string): SchedulerConfig {
  const lines = new lazy.yaml.LineCounter();
  const text = readText(file);
  const document = lazy.yaml.parseDocument(text, { lineCounter: lines, logLevel: 'silent' });
  return configOf(document, (offset) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  });
}

/** @throws UsageError if Karpenter would not start with the text; the message begins with `place()` */
export function parseSchedulerConfig(text: string, place: () => string): SchedulerConfig {
  return configOf(lazy.yaml.parseDocument(text, { logLevel: 'silent' }), place);
}

function configOf(document: Document.Parsed, place: (offset: number) => string): SchedulerConfig {
  const [error] = document.errors;
  if (error)
    throw new UsageError(`${place(error.pos[0])}: invalid YAML: ${error.message.split('\n')[0]}; fix the syntax`);
  const {
    config,
    problems: [problem],
  } = readSchedulerConfig(plain(document, place));
  if (config) return config;
  const path = problem.path.length === 0 ? '' : `${formatFieldPath(problem.path)}: `;
  throw new UsageError(`${place(offsetOf(document, problem.path))}: ${path}${formatFieldProblem(problem)}`);
}

/** @throws UsageError if YAML aliases expand to more than memory holds */
function plain(document: Document.Parsed, place: (offset: number) => string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new UsageError(`${place(0)}: cannot be read, ${(error as Error).message}; write the values without aliases`);
  }
}

function offsetOf(document: Document.Parsed, path: FieldPath): number {
  const node = document.getIn(path, true) as Node | undefined;
  if (node?.range) return node.range[0];
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}

function readText(file: string): string {
  try {
    return readNamedFile(file, MAX_BYTES).toString('utf8');
  } catch (error) {
    throw new UsageError(`${file}: cannot be read, ${(error as Error).message}; ${REMEDY}`);
  }
}
