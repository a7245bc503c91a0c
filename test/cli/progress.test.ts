import { folderOf, run } from './run';
import { main } from '../../src/cli';
import type { PartialResult } from '../../src/cli/io';
import type { WorkerMessage } from '../../src/cli/terminal/messages';
import { ProgressLine } from '../../src/cli/terminal/progress-line';
import { TerminalSession } from '../../src/cli/terminal/supervise';
import { wantsProgress } from '../../src/cli/terminal/wants-progress';
import { heartbeat, workerIo } from '../../src/cli/terminal/worker-io';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

const ERASE = '\r\x1b[K';
const folder = folderOf({
  'all.yaml': [NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, SMALL)].join('---\n'),
});
const severalRoots = folderOf({
  'a/pool.yaml': [NODE_CLASS, nodePool(['m5.large'])].join('---\n'),
  'b/pool.yaml': [NODE_CLASS, nodePool(['m5.large'])].join('---\n'),
});

/** A terminal, and a clock that the test advances. */
function fakeTerminal(columns?: number) {
  let now = 0;
  const writes: string[] = [];
  const line = new ProgressLine(
    {
      columns,
      write: (text) => {
        writes.push(text);
      },
    },
    () => now,
  );
  return {
    line,
    writes,
    advance: (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

function fakeSession() {
  const terminal = fakeTerminal();
  const output: string[] = [];
  const session = new TerminalSession(terminal.line, {
    writeOut: (text) => {
      output.push(`out ${text}`);
    },
    writeError: (text) => {
      output.push(`error ${text}`);
    },
    writeFile: (path, text) => {
      if (path === 'read-only') throw new Error('EACCES');
      output.push(`${path} ${text}`);
    },
  });
  return { ...terminal, session, output };
}

/** Runs a command with the parts of its process that a terminal adds. */
async function runInTerminal(args: readonly string[]) {
  const steps: string[] = [];
  const partials: PartialResult[] = [];
  let out = '';
  const code = await main(args, {
    stdin: (async function* empty() {
      /* nothing */
    })(),
    color: false,
    writeOut: (text) => {
      out += text;
    },
    writeError: () => {},
    onProgress: ({ task }) => {
      steps.push(task);
    },
    keepPartialResult: (makeResult) => {
      partials.push(makeResult());
    },
  });
  return { code, out, steps, partials };
}

describe('the progress line', () => {
  test('is not shown in the first second, then has the time, the task and the count', () => {
    const { line, writes, advance } = fakeTerminal();
    line.update({ task: 'checking rules', done: 3, total: 102 });
    advance(999);
    line.draw();
    expect(writes).toEqual([]);
    advance(1);
    line.draw();
    advance(64_000);
    line.update({ task: 'reading files', done: 11 });
    line.draw();
    expect(writes).toEqual([`${ERASE}1 s  checking rules, 3 of 102`, `${ERASE}65 s  reading files 12`]);
  });

  test('shows nothing before the first step', () => {
    const { line, writes, advance } = fakeTerminal();
    advance(5_000);
    line.draw();
    line.clear();
    expect(writes).toEqual([]);
  });

  test('is shorter than the terminal is wide, and has no control characters', () => {
    const { line, writes, advance } = fakeTerminal(20);
    line.update({ task: 'a\x1b[31m\nvery long name of a root' });
    advance(1_000);
    line.draw();
    expect(writes).toEqual([`${ERASE}1 s  a?[31m?very l…`]);
  });

  test('is erased once', () => {
    const { line, writes, advance } = fakeTerminal();
    line.update({ task: 'x' });
    advance(1_000);
    line.draw();
    line.clear();
    line.clear();
    expect(writes.slice(1)).toEqual([ERASE]);
  });
});

describe('a session in a terminal', () => {
  const partial = (text: string, file?: string): WorkerMessage => ({ kind: 'partial', result: { text, file } });

  test('erases the line before it writes', () => {
    const { session, advance, writes, output } = fakeSession();
    session.receive({ kind: 'progress', step: { task: 'x' } });
    advance(1_000);
    session.draw();
    session.receive({ kind: 'out', text: 'result' });
    session.receive({ kind: 'error', text: 'warning' });
    session.end();
    expect(writes).toEqual([`${ERASE}1 s  x`, ERASE]);
    expect(output).toEqual(['out result', 'error warning']);
  });

  test('writes the last partial result when it is interrupted', () => {
    const { session, advance, output } = fakeSession();
    session.receive(partial('one'));
    session.receive(partial('two'));
    advance(3_000);
    session.interrupt();
    expect(output).toEqual(['out two', 'error interrupted after 3 s; the result above has what was finished\n']);
  });

  test('writes a partial result to the file of --output', () => {
    const { session, output } = fakeSession();
    session.receive(partial('one', 'report.html'));
    session.interrupt();
    expect(output).toEqual(['report.html one', 'error interrupted after 0 s; report.html has what was finished\n']);
  });

  test.each([
    ['there is no result', undefined, 'error interrupted after 0 s, before any result\n'],
    [
      'the file cannot be written',
      partial('one', 'read-only'),
      'error interrupted after 0 s; --output: cannot be written, EACCES\n',
    ],
  ])('says so if %s', (_, message, expected) => {
    const { session, output } = fakeSession();
    if (message) session.receive(message);
    session.interrupt();
    expect(output).toEqual([expected]);
  });
});

test.each([
  ['a terminal', {}, ['check', 'x'], true, true],
  ['no terminal', {}, ['check', 'x'], false, false],
  ['CI', { CI: 'true' }, ['check', 'x'], true, false],
  ['CI=false', { CI: 'false' }, ['check', 'x'], true, true],
  ['a terminal without control codes', { TERM: 'dumb' }, ['check', 'x'], true, false],
  ['--quiet', {}, ['check', 'x', '--quiet'], true, false],
  ['a command that is always short', {}, ['rules'], true, false],
])('progress in case of %s', (_, env, args, isTTY, expected) => {
  expect(wantsProgress({ argv: ['node', 'cli', ...args], env, stderr: { isTTY } })).toBe(expected);
});

test('the thread of the command sends output at once, progress ten times a second, and partial results once a second', () => {
  let now = 0;
  const messages: WorkerMessage[] = [];
  const port = {
    postMessage: (message: WorkerMessage) => {
      messages.push(message);
    },
  };
  const io = workerIo(port, { color: true, columns: 70, ascii: false }, () => now);
  for (const time of [0, 50, 100, 900, 1_000]) {
    now = time;
    io.onProgress!({ task: `at ${time}` });
    io.keepPartialResult!(() => ({ text: `at ${time}` }));
  }
  io.writeOut('result');
  io.writeError('warning');
  expect(messages.flatMap((message) => (message.kind === 'progress' ? message.step.task : []))).toEqual([
    'at 0',
    'at 100',
    'at 900',
    'at 1000',
  ]);
  expect(messages.flatMap((message) => (message.kind === 'partial' ? message.result.text : []))).toEqual([
    'at 0',
    'at 1000',
  ]);
  expect(messages.slice(-2)).toEqual([
    { kind: 'out', text: 'result' },
    { kind: 'error', text: 'warning' },
  ]);
  expect(io).toMatchObject({ color: true, columns: 70, ascii: false });
});

test('check tells about files, passes, rules and scenarios, and prints the same', async () => {
  const args = ['check', folder, '--scenario', 'drift,zone-outage'];
  const { out, steps } = await runInTerminal(args);
  const kinds = [
    'reading files',
    'reading manifests',
    'scheduling pods, pass',
    'checking rules',
    'scenario drift (1 of 2)',
    'scenario zone-outage (2 of 2)',
  ];
  expect(kinds.filter((kind) => !steps.some((step) => step === kind))).toEqual([]);
  const simulated = steps.filter((step) => /^scenario drift \(1 of 2\), [\d a-z]+ simulated$/.test(step));
  expect(simulated.length).toBeGreaterThan(3);
  expect(out).toBe((await run(args)).out);
});

test('check keeps the verdict, and then the scenarios that are finished', async () => {
  const { partials } = await runInTerminal(['check', folder, '--scenario', 'drift,zone-outage', '--format', 'json']);
  type Result = { scenarios?: { reports: Array<{ scenario: string }>; notSimulated: unknown[] } };
  const [verdict, first] = partials.map(({ text }) => JSON.parse(text) as Result);
  expect(verdict.scenarios).toBeUndefined();
  expect(first.scenarios!.reports.map(({ scenario }) => scenario)).toEqual(['drift']);
  expect(first.scenarios!.notSimulated).toEqual([{ scenario: 'zone-outage', why: 'the command was interrupted' }]);
});

test('check keeps the roots that are finished, and names the root in the progress', async () => {
  const { partials, steps } = await runInTerminal(['check', severalRoots]);
  expect(partials).toHaveLength(1);
  expect(partials[0].text).toContain('not checked, because the command was interrupted');
  expect(steps.filter((step) => step.includes('b (2 of 2): checking rules')).length).toBeGreaterThan(0);
});

test('accepts --quiet', async () => {
  expect(await run(['check', folder, '--quiet'])).toEqual(await run(['check', folder]));
});

describe('without a terminal', () => {
  test('a line every 30 seconds says what is done', () => {
    let now = 0;
    const lines: string[] = [];
    const listen = heartbeat(
      () => now,
      (text) => lines.push(text),
    );
    for (; now <= 70_000; now += 10_000) listen({ task: 'app (3 of 7)' });
    expect(lines).toEqual(['30 s: app (3 of 7)\n', '1 min: app (3 of 7)\n']);
  });
});
