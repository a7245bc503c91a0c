import { App, Chart } from 'cdk8s';
import { CapacityType, NodePoolGuardrails, NodePoolGuardrailsProps } from '../../src/nodes';
import { Dice } from '../../test/support/schedule-scenario/dice';

type Json = Readonly<Record<string, any>>;

export interface Request {
  readonly object: Json;
  /** The object before an update. @default - a create */
  readonly old?: Json;
}

/** Guardrails, and requests that the API server judges with them. */
export interface Scenario {
  readonly props: NodePoolGuardrailsProps;
  /** Policies with their bindings. */
  readonly objects: readonly Json[];
  readonly requests: readonly Request[];
}

const REQUESTS = 12;
const CPU = 'karpenter.k8s.aws/instance-cpu';
const CAPACITY_TYPE = 'karpenter.sh/capacity-type';
const CAPACITY_TYPES = ['on-demand', 'reserved', 'spot'];
const RESOURCES = ['cpu', 'memory', 'nodes', 'nvidia.com/gpu'];
const QUANTITIES = [10, '10', '9500m', '10500m', 100, '1k', '100Gi', '1e2', 0];

/** @param known valid NodePools and EC2NodeClasses, which are sent as well */
export function scenarioAt(seed: number, index: number, known: readonly Json[]): Scenario {
  const dice = new Dice(seed, index);
  const props = guardrails(dice);
  const chart = new Chart(new App(), 'test');
  new NodePoolGuardrails(chart, 'Guardrails', props);
  const requests = Array.from({ length: REQUESTS }, () => request(dice, known));
  return { props, objects: chart.toJson(), requests };
}

function guardrails(dice: Dice): NodePoolGuardrailsProps {
  const maybe = <T>(value: T): T | undefined => (dice.chance(0.5) ? value : undefined);
  const capacityTypes = dice.some(CAPACITY_TYPES, dice.between(1, 3)).map((type) => CapacityType.of(type));
  const props = {
    maxInstanceCpu: maybe(dice.pick([1, 8, 32])),
    capacityTypes: maybe(capacityTypes),
    requiredLimits: maybe(dice.some(RESOURCES, dice.between(1, 2))),
    maxCpu: maybe(dice.pick([1, 10, 100])),
    maxNodes: maybe(dice.pick([1, 10])),
    pinnedAmis: maybe(true),
  };
  const isEmpty = Object.values(props).every((value) => value === undefined);
  return isEmpty ? { pinnedAmis: true } : props;
}

function request(dice: Dice, known: readonly Json[]): Request {
  const next = () => (known.length > 0 && dice.chance(0.4) ? dice.pick(known) : newObject(dice));
  const object = next();
  if (dice.chance(0.7)) return { object };
  if (dice.chance(0.5))
    return { object: { ...object, metadata: { ...object.metadata, labels: { changed: 'true' } } }, old: object };
  const candidate = next();
  return candidate.kind === object.kind ? { object, old: candidate } : { object };
}

function newObject(dice: Dice): Json {
  return dice.chance(0.8) ? newPool(dice) : newClass(dice);
}

function newPool(dice: Dice): Json {
  const limits = Object.fromEntries(
    dice.some(RESOURCES, dice.between(0, 3)).map((name) => [name, dice.pick(QUANTITIES)]),
  );
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
  const requirements = Array.from({ length: dice.between(0, 4) }, () => requirement(dice));
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name: 'general' },
    spec: {
      template: { spec: { nodeClassRef, requirements } },
      ...(dice.chance(0.7) && { limits }),
      ...(dice.chance(0.15) && { replicas: dice.pick([0, 1, 10, 11]) }),
    },
  };
}

function requirement(dice: Dice): Json {
  if (dice.chance(0.4)) {
    const values = dice.some(CAPACITY_TYPES, dice.between(1, 3));
    return { key: CAPACITY_TYPE, operator: dice.pick(['In', 'NotIn']), values };
  }
  const cpus = () => String(dice.pick([1, 2, 8, 9, 32, 33, 34, 96]));
  const operator = dice.pick(['In', 'NotIn', 'Gt', 'Gte', 'Lt', 'Lte', 'Exists']);
  if (operator === 'Exists') return { key: CPU, operator };
  const count = operator.endsWith('In') ? dice.between(1, 3) : 1;
  return { key: CPU, operator, values: Array.from({ length: count }, cpus) };
}

function newClass(dice: Dice): Json {
  const terms = [
    { alias: 'al2023@latest' },
    { alias: 'al2023@v20250915' },
    { id: 'ami-0123456789abcdef0' },
    { name: 'nodes-1.2' },
    { name: 'nodes-*', owner: 'self' },
    { ssmParameter: '/nodes/*' },
    { tags: { team: '*' } },
  ];
  return {
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'default' },
    spec: {
      amiSelectorTerms: dice.some(terms, dice.between(1, 3)),
      role: 'nodes',
      subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'shop' } }],
      securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'shop' } }],
    },
  };
}
