import {
  check,
  readSession,
  renderHtml,
  RULES,
  SCENARIO_NAMES,
  simulateScenarios,
  SourceFile,
  Verdict,
} from '../../src/validation';
import { largeReportFleet, reportFleet } from '../support/report-fleet';

const QUICKSTART: SourceFile[] = [
  {
    path: 'quickstart.yaml',
    text: `${reportFleet(0)[0].text.split('---\n').slice(0, 2).join('---\n')}---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
      - { name: main, image: registry.example/web:1.4, resources: { requests: { cpu: 500m, memory: 1Gi }, limits: { memory: 1Gi } } }
`,
  },
];

/** A field with a typing error, and pods that fit nowhere. */
const BROKEN: SourceFile[] = [
  {
    path: 'broken.yaml',
    text: QUICKSTART[0].text
      .replace('  disruption: {', '  disruptoin: {')
      .replace('cpu: 500m', 'cpu: 2000')
      .replace('name: main,', 'name: main, imagePullPolciy: Always,'),
  },
];

function verdictOf(sources: readonly SourceFile[]): Verdict {
  return check(sources, { region: 'us-east-1' });
}

export const FLEET = verdictOf(reportFleet());
export const LARGE = verdictOf(largeReportFleet());

/** The reports by name. */
export const PAGES: Readonly<Record<string, string>> = {
  quickstart: renderHtml(
    verdictOf(QUICKSTART),
    simulateScenarios(readSession(QUICKSTART, { region: 'us-east-1' }), SCENARIO_NAMES),
    RULES,
  ),
  fleet: renderHtml(FLEET, undefined, RULES),
  broken: renderHtml(verdictOf(BROKEN), undefined, RULES),
  large: renderHtml(LARGE, undefined, RULES),
};

export { renderHtml, RULES };
