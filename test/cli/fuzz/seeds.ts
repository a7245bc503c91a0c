import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OBJECT_SEEDS } from './object-seeds';
import { REPOSITORY_SEEDS } from './repository-seeds';
import { CHECKS, Seed } from './seed';

const RULES = join(__dirname, '../../../examples/rules');

/** Folders for every reader, and the example of every rule. */
export function allSeeds(): Seed[] {
  const own = [...REPOSITORY_SEEDS, ...OBJECT_SEEDS];
  const shared = Object.fromEntries(
    ['pool.yaml', 'class.yaml', 'karpenter.yaml', 'controller-role.yaml'].map((name) => [
      name,
      readFileSync(join(RULES, name), 'utf8'),
    ]),
  );
  const examples = readdirSync(RULES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(RULES, entry.name, 'bad.yaml')))
    .map(({ name }) => name)
    .sort()
    .map((rule): Seed => {
      const text = readFileSync(join(RULES, rule, 'bad.yaml'), 'utf8');
      return {
        commands: CHECKS,
        files: { 'pool.yaml': shared['pool.yaml'], 'class.yaml': shared['class.yaml'], 'bad.yaml': text },
      };
    });
  // Folders of their own readers are as likely as all examples together.
  return [
    ...own,
    ...own,
    ...own,
    ...own,
    ...own,
    ...own,
    ...own,
    ...own,
    { commands: CHECKS, files: shared },
    ...examples,
  ];
}
