import { imagesOf } from './ordinary-pods';
import { podSpecOf } from './pod-constraints';
import { asRecord } from '../../../contract';
import { WorkloadManifest } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';

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
/** Web servers that only show their own page if nothing is mounted into them. */
const BARE_SERVER_IMAGE =
  /^(?:docker\.io\/)?(?:(?:library|bitnami|nginxinc)\/)?(?:nginx(?:-unprivileged)?|httpd|tomcat|caddy)(?:[:@]|$)/;
/** Systems without a program of their own. */
const BARE_IMAGE =
  /^(?:[\w.]+\/)?(?:docker\/)?(?:library\/)?(?:busybox|alpine|ubuntu|debian|centos|amazonlinux)(?:[:@]|$)/;
const IDLE_COMMAND =
  /^(?:\/bin\/)?(?:sh|bash)? ?(?:-\w+ )?["']?(?:sleep|echo|tail -f|while (?:true|:)|date|hostname|printenv|env\b|ls\b)/;
/** A whole command that waits for ever, so that somebody can open a shell in the container. */
const ONLY_SLEEPS =
  /^(?:(?:\/usr)?(?:\/bin\/)?(?:ba|a)?sh -l?c )?["']?(?:(?:exec )?(?:\/bin\/)?sleep (?:inf(?:inity)?|\d{4,}s?|\d+[hd])|tail -f \/dev\/null|while (?:true|:) ?; ?do sleep \d+[smhd]? ?; ?done)["']? ?;?$/;
const DEMO_NAME =
  /(?:^|[-_.])(?:examples?|demos?|samples?|tutorials?|playground|inflate|my-(?:app|deployment|pod))(?:[-_.]|$)/;
const TESTS = /(?:^|[-_.])(?:tests?|smoke|e2e)(?:[-_.]|$)/;

const TEST_FOLDER = /(^|\/)([^/]*[-_])?(tests?|e2e)\//;

/** Whether a file is in a folder of tests, so that advice for production is only a note. */
export function isOfTests(file: string): boolean {
  return TEST_FOLDER.test(file);
}

/** Whether all containers only pause, so that nobody misses the pods. */
export function onlyPauses(workload: WorkloadManifest): boolean {
  return allImages(workload, PAUSE_IMAGE) || onlySleeps(workload);
}

/** Whether all containers only sleep, whatever their image: clients for a shell, such as that of a database. */
function onlySleeps(workload: WorkloadManifest): boolean {
  if (BATCH.includes(workload.kind)) return false;
  const containers = recordsOf(podSpecOf(workload)?.containers);
  return containers.length > 0 && containers.every((container) => ONLY_SLEEPS.test(commandOf(container)));
}

function commandOf({ command, args }: Readonly<Record<string, unknown>>): string {
  return [command, args]
    .flat()
    .filter((word) => typeof word === 'string')
    .join(' ')
    .trim();
}

/** Whether all containers only show how a cluster works, or the name says so. */
export function isDemonstration(workload: WorkloadManifest): boolean {
  return allImages(workload, DEMO_IMAGE) || onlyPauses(workload) || DEMO_NAME.test(workload.name) || isBare(workload);
}

/** A web server that serves nothing of anybody, or a system that waits. */
function isBare(workload: WorkloadManifest): boolean {
  const pod = asRecord(podSpecOf(workload));
  const containers = recordsOf(pod?.containers);
  if (containers.length === 0 || recordsOf(pod?.volumes).length > 0) return false;
  return containers.every((container) => {
    const { image, env, envFrom } = container;
    if (typeof image !== 'string' || envFrom !== undefined || env !== undefined) return false;
    const run = commandOf(container);
    return BARE_SERVER_IMAGE.test(image)
      ? run === ''
      : BARE_IMAGE.test(image) && (run === '' || IDLE_COMMAND.test(run));
  });
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
  const annotations = asRecord(object.raw.metadata?.annotations) ?? {};
  return HOOKS.flatMap((key) => (typeof annotations[key] === 'string' ? annotations[key] : []));
}

function allImages(workload: WorkloadManifest, pattern: RegExp): boolean {
  const images = imagesOf(workload);
  return images.length > 0 && images.every((image) => pattern.test(image));
}
