import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Request, Scenario, scenarioAt } from './scenario';
import { corpus } from '../../test/support/api-objects/corpus';
import { rejections } from '../../test/support/guardrails';
import { readRecord, recordedVerdict } from '../crd/recorded';
import { build, moduleFolder, PROVIDER } from '../go';
import type { PartSummary, RunOptions } from '../options';
import { NEWEST } from '../versions/releases';

const SCENARIOS = 200;
const MOST_SHOWN = 10;

interface Named {
  readonly name?: string;
}
interface Answer {
  /** Expressions of the policies that the API server refuses, or of whose types it warns. */
  readonly problems: readonly string[];
  /** The error for each request; empty if it is accepted. */
  readonly denied: readonly string[];
}

/**
 * Compares the guardrails with the API server's own admission plugin. It must accept each policy without a warning, and
 * deny the same objects with the same message. The objects are generated, or are those of the corpus that the API
 * server accepts.
 */
export async function compareGuardrails(
  { seed, from, count = SCENARIOS, keep }: RunOptions,
  print: (line: string) => void,
): Promise<PartSummary> {
  const known = acceptedObjects();
  const scenarios = Array.from({ length: count }, (_, index) => scenarioAt(seed, from + index, known));
  const { version, answers } = ask(scenarios);
  print(version);
  const different = scenarios.flatMap((scenario, index) => {
    const ours: Answer = { problems: [], denied: scenario.requests.map((request) => denial(scenario, request)) };
    const theirs = answers[index];
    return isDeepStrictEqual(ours, theirs) ? [] : [{ index: from + index, ...scenario, ours, theirs }];
  });
  const denied = answers.flatMap((answer) => answer.denied).filter((error) => error !== '').length;
  const requests = scenarios.flatMap((scenario) => scenario.requests).length;
  print(
    `${count} policies, ${requests} requests: the API server denies ${denied}; ${different.length} policies differ`,
  );
  for (const { index, ours, theirs, requests: sent } of different.slice(0, MOST_SHOWN)) {
    const at = ours.denied.findIndex((error, position) => error !== theirs.denied[position]);
    print(
      JSON.stringify({
        index,
        problems: theirs.problems,
        sent: sent[at],
        ours: ours.denied[at],
        theirs: theirs.denied[at],
      }),
    );
  }
  if (keep !== undefined && different.length > 0) {
    mkdirSync(keep, { recursive: true });
    writeFileSync(join(keep, `guardrails-${seed}.json`), `${JSON.stringify(different, null, 1)}\n`);
  }
  return { agree: count - different.length, different: different.length };
}

function acceptedObjects(): Array<Readonly<Record<string, unknown>>> {
  const record = readRecord();
  return corpus(NEWEST.provider)
    .filter(({ name }) => recordedVerdict(record, name, NEWEST.provider)?.length === 0)
    .map(({ object }) => withoutNulls(object))
    .filter(
      ({ kind, metadata }) =>
        ['NodePool', 'EC2NodeClass'].includes(String(kind)) && (metadata as Named | undefined)?.name !== undefined,
    );
}

/** The API server prunes nulls before admission. */
function withoutNulls(object: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(object), (_, part: unknown) =>
    typeof part !== 'object' || part === null || Array.isArray(part)
      ? part
      : Object.fromEntries(Object.entries(part).filter(([, value]) => value !== null)),
  );
}

function ask(scenarios: readonly Scenario[]): { readonly version: string; readonly answers: readonly Answer[] } {
  const program = build({ command: 'guardrails', program: 'guardrails' });
  const crds = join(moduleFolder(PROVIDER), 'pkg/apis/crds');
  const input = scenarios.map(({ objects, requests }) => `${JSON.stringify({ objects, requests })}\n`).join('');
  const output = execFileSync(program, ['--crds', crds], { input, encoding: 'utf8', maxBuffer: 2 ** 30 });
  const [version, ...lines] = output.trimEnd().split('\n');
  return { version, answers: lines.map((line) => JSON.parse(line)) };
}

/** The error that we expect: that of the first expression that does not hold. */
function denial({ objects }: Scenario, { object, old }: Request): string {
  if (old !== undefined && isDeepStrictEqual(object.spec, old.spec)) return '';
  const [resource, suffix] =
    object.kind === 'NodePool' ? ['nodepools.karpenter.sh', ''] : ['ec2nodeclasses.karpenter.k8s.aws', '-ami'];
  const name = `karpenter-guardrails${suffix}`;
  const policy = objects.find(({ kind, metadata }) => kind === 'ValidatingAdmissionPolicy' && metadata.name === name);
  const [message] = policy === undefined ? [] : rejections(policy, object);
  if (message === undefined) return '';
  return `${resource} "${object.metadata.name}" is forbidden: ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: ${message}`;
}
