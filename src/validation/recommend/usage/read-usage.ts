import { UsageLog, Usage } from './figures';
import { JsonPlaces, lineOfInvalidJson } from './json-places';
import { readKrr } from './krr';
import { readPrometheus } from './prometheus';
import { readVerticalPodAutoscaler } from './vertical-pod-autoscaler';
import { asRecord } from '../../../contract';
import { SourceFile } from '../../manifest';
import { ProblemLog } from '../../manifest/problem-log';
import { readObjects } from '../../manifest/source/kubernetes-objects';

const FORMATS = "VerticalPodAutoscalers, KRR's JSON, or the JSON of a Prometheus query";

/** Reads usage of any of the known formats. A file or a figure that cannot be used is noted with its place. */
export function readUsage(files: readonly SourceFile[]): Usage {
  const log = new UsageLog();
  for (const file of files) readFile(file, log);
  return { figures: log.figures, notes: log.notes };
}

function readFile(file: SourceFile, log: UsageLog): void {
  const value = parsedJson(file.text);
  const record = asRecord(value);
  const placesOf = (key?: string) => new JsonPlaces(file.path, file.text, key);
  if (Array.isArray(record?.scans)) readKrr(file.path, { ...record, scans: record.scans }, placesOf('scans'), log);
  else if (Array.isArray(value))
    readPrometheus(file.path, { status: 'success', data: { result: value } }, placesOf(), log);
  else if (record !== undefined && record.kind === undefined && ('data' in record || record.status === 'error'))
    readPrometheus(file.path, record, placesOf('result'), log);
  else if (value === undefined && isMeantAsJson(file.text))
    log.note('not valid JSON: not used', `${file.path}:${lineOfInvalidJson(file.text)}`);
  else readManifestFile(file, log);
}

function readManifestFile(file: SourceFile, log: UsageLog): void {
  const problems = new ProblemLog();
  const objects = readObjects([file], problems);
  const autoscalers = objects.filter(({ kind }) => kind === 'VerticalPodAutoscaler');
  for (const object of autoscalers) readVerticalPodAutoscaler(object, log);
  for (const { message, location } of problems.findings) log.note(message, `${file.path}:${location.line}`);
  if (autoscalers.length === 0 && problems.findings.length === 0)
    log.note(`no usage found; write ${FORMATS}`, file.path);
}

/** YAML may begin with a bracket as well, but nothing that prints usage as YAML does that. */
function isMeantAsJson(text: string): boolean {
  return /^\s*[{[]/.test(text);
}

/** Undefined for YAML, and for JSON with an error, whose place the reader of manifests names. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
