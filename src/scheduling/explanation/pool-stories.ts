import { Refusal } from '../../kernel';
import { attemptOf, Solved } from '../attempt';
import { diagnose } from '../diagnosis';
import { messageOf } from '../refusals';
import { attemptFunnel } from './attempt-funnel';
import { PoolStory } from './explanation';

/** The kernel's answers to a class, and the template that took it, if any: those after it were not asked. */
export interface Answers {
  readonly refusals: Int32Array;
  readonly chosen?: number;
}

/** What the pools had to say to a class, as things stand in `solved`. */
export function poolStories(solved: Solved, podClass: number, { refusals, chosen }: Answers): PoolStory[] {
  const { templates, groups } = solved;
  return templates.map((template, at): PoolStory => {
    const { name: nodePool, weight } = template.pool;
    if (groups[at].length === 0) return { nodePool, weight, outcome: 'no instance types', elimination: attemptFunnel(attemptOf(solved, podClass, at)) };
    if (chosen !== undefined && at > chosen) return { nodePool, weight, outcome: 'not tried', elimination: [] };
    const attempt = attemptOf(solved, podClass, at, at === chosen ? Refusal.NONE : refusals[podClass * templates.length + at]);
    const elimination = attemptFunnel(attempt);
    if (at === chosen) return { nodePool, weight, outcome: 'takes it', elimination };
    return { nodePool, weight, outcome: 'refuses', message: messageOf(attempt, solved), diagnosis: diagnose(attempt, solved), elimination };
  });
}
