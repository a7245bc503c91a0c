import { HostPort } from './pod-shape';

const WORD = 64;
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/** Numbers for the host ports that occur, and which of them cannot be on one node. */
export class HostPorts {
  private readonly ports: HostPort[] = [];
  private readonly numbers = new Map<string, number>();

  add(ports: readonly HostPort[] = []): void {
    for (const port of ports) {
      const key = identity(port);
      if (this.numbers.has(key)) continue;
      this.numbers.set(key, this.ports.length);
      this.ports.push(port);
    }
  }

  get words(): number {
    return Math.ceil(this.ports.length / WORD);
  }

  /** A row of bits for each list: its ports. Call it once all ports are known. */
  encode(lists: ReadonlyArray<readonly HostPort[] | undefined>): BigUint64Array {
    return this.rows(lists, (ports) => ports.map((port) => this.numbers.get(identity(port))!));
  }

  /** A row of bits for each list: the ports that conflict with one of it. */
  encodeConflicts(lists: ReadonlyArray<readonly HostPort[] | undefined>): BigUint64Array {
    return this.rows(lists, (ports) => this.ports.flatMap((other, at) => conflicts(ports, [other]) ? [at] : []));
  }

  private rows(lists: ReadonlyArray<readonly HostPort[] | undefined>, bitsOf: (ports: readonly HostPort[]) => number[]): BigUint64Array {
    const rows = new BigUint64Array(lists.length * this.words);
    lists.forEach((ports, row) => {
      if (ports === undefined || ports.length === 0) return;
      for (const bit of new Set(bitsOf(ports))) rows[row * this.words + Math.floor(bit / WORD)] += 2n ** BigInt(bit % WORD);
    });
    return rows;
  }
}

/** Whether two ports cannot be on one node. @see https://kubernetes.io/docs/concepts/configuration/overview/#services */
function conflict(left: HostPort, right: HostPort): boolean {
  const everywhere = EVERY_ADDRESS.includes(left.ip) || EVERY_ADDRESS.includes(right.ip);
  return left.protocol === right.protocol && left.port === right.port && (everywhere || left.ip === right.ip);
}

/** Whether one of these cannot be on a node with one of those. */
export function conflicts(ports: readonly HostPort[], others: readonly HostPort[] = []): boolean {
  return ports.some((port) => others.some((other) => conflict(port, other)));
}

function identity({ ip, port, protocol }: HostPort): string {
  return JSON.stringify([ip, port, protocol]);
}
