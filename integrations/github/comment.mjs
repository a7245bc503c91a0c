/** The second step of the action: writes the report to one comment of the pull request, and updates it in later runs. */
import { readFileSync } from 'node:fs';
import { annotate, eventOf, input, setOutput } from './workflow-commands.mjs';

/** GitHub rejects longer comments. */
const LONGEST = 65_536;
const PER_PAGE = 100;

const { GITHUB_API_URL = 'https://api.github.com', GITHUB_GRAPHQL_URL = 'https://api.github.com/graphql', GITHUB_REPOSITORY = '', REPORT = '', DIFF = '' } = process.env;
const marker = `<!-- karpenter-constructs: ${input('COMMENT_ID').replaceAll(/[^\w.-]+/g, '-')} -->`;

class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

function api(method, path, body) {
  return request(method, `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}${path}`, body);
}

async function request(method, url, body) {
  const response = await fetch(url, {
    method,
    headers: { 'authorization': `Bearer ${input('TOKEN')}`, 'accept': 'application/vnd.github+json', 'x-github-api-version': '2022-11-28', 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new ApiError(response.status, `GitHub answers ${response.status}: ${(await response.text()).slice(0, 300)}`);
  return response.json();
}

/** The name that comments of this token have. REST does not tell it for the token of a job. */
async function ownLogin() {
  const { data } = await request('POST', GITHUB_GRAPHQL_URL, { query: 'query { viewer { login } }' });
  return data.viewer.login;
}

/** Anybody can write a comment with the marker. Only the one of this token is updated. */
async function existingComment(number) {
  const login = await ownLogin();
  for (let page = 1; ; page++) {
    const comments = await api('GET', `/issues/${number}/comments?per_page=${PER_PAGE}&page=${page}`);
    const own = comments.find(({ body, user }) => user?.login === login && body?.startsWith(marker));
    if (own !== undefined || comments.length < PER_PAGE) return own;
  }
}

/** The diff, and below it the verdict. The verdict alone if there is no diff. */
function bodyOf(commit) {
  const verdict = readFileSync(REPORT, 'utf8').trim();
  const end = `\n\nFor commit ${commit}.\n`;
  if (DIFF === '') return shortened(`${marker}\n${verdict}`, end);
  const diff = `${marker}\n${readFileSync(DIFF, 'utf8').trim()}`;
  const whole = `${diff}\n\n<details><summary>The whole verdict</summary>\n\n${verdict}\n\n</details>`;
  return whole.length + end.length <= LONGEST ? `${whole}${end}` : shortened(diff, `\n\nThe summary of the job has the whole verdict.${end}`);
}

function shortened(text, end) {
  if (text.length + end.length <= LONGEST) return `${text}${end}`;
  const note = '\n\nThe rest is in the summary of the job.';
  return `${text.slice(0, LONGEST - note.length - end.length)}${note}${end}`;
}

async function main() {
  const { pull_request: pullRequest } = eventOf();
  if (pullRequest === undefined) return;
  const body = bodyOf(pullRequest.head.sha);
  const existing = await existingComment(pullRequest.number);
  const comment = existing
    ? await api('PATCH', `/issues/comments/${existing.id}`, { body })
    : await api('POST', `/issues/${pullRequest.number}/comments`, { body });
  setOutput('comment-url', comment.html_url);
}

main().catch((error) => {
  // The token of a pull request from a fork may only read. The summary of the job has the report in any case.
  const remedy = error.status === 403 || error.status === 404 ? '; give the job permissions: { pull-requests: write }, which pull requests from forks never get' : '';
  annotate('warning', `The comment is not written: ${error.message}${remedy}`);
});
