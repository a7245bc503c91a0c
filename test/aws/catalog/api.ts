/**
 * The APIs of EC2 and of the price list in front of moto. It does what moto does not: it answers page by page, knows
 * GetProducts, and has the faults of a real network.
 */
import { createServer, IncomingMessage, request, Server, ServerResponse } from 'http';
import { AddressInfo } from 'net';
import { priceList, spotPriceOf } from './prices';

/** What happens to a request instead of an answer. */
export type Fault = 'throttled' | 'unavailable' | 'cut off' | 'denied' | 'stale token' | 'hangs';

export interface Request {
  readonly action: string;
  readonly region: string;
  readonly token?: string;
}

const TOP_LEVEL_SET = /^<(\w+Set|availabilityZoneInfo)>/;

export class Api {
  public static async start(moto: string): Promise<Api> {
    const api = new Api(moto);
    await new Promise<void>((resolve) => api.server.listen(0, '127.0.0.1', resolve));
    return api;
  }

  /** All requests so far, those with faults included. */
  public requests: Request[] = [];
  private readonly server: Server;
  private readonly answers = new Map<string, Promise<string>>();

  private constructor(private readonly moto: string) {
    this.server = createServer((incoming, response) => {
      void this.handle(incoming, response);
    });
  }

  /** Decides about each request, with the number of earlier requests. */
  public fault: (request: Request, index: number) => Fault | undefined = () => undefined;

  public get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  public reset(): void {
    this.requests = [];
    this.fault = () => undefined;
  }

  public async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(incoming);
    const region = /Credential=[^/]+\/\d+\/([^/]+)\//.exec(incoming.headers.authorization ?? '')?.[1] ?? '';
    const target = incoming.headers['x-amz-target'];
    const isPriceList = typeof target === 'string' && target.startsWith('AWSPriceListService.');
    const input = isPriceList ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
    const action = isPriceList ? 'GetProducts' : String(input.Action);
    const asked: Request = { action, region, token: input.NextToken };
    const fault = this.fault(asked, this.requests.length);
    this.requests.push(asked);
    if (fault !== undefined && fault !== 'cut off') return fail(response, fault, isPriceList);
    const answer = isPriceList ? JSON.stringify(priceList(input)) : page(await this.ask(incoming, body, input), input);
    response.writeHead(200, {
      'content-type': isPriceList ? 'application/x-amz-json-1.1' : 'text/xml',
      'content-length': Buffer.byteLength(answer),
    });
    if (fault === undefined) {
      response.end(answer);
    } else {
      response.write(answer.slice(0, answer.length / 2), () => response.destroy());
    }
  }

  /** The whole answer of moto, which knows neither tokens nor page sizes. Asked once for all pages. */
  private async ask({ headers }: IncomingMessage, body: string, asked: Record<string, string>): Promise<string> {
    const { NextToken: _token, MaxResults: _size, StartTime: _time, ...input } = asked;
    const key = `${headers.authorization?.replace(/^.*Credential=[^/]+\/\d+\/|,.*$/g, '')} ${JSON.stringify(input)}`;
    const answer = this.answers.get(key) ?? forward(this.moto, headers, body);
    this.answers.set(key, answer);
    return answer;
  }
}

function fail(response: ServerResponse, fault: Exclude<Fault, 'cut off'>, isJson: boolean): void {
  if (fault === 'hangs') return;
  if (fault === 'unavailable') {
    response.writeHead(503).end('<html>Service Unavailable</html>');
    return;
  }
  const [status, code] = {
    throttled: isJson ? ([400, 'ThrottlingException'] as const) : ([503, 'RequestLimitExceeded'] as const),
    denied: isJson ? ([400, 'AccessDeniedException'] as const) : ([403, 'UnauthorizedOperation'] as const),
    'stale token': [400, 'InvalidNextToken'] as const,
  }[fault];
  const text = isJson
    ? JSON.stringify({ __type: code, message: code })
    : `<Response><Errors><Error><Code>${code}</Code><Message>${code}</Message></Error></Errors><RequestID>1</RequestID></Response>`;
  response.writeHead(status, { 'content-type': isJson ? 'application/x-amz-json-1.1' : 'text/xml' }).end(text);
}

/** The items of the page that is asked for, and the token of the next one. */
function page(xml: string, { NextToken = '0', MaxResults }: Record<string, string>): string {
  const start = xml.indexOf('<', xml.indexOf('xmlns='));
  const body = xml.slice(start);
  const set = TOP_LEVEL_SET.exec(body)?.[1];
  if (set === undefined || MaxResults === undefined) return xml;
  const end = body.lastIndexOf(`</${set}>`);
  const items = itemsOf(body.slice(set.length + 2, end));
  const [from, to] = [Number(NextToken), Number(NextToken) + Number(MaxResults)];
  const token = to < items.length ? `<nextToken>${to}</nextToken>` : '<nextToken/>';
  return `${xml.slice(0, start)}<${set}>${items.slice(from, to).map(withSpotPrice).join('')}</${set}>${token}${body.slice(end + set.length + 3)}`;
}

/** Outermost items. */
function itemsOf(xml: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: tag, index } of xml.matchAll(/<\/?item\/?>/g)) {
    if (tag === '<item/>') continue;
    if (tag === '<item>') {
      if (depth === 0) start = index;
      depth += 1;
    } else {
      depth -= 1;
      if (depth === 0) items.push(xml.slice(start, index + tag.length));
    }
  }
  return items;
}

/** moto has the same spot price for every type and zone. */
function withSpotPrice(item: string): string {
  const type = /<instanceType>(.*?)</.exec(item)?.[1] ?? '';
  const zone = /<availabilityZone>(.*?)</.exec(item)?.[1] ?? '';
  return item.replace(/<spotPrice>.*?</, `<spotPrice>${spotPriceOf(type, zone)}<`);
}

async function forward(moto: string, headers: IncomingMessage['headers'], body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { host: _host, 'content-length': _length, 'accept-encoding': _encoding, ...kept } = headers;
    const outgoing = request(
      moto,
      { method: 'POST', headers: { ...kept, 'content-length': Buffer.byteLength(body) } },
      (answer) => {
        textOf(answer).then(resolve, reject);
      },
    );
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
