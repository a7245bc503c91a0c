import { createServer, Server } from 'http';
import { AddressInfo } from 'net';

interface Comment {
  readonly id: number;
  readonly html_url: string;
  readonly user: { readonly login: string };
  body: string;
}

const BOT = 'github-actions[bot]';

/** The part of GitHub's API that writes comments of pull requests, on this machine. */
export class FakeGitHub {
  public comments: Comment[] = [];
  public readonly requests: string[] = [];
  /** Answers all requests that write with this status, as for the token of a fork. */
  public rejects?: number;
  private server!: Server;

  public async start(): Promise<string> {
    this.server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        this.requests.push(`${method} ${url}`);
        const isAllowed =
          headers.authorization === 'Bearer secret' &&
          (method === 'GET' || url === '/graphql' || this.rejects === undefined);
        const result = isAllowed ? this.answer(method, new URL(url, 'http://localhost'), text) : undefined;
        response.writeHead(result === undefined ? (this.rejects ?? 404) : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(result ?? { message: 'Resource not accessible by integration' }));
      });
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  public stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  public addComments(count: number, body: string, login = 'somebody'): void {
    for (let number = 0; number < count; number++) this.add(body, login);
  }

  private answer(method: string, url: URL, text: string): unknown {
    if (url.pathname === '/graphql') return { data: { viewer: { login: BOT } } };
    const [, id] = /^\/repos\/shop\/infra\/issues\/comments\/(\d+)$/.exec(url.pathname) ?? [];
    const existing = this.comments.find((comment) => comment.id === Number(id));
    if (method === 'PATCH' && existing) {
      existing.body = (JSON.parse(text) as Comment).body;
      return existing;
    }
    if (url.pathname !== '/repos/shop/infra/issues/7/comments') return undefined;
    if (method === 'POST') return this.add((JSON.parse(text) as Comment).body, BOT);
    const [page, size] = ['page', 'per_page'].map((name) => Number(url.searchParams.get(name)));
    return this.comments.slice((page - 1) * size, page * size);
  }

  private add(body: string, login: string): Comment {
    const id = this.comments.length + 1;
    const comment = { id, html_url: `https://github.com/shop/infra/pull/7#issuecomment-${id}`, user: { login }, body };
    this.comments.push(comment);
    return comment;
  }
}
