import { readFileSync, statSync } from 'node:fs';
import { createServer, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.txt': 'text/plain',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.gz': 'application/gzip',
};
/** What static hosts compress. */
const COMPRESSED = ['.html', '.js', '.css', '.txt', '.json', '.svg'];

/** A static host on the loopback interface. It counts the bytes that it sends. */
export class StaticSite {
  public static async serve(folder: string): Promise<StaticSite> {
    const server = createServer((request, response) => {
      const path = decodeURIComponent(new URL(request.url!, 'http://localhost').pathname);
      const file = join(folder, normalize(path.endsWith('/') ? `${path}index.html` : path));
      site.paths.push(path);
      if (!file.startsWith(folder) || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
        response.writeHead(404).end();
        return;
      }
      const body = site.bodyOf(file);
      site.bytes += body.length;
      response.writeHead(200, {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        ...(COMPRESSED.includes(extname(file)) ? { 'content-encoding': 'gzip' } : {}),
      });
      response.end(body);
    });
    const site = new StaticSite(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return site;
  }

  public bytes = 0;
  public readonly paths: string[] = [];
  private readonly compressed = new Map<string, Buffer>();

  private constructor(private readonly server: Server) {}

  public get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  public close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private bodyOf(file: string): Buffer {
    const body =
      this.compressed.get(file) ??
      (COMPRESSED.includes(extname(file)) ? gzipSync(readFileSync(file), { level: 6 }) : readFileSync(file));
    this.compressed.set(file, body);
    return body;
  }
}
