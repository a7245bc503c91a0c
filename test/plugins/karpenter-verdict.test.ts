import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { ApiObject, App, AppProps, Chart, JsonPatch, YamlOutputType } from 'cdk8s';
import { IConstruct } from 'constructs';
import { FailOn, KarpenterVerdict, KarpenterVerdictProps } from '../../src/plugins';
import { Verdict } from '../../src/validation';

describe('KarpenterVerdict', () => {
  let outdir: string;
  let stderr: string;
  beforeEach(() => {
    outdir = mkdtempSync(join(tmpdir(), 'karpenter-verdict-test-'));
    stderr = '';
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      stderr += String(text);
      return true;
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(outdir, { recursive: true });
  });

  interface Setup {
    readonly nodeClass?: string;
    readonly app?: AppProps;
    readonly verdict?: KarpenterVerdictProps;
    /** Called with the app before the KarpenterVerdict is added. */
    readonly before?: (app: App) => void;
  }

  /**
   * An app with a NodePool, the EC2NodeClass `general` and a small Deployment. `nodeClass` is the name in the NodePool.
   */
  function setup({ nodeClass = 'general', app: appProps, verdict, before }: Setup = {}): {
    app: App;
    chart: Chart;
    verdict: KarpenterVerdict;
  } {
    const app = new App({ outdir, ...appProps });
    const chart = new Chart(app, 'cluster');
    new ApiObject(chart, 'pool', pool('general', nodeClass));
    new ApiObject(chart, 'class', EC2_NODE_CLASS);
    new ApiObject(chart, 'web', DEPLOYMENT);
    before?.(app);
    return { app, chart, verdict: new KarpenterVerdict(app, 'Verdict', verdict) };
  }

  function errorOf(action: () => void): Error {
    try {
      action();
    } catch (error) {
      return error as Error;
    }
    throw new Error('no error');
  }

  function writtenVerdict(): Verdict {
    return JSON.parse(readFileSync(join(outdir, 'karpenter-verdict.json'), 'utf8'));
  }

  test('passes an app without errors, and writes the JSON verdict next to the manifests', () => {
    setup().app.synth();
    expect(existsSync(join(outdir, 'cluster.k8s.yaml'))).toBe(true);
    expect(writtenVerdict()).toMatchObject({ schemaVersion: '2', summary: { errors: 0, pods: 2, scheduledPods: 2 } });
  });

  test('writes the JSON verdict to reportFile, in a folder that it creates', () => {
    const reportFile = join(outdir, 'reports', 'shop.json');
    setup({ verdict: { reportFile } }).app.synth();
    expect(JSON.parse(readFileSync(reportFile, 'utf8'))).toMatchObject({ summary: { errors: 0, pods: 2 } });
    expect(existsSync(join(outdir, 'karpenter-verdict.json'))).toBe(false);
  });

  test('prints a short report on standard error', () => {
    setup().app.synth();
    expect(stderr).toMatch(
      /^karpenter verdict: 2 of 2 pods on 1 node, \$\d+\.\d{4}\/h \(the node price .*\)\n {2}0 errors, /,
    );
    expect(stderr).toContain(join(outdir, 'karpenter-verdict.json'));
  });

  test('schedules pods to the nodes of clusterFiles first', () => {
    const file = join(outdir, 'state.json');
    const amounts = { cpu: '8', memory: '8Gi', pods: '20' };
    writeFileSync(
      file,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'n1' },
        status: { capacity: amounts, allocatable: amounts },
      }),
    );
    setup({ verdict: { clusterFiles: [file] } }).app.synth();
    expect(writtenVerdict().filledNodes).toEqual([
      { node: 'n1', nodePool: null, pods: ['default/web-0', 'default/web-1'] },
    ]);
    expect(stderr).toMatch(/^karpenter verdict: 2 of 2 pods on 1 node of the cluster\n/);
  });

  test('fails the synth for an error, with construct path, location in the YAML and rule', () => {
    const { app } = setup({ nodeClass: 'nowhere' });
    expect(() => app.synth()).toThrow(
      /^karpenter verdict: the synth fails on \d+ findings?\n(.*\n)* {2}\[cluster\/pool\] KARP-103 .*cluster\.k8s\.yaml:\d+:\d+ /,
    );
  });

  test('prints a finding that fails the synth only in the error, which has no stack trace', () => {
    const { app } = setup({ nodeClass: 'nowhere' });
    const { message, stack } = errorOf(() => app.synth());
    expect(stderr).toMatch(/^karpenter verdict: /);
    expect(`${stderr}${message}`.match(/KARP-103/g)).toHaveLength(1);
    expect(stack).toBe(`Error: ${message}`);
  });

  test('prints errors in the report if they do not fail the synth', () => {
    setup({ nodeClass: 'nowhere', verdict: { failOn: FailOn.NEVER } }).app.synth();
    expect(stderr).toContain('error [cluster/pool] KARP-103');
  });

  test('groups equal findings of many constructs, and names the constructs', () => {
    const { app, chart } = setup();
    for (let i = 0; i < 20; i++) new ApiObject(chart, `wrong-${i}`, pool(`wrong-${i}`, 'nowhere'));
    const { message } = errorOf(() => app.synth());
    expect(message).toMatch(/^karpenter verdict: the synth fails on 20 findings\n/);
    expect(message.match(/KARP-103/g)).toHaveLength(1);
    expect(message).toMatch(/\n {6}same for 19 more: \[cluster\/wrong-1\] \S+:\d+:\d+, .* and 9 more\n?/);
  });

  test('writes the manifests and the verdict even if the synth fails', () => {
    const { app } = setup({ nodeClass: 'nowhere' });
    expect(() => app.synth()).toThrow();
    const finding = writtenVerdict().findings.find(({ rule }) => rule === 'KARP-103')!;
    expect(finding.location.file).toBe(join(outdir, 'cluster.k8s.yaml'));
    expect(readFileSync(finding.location.file, 'utf8').split('\n')[finding.location.line - 1]).toContain('nowhere');
  });

  test('warns, and does not fail, if no pod is evaluated only because values are known at deployment', () => {
    setup({
      before: (app) => {
        app.charts[0].node.findAll().forEach(useToken);
      },
    }).app.synth();
    expect(writtenVerdict().findings.filter(({ rule }) => rule === 'KARP-004')).toMatchObject([
      { severity: 'warning' },
    ]);
  });

  test('passes with an error if failOn is NEVER', () => {
    const { app } = setup({ nodeClass: 'nowhere', verdict: { failOn: FailOn.NEVER } });
    expect(() => app.synth()).not.toThrow();
    expect(writtenVerdict().summary.errors).toBeGreaterThan(0);
  });

  test('fails the synth for a warning if failOn is WARNING', () => {
    const { app, chart } = setup({ verdict: { failOn: FailOn.WARNING } });
    ApiObject.of(chart.node.findChild('pool')).addJsonPatch(JsonPatch.remove('/spec/template/spec/requirements/0'));
    expect(() => app.synth()).toThrow(/\[cluster\/pool\] KARP-204 /);
  });

  test('prints nothing if quiet is set', () => {
    setup({ verdict: { quiet: true } }).app.synth();
    expect(stderr).toBe('');
  });

  test('uses the given region and zones', () => {
    setup({ verdict: { region: 'eu-west-1', zones: ['eu-west-1b'] } }).app.synth();
    expect(writtenVerdict().nodePools[0].zones).toEqual(['eu-west-1b']);
  });

  test('finds the construct of an object that a patch renamed', () => {
    const { app, chart } = setup({ nodeClass: 'nowhere' });
    ApiObject.of(chart.node.findChild('pool')).addJsonPatch(JsonPatch.replace('/metadata/name', 'renamed'));
    expect(() => app.synth()).toThrow(/\[cluster\/pool\] KARP-103/);
  });

  test('evaluates all charts together', () => {
    const { app } = setup({ nodeClass: 'other' });
    new ApiObject(new Chart(app, 'classes'), 'class', { ...EC2_NODE_CLASS, metadata: { name: 'other' } });
    expect(() => app.synth()).not.toThrow();
  });

  test.each([
    YamlOutputType.FILE_PER_APP,
    YamlOutputType.FILE_PER_CHART,
    YamlOutputType.FILE_PER_RESOURCE,
    YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE,
  ])('evaluates the same objects for output type %s', (yamlOutputType) => {
    setup({ app: { yamlOutputType } }).app.synth();
    expect(writtenVerdict().summary).toMatchObject({ errors: 0, scheduledPods: 2 });
  });

  test('ignores files of an earlier run in the outdir, and keeps them', () => {
    const left = join(outdir, 'left.k8s.yaml');
    writeFileSync(left, JSON.stringify(pool('left', 'nowhere')));
    expect(() => setup().app.synth()).not.toThrow();
    expect(existsSync(left)).toBe(true);
  });

  test('checks again when the app is synthesised again', () => {
    const { app, chart } = setup();
    app.synth();
    new ApiObject(chart, 'second', pool('second', 'nowhere'));
    expect(() => app.synth()).toThrow(/\[cluster\/second\] KARP-103/);
  });

  // The jsii runtime looks up a method on the class before the object (`findInvokeTarget` of @jsii/kernel).
  test('checks a synth that the jsii runtime calls', () => {
    const { app } = setup({ nodeClass: 'nowhere' });
    expect(() => app.constructor.prototype.synth.call(app)).toThrow(/\[cluster\/pool\] KARP-103/);
  });

  test('checks a synth that a subclass in another language overrides with a read-only property', () => {
    const override = jest.fn(() => app.constructor.prototype.synth.call(app));
    const { app } = setup({
      nodeClass: 'nowhere',
      before: (early) => Object.defineProperty(early, 'synth', { value: override, writable: false }),
    });
    expect(() => app.synth()).toThrow(/\[cluster\/pool\] KARP-103/);
    expect(override).toHaveBeenCalledTimes(1);
  });

  test('wraps a synth that other code has replaced', () => {
    const theirs = jest.fn(function (this: App) {
      App.prototype.synth.call(this);
    });
    const { app } = setup({ nodeClass: 'nowhere', before: (early) => Object.assign(early, { synth: theirs }) });
    expect(() => app.synth()).toThrow(/\[cluster\/pool\] KARP-103/);
    expect(theirs).toHaveBeenCalledTimes(1);
  });

  test('does not check other apps', () => {
    const other = new App({ outdir });
    new ApiObject(new Chart(other, 'cluster'), 'pool', pool('general', 'nowhere'));
    setup();
    other.synth();
    expect(existsSync(join(outdir, 'karpenter-verdict.json'))).toBe(false);
  });

  test('keeps the validation errors of cdk8s', () => {
    const { app, chart } = setup();
    chart.node.addValidation({ validate: () => ['no such chart'] });
    expect(() => app.synth()).toThrow(/^Validation failed with the following errors:\n {2}\[cluster\] no such chart/);
    expect(existsSync(join(outdir, 'karpenter-verdict.json'))).toBe(false);
  });

  test('returns the verdict as text and as the written JSON', () => {
    const { app, verdict } = setup();
    app.synth();
    expect(verdict.text).toContain('general');
    expect(verdict.json).toBe(readFileSync(join(outdir, 'karpenter-verdict.json'), 'utf8'));
  });

  test('throws if the verdict is read before the synth', () => {
    expect(() => setup().verdict.json).toThrow(
      'Verdict: the verdict does not exist before the synth; call app.synth() first',
    );
  });

  test('rejects a second KarpenterVerdict in the same app', () => {
    const { chart } = setup();
    expect(() => new KarpenterVerdict(chart, 'Again')).toThrow(
      'cluster/Again: the app already has the KarpenterVerdict Verdict; keep one of them',
    );
  });
});

/** Gives the NodePool a requirement with the value of a CDK token. */
function useToken(construct: IConstruct): void {
  if (!(construct instanceof ApiObject) || construct.kind !== 'NodePool') return;
  const requirement = { key: 'karpenter.k8s.aws/instance-family', operator: 'In', values: ['${Token[Family.1]}'] };
  construct.addJsonPatch(JsonPatch.add('/spec/template/spec/requirements/-', requirement));
}

function pool(name: string, nodeClass: string) {
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    metadata: { name },
    spec: {
      template: {
        spec: {
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: nodeClass },
          requirements: [
            { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
            { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
          ],
        },
      },
    },
  };
}

const EC2_NODE_CLASS = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'general' },
  spec: {
    role: 'KarpenterNodeRole',
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'cluster' } }],
    securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'cluster' } }],
  },
};

const DEPLOYMENT = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [
          {
            name: 'web',
            image: 'web:1',
            resources: { requests: { cpu: '500m', memory: '512Mi' }, limits: { memory: '512Mi' } },
          },
        ],
      },
    },
  },
};
