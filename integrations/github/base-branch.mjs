import { spawnSync } from 'node:child_process';

/** Runs git and returns what it prints, or nothing if it fails. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * The commit to compare with. A pull request is checked out as its merge with the base branch, whose first parent is
 * right: the base in the event may be older, and the base branch may already be newer.
 *
 * @param ref the input base
 * @returns undefined if there is nothing to compare with
 */
export function baseCommit(ref, event) {
  if (ref !== '') return git('rev-parse', '--verify', '--quiet', `${ref}^{commit}`) ?? fetched(ref) ?? fail(`the base ${ref} cannot be fetched`);
  const { base, head } = event.pull_request ?? {};
  if (base === undefined) return undefined;
  // A shallow clone hides the parents from git log, but they are in the commit.
  const parents = [...(git('cat-file', 'commit', 'HEAD') ?? '').split('\n\n')[0].matchAll(/^parent (\w+)$/gm)].map(([, parent]) => parent);
  const commit = parents.length === 2 && parents[1] === head.sha ? parents[0] : base.sha;
  if (git('cat-file', '-e', `${commit}^{commit}`) === undefined && fetched(commit) === undefined) fail(`the base commit ${commit} cannot be fetched`);
  return commit;
}

/** Fetches one commit, and returns its hash. */
function fetched(ref) {
  return git('fetch', '--quiet', '--no-tags', '--depth=1', 'origin', ref) === undefined ? undefined : git('rev-parse', 'FETCH_HEAD');
}

/** Calls back with the files of a commit in a folder, which is removed afterwards. */
export function withFilesOf(commit, folder, use) {
  if (git('worktree', 'add', '--force', '--detach', folder, commit) === undefined) fail(`the files of ${commit} cannot be checked out`);
  try {
    return use();
  } finally {
    git('worktree', 'remove', '--force', folder);
  }
}

function fail(problem) {
  throw new Error(`${problem}, so nothing is compared; check out the repository with actions/checkout before this action, with its credentials`);
}
