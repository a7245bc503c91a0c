import { Catalog, CatalogOptions } from '../../../src/catalog';
import { CheckOptions } from '../../../src/validation/check-options';
import { readSession } from '../../../src/validation/context/check-session';
import { SourceFile } from '../../../src/validation/manifest';
import { Outcome, Rule, RuleContext, RuleFinding } from '../../../src/validation/rules';
import { node } from '../cluster/dump';

/** Outcomes of one rule, in the forms that tests assert. */
export interface Judgement {
  readonly outcomes: readonly Outcome[];
  /** `<state> <kind>/<name>`, in the order of the outcomes. */
  readonly states: readonly string[];
  readonly findings: readonly RuleFinding[];
  /** Reasons of objects that were not evaluated. */
  readonly whys: readonly string[];
}

const loadedCatalogs = new Map<string, Catalog>();

/** Runs one rule on YAML documents, with the context that `check` builds. */
export function judge(rule: Rule, documents: readonly string[], options: CheckOptions = {}): Judgement {
  return outcomesOf(rule, contextOf(documents.join('\n---\n'), options));
}

/** Runs one rule on the resources of a CloudFormation template, and on manifests. */
export function judgeStack(
  rule: Rule,
  resources: object,
  documents: readonly string[] = [],
  options: CheckOptions = {},
): Judgement {
  return judgeStacks(rule, { App: resources }, documents, options);
}

/** Same as `judgeStack`, for several templates by name. */
export function judgeStacks(
  rule: Rule,
  stacks: Readonly<Record<string, object>>,
  documents: readonly string[] = [],
  options: CheckOptions = {},
): Judgement {
  const templates = Object.entries(stacks).map(([name, resources]) => ({
    path: `${name}.template.json`,
    text: JSON.stringify({ Resources: resources }),
  }));
  return outcomesOf(
    rule,
    contextOfFiles([...templates, { path: 'test.yaml', text: documents.join('\n---\n') }], options),
  );
}

/** Same as `judge`, for the files of a root. */
export function judgeFiles(rule: Rule, files: readonly SourceFile[], options: CheckOptions = {}): Judgement {
  return outcomesOf(rule, contextOfFiles(files, options));
}

function outcomesOf(rule: Rule, context: RuleContext): Judgement {
  const outcomes = rule.check(context);
  const findings = outcomes.flatMap((outcome) => (outcome.state === 'fail' ? [outcome.finding] : []));
  const states = outcomes.map((outcome) => {
    const { kind, name } = outcome.state === 'fail' ? outcome.finding.object : outcome.object;
    return `${outcome.state} ${kind}/${name}`;
  });
  return {
    outcomes,
    states,
    findings,
    whys: outcomes.flatMap((outcome) => (outcome.state === 'not-evaluated' ? [outcome.why] : [])),
  };
}

export function contextOf(text: string, options: CheckOptions = {}): RuleContext {
  return contextOfFiles([{ path: 'test.yaml', text }], options);
}

function contextOfFiles(files: readonly SourceFile[], options: CheckOptions): RuleContext {
  return readSession(files, options, sharedCatalog).ruleContext;
}

/** A catalogue resolves each EC2NodeClass once, which takes most of the time of a test. */
function sharedCatalog(options: CatalogOptions): Catalog {
  const { region, zones, zoneIds, spotPriceRatio, catalogs, pricesFrom, vmMemoryOverheadPercent, reservedENIs } =
    options;
  const key = JSON.stringify([
    region,
    zones,
    zoneIds,
    spotPriceRatio,
    catalogs,
    pricesFrom,
    vmMemoryOverheadPercent,
    reservedENIs,
  ]);
  const catalog = loadedCatalogs.get(key) ?? Catalog.load(options);
  loadedCatalogs.set(key, catalog);
  return catalog;
}

/** One object as JSON, which is also YAML. */
export function manifest(apiVersion: string, kind: string, name: string, spec: unknown, metadata: object = {}): string {
  return JSON.stringify({ apiVersion, kind, metadata: { name, ...metadata }, spec }, undefined, 2);
}

export function nodeClass(name: string = 'default', fields: object = {}): string {
  return manifest('karpenter.k8s.aws/v1', 'EC2NodeClass', name, {
    role: 'KarpenterNodeRole',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'demo' } }],
    securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'demo' } }],
    ...fields,
  });
}

export interface PoolFields {
  readonly requirements?: ReadonlyArray<{ key: string; operator: string; values?: string[] }>;
  readonly labels?: Record<string, string>;
  readonly taints?: ReadonlyArray<{ key: string; value?: string; effect: string }>;
  readonly limits?: Record<string, string | number>;
  readonly nodeClassRef?: object;
  readonly expireAfter?: string;
  readonly terminationGracePeriod?: string;
  readonly disruption?: object;
  readonly replicas?: number;
  readonly weight?: number;
}

