/** The edit of each finding in the bad examples of the rules, made: the finding is gone, and no other one has come. */
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../../../src/cli';
import { Finding, Fix } from '../../../src/validation';
import { withFixes } from '../../../src/validation/fixes/apply-fixes';
import { RULES } from '../../../src/validation/rules';
import { commandOf, EXAMPLES, readRuleExample } from '../../../tools/docs/rule-example';

const ROOT = join(__dirname, '../../..');

/** A copy of the examples, in which files are changed and restored. */
const copyOfExamples = () => {
  const folder = mkdtempSync(join(tmpdir(), 'rule-fixes-'));
  cpSync(join(ROOT, EXAMPLES), join(folder, EXAMPLES), { recursive: true });
  return folder;
};
let copy: string | undefined;

async function findingsIn(id: string): Promise<readonly Finding[]> {
  copy ??= copyOfExamples();
  const args = commandOf(readRuleExample(id), 'bad').map((argument) =>
    argument.startsWith(EXAMPLES) ? join(copy!, argument) : argument,
  );
  let out = '';
  await main([...args, '--format', 'json', '--fail-on', 'never'], {
    stdin: (async function* none() {
      /* no input */
    })(),
    writeOut: (text) => {
      out += text;
    },
    writeError: () => {},
    color: false,
  });
  return (JSON.parse(out) as { findings: Finding[] }).findings;
}

async function findingsAfter(id: string, fix: Fix): Promise<readonly Finding[]> {
  const text = readFileSync(fix.file, 'utf8');
  const { file, applied } = withFixes({ path: fix.file, text }, [fix]);
  expect(applied).toHaveLength(1);
  writeFileSync(fix.file, file.text);
  try {
    return await findingsIn(id);
  } finally {
    writeFileSync(fix.file, text);
  }
}

// A note about pods without a node becomes a warning when they have one.
const keyOf = ({ rule, subject: { kind, name } }: Finding) => `${rule} ${kind} ${name}`;
const countOf = (findings: readonly Finding[], wanted: Finding) =>
  findings.filter((finding) => keyOf(finding) === keyOf(wanted)).length;

test.each(RULES.map(({ id }) => id))(
  'each edit for the example of %s removes its finding, and brings no other',
  async (id) => {
    const before = await findingsIn(id);
    for (const finding of before.filter(({ fix }) => fix !== undefined)) {
      const after = await findingsAfter(id, finding.fix!);
      expect(countOf(after, finding)).toBeLessThan(countOf(before, finding));
      const worse = after.filter(
        (found) => found.severity !== 'info' && countOf(after, found) > countOf(before, found),
      );
      expect(worse.map(({ rule, message }) => `${finding.rule} → ${finding.fix!.title} → ${rule}: ${message}`)).toEqual(
        [],
      );
    }
  },
);
