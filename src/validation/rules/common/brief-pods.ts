import { imagesOf } from './ordinary-pods';
import { asRecord } from '../../../contract';
import { WorkloadManifest } from '../../manifest/model';

/** Annotations of Helm and Argo CD. */
const HOOKS = ['helm.sh/hook', 'argocd.argoproj.io/hook'];
const BATCH: readonly string[] = ['Job', 'CronJob'];
/** A Job that Kubernetes ends after this time loses little work by an eviction. */
const BRIEF_SECONDS = 600;
/** The container that does nothing: its pods only hold room, or stand for others in a demonstration. */
const PAUSE_IMAGE = /(?:^|\/)pause(?:-[a-z0-9]+)?(?:[:@]|$)/;
/** Images of command-line tools, which a Job calls a few times. */
const TOOL_IMAGE = /(?:^|\/)(?:kubectl|curl|aws-cli|awscli|helm|helm-kubectl|jq|yq|wget|mc)(?:[:@]|$)/;
/** Words in names of Jobs that prepare something once. */
const PREPARES =
  /(?:^|[-_.])(?:seed(?:er|ing)?|migrat(?:e|ions?|or)|creat(?:e|ion)|init(?:db)?|setup|bootstrap)(?:[-_.]|$)/;
/** Images that show how a cluster works, and do nothing that anybody needs. */
const DEMO_IMAGE =
  /(?:^|[/-])(?:httpbin|go-httpbin|http-echo|echo-?server|ealen\/echo-server|echoserver|hello-?world|hello-app|hello-kubernetes|helloworld[\w-]*|prometheus-example-app|example-app|sample-app|whoami|podinfo|kuard\w*|hpa-example|stress(?:-ng)?|guestbook\w*|examples-bookinfo[\w-]*|netshoot|nginx-hello|aws-nodejs-sample|retail-store-sample[\w-]*)(?:[:@]|$)/;
const TESTS = /(?:^|[-_.])(?:tests?|smoke|e2e)(?:[-_.]|$)/;

const TEST_FOLDER = /(^|\/)([^/]*[-_])?(tests?|e2e)\//;

/** Whether a file is in a folder of tests, so that advice for production is only a note. */
export function isOfTests(file: string): boolean {
  return TEST_FOLDER.test(file);
}

/** Whether all containers only pause, so that nobody misses the pods. */
export function onlyPauses(workload: WorkloadManifest): boolean {
  return allImages(workload, PAUSE_IMAGE);
}

/** Whether all containers only show how a cluster works. */
export function isDemonstration(workload: WorkloadManifest): boolean {
  return allImages(workload, DEMO_IMAGE) || onlyPauses(workload);
}

/** Whether the pods test something, as their name or a hook of Helm says. */
export function isTest(workload: WorkloadManifest): boolean {
  return TESTS.test(workload.name) || hooksOf(workload).some((hook) => hook.split(',').includes('test'));
}

/**
 * Whether the pods run for seconds or minutes, and again if they fail: hooks, Jobs with a short deadline, Jobs that
 * prepare data or call a tool.
 */
export function isBriefJob(workload: WorkloadManifest): boolean {
  if (!BATCH.includes(workload.kind)) return false;
  return (
    hooksOf(workload).length > 0 ||
    PREPARES.test(workload.name) ||
    (deadlineSeconds(workload) ?? Infinity) <= BRIEF_SECONDS ||
    allImages(workload, TOOL_IMAGE)
  );
}

/** After how many seconds Kubernetes ends the Job; undefined if it may run for any time. */
export function deadlineSeconds({ kind, object }: WorkloadManifest): number | undefined {
  const spec = asRecord(object.raw?.spec);
  const job = kind === 'CronJob' ? asRecord(asRecord(spec?.jobTemplate)?.spec) : spec;
  const deadline = job?.activeDeadlineSeconds;
  return typeof deadline === 'number' ? deadline : undefined;
}

/** Pods that nobody has to size or protect: they end soon, pause, or test something. */
export function needNoCare(workload: WorkloadManifest): boolean {
  return isBriefJob(workload) || isTest(workload) || onlyPauses(workload);
}

function hooksOf({ object }: WorkloadManifest): string[] {
  const annotations = asRecord(asRecord(object.raw?.metadata)?.annotations) ?? {};
  return HOOKS.flatMap((key) => (typeof annotations[key] === 'string' ? annotations[key] : []));
}

function allImages(workload: WorkloadManifest, pattern: RegExp): boolean {
  const images = imagesOf(workload);
  return images.length > 0 && images.every((image) => pattern.test(image));
}
