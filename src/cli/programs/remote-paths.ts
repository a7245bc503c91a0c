/**
 * What kustomize takes for a repository of git even if a folder has this name: a scheme, a user or host before a colon,
 * and paths that begin with GitHub's host.
 *
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/internal/git/repospec.go
 */
const REMOTE_BASE = /^\s*(?:git::|[\w+.-]+:|[\w.-]+@|(?:www\.)?github\.com[/:])|:\/\//i;
/** What kustomize downloads as a file. Generators write `key=path`. */
const REMOTE_FILE = /^\s*(?:[^=]*=)?\s*https?:/i;

export function isRemoteBase(name: string): boolean {
  return REMOTE_BASE.test(name) || isRemoteFile(name);
}

export function isRemoteFile(name: string): boolean {
  return REMOTE_FILE.test(name);
}
