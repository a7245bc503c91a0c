import { folderOf, run } from './run';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../validation/setup';

/** A line that GitHub's runners, or those of Azure Pipelines, take for a command. */
const COMMAND = /^\s*(?:::|##\[|##vso\[)/m;
const HOSTILE = '"web\\n::error::planted\\n##[error]planted"';

describe('a line break in a name', () => {
  const hostile = deployment('web', 2, SMALL).replace(/name: web\b/, `name: ${HOSTILE}`);
  const folder = folderOf({
    'all.yaml': [NODE_CLASS, nodePool(['m5.large']), hostile].join('---\n'),
    'odd\n::error::planted.yaml': 'kind: Pod\n  name: "x\n',
  });

  test.each(['check', 'convert'])('starts no line of what %s prints', async (command) => {
    const { out, err } = await run([command, folder]);
    expect(out + err).toContain('planted');
    expect(err).not.toMatch(COMMAND);
    if (command !== 'convert') expect(out).not.toMatch(COMMAND);
  });
});