export const CLASS_REF = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

export function nodePool(name: string, fields: PoolFields = {}): string {
  const {
    requirements = [],
    labels,
    taints,
    nodeClassRef = CLASS_REF,
    expireAfter,
    terminationGracePeriod,
    ...poolFields
  } = fields;
  return manifest('karpenter.sh/v1', 'NodePool', name, {
    template: {
      metadata: { labels },
      spec: { nodeClassRef, requirements, taints, expireAfter, terminationGracePeriod },
    },
    ...poolFields,
  });
}

export function oneOf(key: string, ...values: string[]) {
  return { key, operator: 'In', values };
}

export function types(...values: string[]) {
  return oneOf('node.kubernetes.io/instance-type', ...values);
}

export interface WorkloadFields {
  readonly replicas?: unknown;
  readonly requests?: object;
  readonly namespace?: string;
  readonly strategy?: object;
}

export function workload(kind: string, name: string, pod: object, fields: WorkloadFields = {}): string {
  const { replicas, requests = { cpu: '100m', memory: '128Mi' }, namespace, strategy } = fields;
  const labels = { app: name };
  return manifest(
    'apps/v1',
    kind,
    name,
    {
      replicas,
      strategy,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'main', image: 'app', resources: { requests } }], ...pod },
      },
    },
    { namespace },
  );
}

export function deployment(name: string, pod: object = {}, fields: WorkloadFields = {}): string {
  return workload('Deployment', name, pod, fields);
}

export function daemonSet(name: string, requests: object, pod: object = {}): string {
  return workload('DaemonSet', name, pod, { requests });
}

export function pdb(fields: object, name: string = 'web-pdb', metadata: object = {}): string {
  return manifest(
    'policy/v1',
    'PodDisruptionBudget',
    name,
    { selector: { matchLabels: { app: 'web' } }, ...fields },
    metadata,
  );
}

/** A HorizontalPodAutoscaler for the Deployment `web`. */
export function autoscaler(fields: object = {}): string {
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  return manifest('autoscaling/v2', 'HorizontalPodAutoscaler', 'web', { scaleTargetRef, maxReplicas: 9, ...fields });
}

export function job(name: string, pod: object = {}, fields: object = {}, annotations: object = {}): string {
  const requests = { cpu: '100m', memory: '128Mi' };
  const template = {
    metadata: { labels: { app: name }, annotations },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'app', resources: { requests } }], ...pod },
  };
  return manifest('batch/v1', 'Job', name, { template, ...fields });
}

export function cronJob(name: string, cron: string, annotations: object = {}, fields: object = {}): string {
  const { spec } = JSON.parse(job(name, {}, {}, annotations));
  return manifest('batch/v1', 'CronJob', name, { schedule: cron, jobTemplate: { spec: { ...spec, ...fields } } });
}

/** AWS Node Termination Handler as its chart renders it, with environment variables. */
export function renderedHandler(
  variables: Readonly<Record<string, unknown>>,
  pod: object = {},
  { kind = 'Deployment', replicas = 1, version = '1.25.1' } = {},
): string {
  const env = Object.entries(variables).map(([name, value]) =>
    typeof value === 'object' ? { name, valueFrom: value } : { name, value },
  );
  const image = `public.ecr.aws/aws-ec2/aws-node-termination-handler:v${version}`;
  return workload(
    kind,
    'nth',
    { containers: [{ name: 'nth', image, env, resources: { requests: { cpu: '50m', memory: '64Mi' } } }], ...pod },
    { replicas, namespace: 'kube-system' },
  );
}

/** The manifest with added annotations on its pod template. */
export function annotated(text: string, annotations: object): string {
  const object = JSON.parse(text);
  Object.assign(object.spec.template.metadata, { annotations });
  return JSON.stringify(object);
}

/** Files of a cluster with one large node that Karpenter did not launch. */
export function foreignNode(labels: Record<string, string> = {}): SourceFile[] {
  const amounts = { cpu: '32', memory: '128Gi', pods: '110', 'ephemeral-storage': '80Gi' };
  return [
    {
      path: 'cluster.yaml',
      text: JSON.stringify(
        node('ip-1', { labels: { 'topology.kubernetes.io/zone': 'us-east-1a', ...labels }, amounts }),
      ),
    },
  ];
}

/** Required node affinity with one term for each list of expressions. */
export function requiredAffinity(...terms: object[][]): object {
  return {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })),
        },
      },
    },
  };
}
