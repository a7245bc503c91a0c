import { Label } from '../../../model';
import { WorkloadManifest } from '../../manifest/model';
import { imagesOf } from '../common/ordinary-pods';
import { requirementAlternatives } from '../common/pod-constraints';

/** Docker official images that are published for amd64 and arm64. */
const OFFICIAL_IMAGES: ReadonlySet<string> = new Set([
  'alpine',
  'amazoncorretto',
  'amazonlinux',
  'bash',
  'busybox',
  'caddy',
  'cassandra',
  'couchdb',
  'debian',
  'docker',
  'eclipse-mosquitto',
  'eclipse-temurin',
  'elasticsearch',
  'fedora',
  'fluentd',
  'ghost',
  'golang',
  'haproxy',
  'hello-world',
  'httpd',
  'influxdb',
  'kibana',
  'logstash',
  'mariadb',
  'maven',
  'memcached',
  'mongo',
  'nats',
  'neo4j',
  'nextcloud',
  'nginx',
  'node',
  'openjdk',
  'perl',
  'php',
  'postgres',
  'python',
  'rabbitmq',
  'redis',
  'registry',
  'rockylinux',
  'ruby',
  'rust',
  'solr',
  'telegraf',
  'tomcat',
  'traefik',
  'ubuntu',
  'vault',
  'wordpress',
  'zookeeper',
]);
const LIBRARIES: readonly string[] = [
  'docker.io/library/',
  'index.docker.io/library/',
  'library/',
  'public.ecr.aws/docker/library/',
  'docker.io/',
];

/** Beginnings of image names whose publishers build for amd64 and arm64. */
const PUBLISHERS: readonly string[] = [
  'public.ecr.aws/eks-distro/',
  'public.ecr.aws/eks/',
  'public.ecr.aws/karpenter/',
  'public.ecr.aws/aws-ec2/',
  'public.ecr.aws/amazonlinux/',
  'public.ecr.aws/nginx/',
  'public.ecr.aws/aws-containers/retail-store-sample-',
  'public.ecr.aws/ebs-csi-driver/',
  'public.ecr.aws/aws-observability/',
  'registry.k8s.io/pause',
  'registry.k8s.io/metrics-server/',
  'registry.k8s.io/ingress-nginx/',
  'registry.k8s.io/sig-storage/',
  'registry.k8s.io/kube-state-metrics/',
  'registry.k8s.io/coredns/',
  'registry.k8s.io/external-dns/',
  'registry.k8s.io/autoscaling/',
  'registry.k8s.io/e2e-test-images/',
  'quay.io/prometheus/',
  'quay.io/prometheus-operator/',
  'quay.io/jetstack/',
  'quay.io/argoproj/',
  'quay.io/cilium/',
  'ghcr.io/stefanprodan/podinfo',
  'ghcr.io/fluxcd/',
  'ghcr.io/open-telemetry/',
  'ghcr.io/dexidp/',
  'ghcr.io/kedacore/',
  'grafana/',
  'docker.io/grafana/',
  'prom/',
  'docker.io/prom/',
  'nginxinc/',
  'curlimages/',
  'valkey/',
  'otel/',
  'jaegertracing/',
  'envoyproxy/',
  'bitnami/',
  'docker.io/bitnami/',
];
/** Part of a name or tag that says which architectures the image is for. */
const NAMED_ARCHITECTURE = /arm64|aarch64|multi-?arch|graviton/i;

/** Image names, without tags, that some workload runs on arm64 by its own choice. */
export function imagesSelectedForArm64(workloads: readonly WorkloadManifest[]): ReadonlySet<string> {
  return new Set(workloads.filter(selectsArm64).flatMap(imagesOf).map(nameOf));
}

/**
 * Whether the input shows that all images of the pods run on arm64: a well-known publisher builds them for it, their
 * name says so, or another workload selects arm64 for them.
 */
export function areImagesForArm64(workload: WorkloadManifest, selected: ReadonlySet<string>): boolean {
  return imagesOf(workload).every(
    (image) => NAMED_ARCHITECTURE.test(image) || selected.has(nameOf(image)) || isPublishedForArm64(nameOf(image)),
  );
}

function selectsArm64({ shape }: WorkloadManifest): boolean {
  return (
    shape !== undefined &&
    requirementAlternatives(shape).some((specs) =>
      specs.some(({ key, operator, values }) => key === Label.ARCH && operator === 'In' && values?.includes('arm64')),
    )
  );
}

function isPublishedForArm64(name: string): boolean {
  const library = LIBRARIES.find((prefix) => name.startsWith(prefix)) ?? '';
  return OFFICIAL_IMAGES.has(name.slice(library.length)) || PUBLISHERS.some((prefix) => name.startsWith(prefix));
}

/** Without tag and digest. */
function nameOf(image: string): string {
  return image.replace(/@.*$/, '').replace(/:[^/]*$/, '');
}
