import { spawn } from 'child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { parse } from 'yaml';

const ROOT = join(__dirname, '../../..');

interface Step {
  readonly id?: string;
  readonly if?: string;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface ActionResult {
  /** Whether all steps have succeeded. */
  readonly isSuccess: boolean;
  readonly log: string;
  /** The job summary. */
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** Actions that would run as steps, with their inputs. */
  readonly uses: ReadonlyArray<{ readonly uses: string; readonly with: Readonly<Record<string, string>> }>;
}

/**
 * Runs the steps of action.yml as GitHub's runner does: expressions, conditions, outputs. Steps that use other actions
 * are only recorded.
 *
 * @param env of the runner, such as GITHUB_WORKSPACE
 */
export async function runAction(
  inputs: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
): Promise<ActionResult> {
  const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
  const unknown = Object.keys(inputs).find((name) => !(name in action.inputs));
  if (unknown !== undefined) throw new Error(`action.yml has no input ${unknown}`);
  const folder = mkdtempSync(join(tmpdir(), 'runner-'));
  const summary = join(folder, 'summary.md');
  writeFileSync(summary, '');
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const defaults = Object.entries<{ default?: string }>(action.inputs).map(([name, { default: value = '' }]) => [
    name,
    value,
  ]);
  const scope = {
    inputs: { ...Object.fromEntries(defaults), ...inputs } as Record<string, string>,
    steps,
    github: { action_path: ROOT, token: 'secret' },
  };
  scope.inputs = Object.fromEntries(Object.entries(scope.inputs).map(([name, value]) => [name, expand(value, scope)]));
  const uses: Array<ActionResult['uses'][number]> = [];
  let log = '';
  let isSuccess = true;
  for (const [index, step] of (action.runs.steps as Step[]).entries()) {
    const { id = String(index), run } = step;
    steps[id] = { outputs: {} };
    if (!isSuccess || (step.if !== undefined && expand(step.if, scope) !== 'true')) continue;
    if (run === undefined) {
      uses.push({
        uses: step.uses!,
        with: Object.fromEntries(Object.entries(step.with ?? {}).map(([name, value]) => [name, expand(value, scope)])),
      });
      continue;
    }
    const outputs = join(folder, `${id}.txt`);
    writeFileSync(outputs, '');
    const stepEnv = Object.fromEntries(
      Object.entries(step.env ?? {}).map(([name, value]) => [name, expand(value, scope)]),
    );
    const result = await bash(run, {
      ...env,
      ...stepEnv,
      RUNNER_TEMP: folder,
      GITHUB_OUTPUT: outputs,
      GITHUB_STEP_SUMMARY: summary,
    });
    log += result.log;
    isSuccess = result.code === 0;
    for (const line of readFileSync(outputs, 'utf8')
      .split('\n')
      .filter((text) => text !== '')) {
      steps[id].outputs[line.slice(0, line.indexOf('='))] = line.slice(line.indexOf('=') + 1);
    }
  }
  const outputs = Object.entries<{ value: string }>(action.outputs).map(([name, { value }]) => [
    name,
    expand(value, scope),
  ]);
  return { isSuccess, log, summary: readFileSync(summary, 'utf8'), outputs: Object.fromEntries(outputs), uses };
}

/** Evaluates the expressions that action.yml has: paths, texts, `==`, `!=` and `&&`. Others throw. */
function expand(text: string, scope: object): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => {
    const code = expression.trim();
    if (!/^(?:[\w.-]+|'[^']*'|==|!=|&&|\s)+$/.test(code)) throw new Error(`unsupported expression ${code}`);
    const translated = code.replaceAll(/'[^']*'|[a-z][\w.-]*/g, (word) =>
      word.startsWith("'")
        ? word
        : `(${['scope', ...word.split('.').map((key) => JSON.stringify(key))].reduce((object, key) => `(${object}[${key}] ?? '')`)})`,
    );
    return String(new Function('scope', `return ${translated};`)(scope));
  });
}

/** As the runner starts `shell: bash`. */
function bash(script: string, env: NodeJS.ProcessEnv): Promise<{ readonly code: number | null; readonly log: string }> {
  return new Promise((resolve) => {
    const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: env.GITHUB_WORKSPACE,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let log = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        log += chunk.toString();
      });
    child.on('close', (code) => resolve({ code, log }));
  });
}
