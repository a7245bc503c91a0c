import { HostPort } from '../input/pod-shape';

const WORD = 64;
const WILDCARD_ADDRESSES = ['0.0.0.0', '::'];

/** Numbers the host ports in use, and encodes which of them conflict on a node. */
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

  /** One bit row per list, with the list's ports set. Call `add` for all ports first. */
  encode(lists: ReadonlyArray<readonly HostPort[] | undefined>): BigUint64Array {
    return this.rows(lists, (ports) => ports.map((port) => this.numbers.get(identity(port))!));
  }

  /** One bit row per list, with every port set that conflicts with a port of the list. */
  encodeConflicts(lists: ReadonlyArray<readonly HostPort[] | undefined>): BigUint64Array {
    return this.rows(lists, (ports) =>
      this.ports.flatMap((port, number) => (conflicts(ports, [port]) ? [number] : [])),
    );
  }

  private rows(
    lists: ReadonlyArray<readonly HostPort[] | undefined>,
    bitsOf: (ports: readonly HostPort[]) => number[],
  ): BigUint64Array {
    const rows = new BigUint64Array(lists.length * this.words);
    lists.forEach((ports, row) => {
      if (ports === undefined || ports.length === 0) return;
      for (const bit of new Set(bitsOf(ports)))
        rows[row * this.words + Math.floor(bit / WORD)] += 2n ** BigInt(bit % WORD);
    });
    return rows;
  }
}

/**
 * Whether two host ports cannot be used on the same node.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/scheduling/hostportusage.go
 */
function conflict(left: HostPort, right: HostPort): boolean {
  const isWildcard = WILDCARD_ADDRESSES.includes(left.ip) || WILDCARD_ADDRESSES.includes(right.ip);
  return left.protocol === right.protocol && left.port === right.port && (isWildcard || left.ip === right.ip);
}

/** Whether a port of one list conflicts with a port of the other list. */
export function conflicts(ports: readonly HostPort[], otherPorts: readonly HostPort[] = []): boolean {
  return ports.some((port) => otherPorts.some((otherPort) => conflict(port, otherPort)));
}

function identity({ ip, port, protocol }: HostPort): string {
  return JSON.stringify([ip, port, protocol]);
}
