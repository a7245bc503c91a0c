import { WorkloadManifest } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { imagesOf } from '../../common/ordinary-pods';
import { podSpecOf } from '../../common/pod-constraints';

/** Programs that only pass messages on, show pages to operators, or are read by a monitoring system. */
const NOT_MISSED =
  /(?:^|[-_.])(?:(?:alertmanager|prometheus)-(?:discord|slack|msteams|telegram|webhook\w*|bot|bridge|dingtalk)|[a-z0-9-]*exporter|kube-state-metrics|pgadmin\d?|adminer|phpmyadmin|mongo-express|redis-commander|redisinsight|kafka-ui|kafdrop|akhq|mailhog|mailpit|maildev|swagger-ui|headlamp|kubernetes-dashboard|dashboard-metrics-scraper|k8s-dashboard|load-?generator|loadgen|traffic-?generator|locust|k6|chat-?bot|(?:slack|discord|telegram)-(?:bot|bridge|notifier))(?:[-_.]|$)/;
/** Programs that run as one pod: a second one would work on the same data, or send everything twice. */
const ALONE =
  /(?:^|[-_./])(?:jenkins(?:-controller|-master)?|sonarqube|nexus3?|portainer|gitlab-ce|gitlab-ee|home-assistant|celery-?beat|beat-scheduler|teamcity-server|minecraft-server|artifactory(?:-oss)?|bamboo|uptime-kuma|vaultwarden)(?:[-_.:@]|$)/;
const BEAT = /\bcelery\b.*\bbeat\b/;

/** Whether nobody misses the pod for a minute, so that nobody adds a second one. */
export function isNotMissed(workload: WorkloadManifest): boolean {
  return NOT_MISSED.test(workload.name) || everyImage(workload, NOT_MISSED);
}

/** Whether a second pod of the program does harm. */
export function runsAlone(workload: WorkloadManifest): boolean {
  const texts = recordsOf(podSpecOf(workload)?.containers).flatMap(({ command, args }) => [command, args].flat());
  return everyImage(workload, ALONE) || BEAT.test(texts.join(' '));
}

function everyImage(workload: WorkloadManifest, pattern: RegExp): boolean {
  const images = imagesOf(workload);
  return images.length > 0 && images.every((image) => pattern.test(nameOf(image)));
}

/** `docker.io/jenkins/jenkins:lts` is `jenkins`. */
function nameOf(image: string): string {
  return image.split('@')[0].split('/').at(-1)!.split(':')[0];
}
