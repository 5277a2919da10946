{{/*
Labels and annotations of a pod. `scrape` is the port of its metrics. Whoever mounts a ReadWriteOnce volume has a label
of its own, by which the others find its node.
*/}}
{{- define "packshot.podMetadata" -}}
labels:
  {{- include "packshot.selector" . | nindent 2 }}
  {{- if and .storage (include "packshot.storageIsOnOneNode" .root) }}
  packshot/storage: {{ .root.Release.Name }}
  {{- end }}
  {{- if .scrape }}
  packshot/metrics: {{ .root.Release.Name }}
  {{- end }}
  {{- with .own.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- if or .scrape .annotations .own.podAnnotations }}
annotations:
  {{- if .scrape }}
  prometheus.io/scrape: "true"
  prometheus.io/port: {{ .scrape | quote }}
  prometheus.io/path: /metrics
  {{- end }}
  {{- range $name, $value := .annotations }}
  {{ $name }}: {{ $value | quote }}
  {{- end }}
  {{- range $name, $value := .own.podAnnotations }}
  {{ $name }}: {{ $value | quote }}
  {{- end }}
{{- end }}
{{- end }}

{{/* What the pods of every component have in common. */}}
{{- define "packshot.podSpec" -}}
serviceAccountName: {{ include "packshot.serviceAccount" . }}
automountServiceAccountToken: false
# Service links of a release named "packshot" would set PACKSHOT_API_PORT and the like, which are settings.
enableServiceLinks: false
terminationGracePeriodSeconds: {{ .own.terminationGracePeriodSeconds }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user | default 10001 }}
  runAsGroup: {{ .user | default 10001 }}
  fsGroup: {{ .user | default 10001 }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .own.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .own.runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
{{- with .own.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .own.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- include "packshot.placement" . }}
{{- end }}

{{/* Affinity and spread: the component's own, or ours. */}}
{{- define "packshot.placement" -}}
{{- $affinity := .own.affinity | default dict }}
{{- if and .storage (include "packshot.storageIsOnOneNode" .root) (not (hasKey $affinity "podAffinity")) }}
{{- $term := dict "topologyKey" "kubernetes.io/hostname" "labelSelector" (dict "matchLabels" (dict "packshot/storage" .root.Release.Name)) }}
{{- $affinity = merge (dict "podAffinity" (dict "requiredDuringSchedulingIgnoredDuringExecution" (list $term))) $affinity }}
{{- end }}
{{- with $affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- if .own.topologySpreadConstraints }}
topologySpreadConstraints: {{- toYaml .own.topologySpreadConstraints | nindent 2 }}
{{- else if .spread }}
topologySpreadConstraints:
  {{- range $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ $key }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "packshot.selector" $ | nindent 8 }}
  {{- end }}
{{- end }}
{{- end }}

{{- define "packshot.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/*
Live, ready and started are three questions: a process that waits for nats-server lives, has started, and is not ready.
Only one that does not answer at all is restarted.
*/}}
{{- define "packshot.probes" -}}
startupProbe:
  httpGet: { path: /health/started, port: {{ .port }} }
  periodSeconds: 2
  timeoutSeconds: 5
  # Ten minutes: a process that waits for nats-server or the migration has not started yet.
  failureThreshold: {{ .startupFailures | default 300 }}
readinessProbe:
  httpGet: { path: /health/ready, port: {{ .port }} }
  periodSeconds: 5
  timeoutSeconds: 5
livenessProbe:
  httpGet: { path: /health/live, port: {{ .port }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
{{- end }}

{{/* Nothing but these may be written: the root file system is read-only. */}}
{{- define "packshot.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if and .storage (eq .root.Values.storage.type "volume") }}
- { name: storage, mountPath: /storage }
{{- end }}
{{- if .secretFiles }}
- { name: secrets, mountPath: /run/secrets/packshot, readOnly: true }
{{- end }}
{{- if .natsUser }}
{{- if .root.Values.nats.auth.enabled }}
- { name: nats-password, mountPath: /run/secrets/nats, readOnly: true }
{{- end }}
{{- if .root.Values.nats.tls.existingSecret }}
- { name: nats-ca, mountPath: /run/secrets/nats-ca, readOnly: true }
{{- end }}
{{- end }}
{{- with .own.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "packshot.volumes" -}}
- name: tmp
  emptyDir: { sizeLimit: {{ .own.tmpSize | default "256Mi" }} }
{{- if and .storage (eq .root.Values.storage.type "volume") }}
- name: storage
  persistentVolumeClaim: { claimName: {{ include "packshot.storageClaim" .root }} }
{{- end }}
{{- with .secretFiles }}
- name: secrets
  secret:
    secretName: {{ $.root.Values.existingSecret }}
    defaultMode: 0440
    items:
      {{- range . }}
      - { key: {{ . }}, path: {{ . }} }
      {{- end }}
{{- end }}
{{- with .natsUser }}
{{- if $.root.Values.nats.auth.enabled }}
- name: nats-password
  secret:
    secretName: {{ $.root.Values.existingSecret }}
    defaultMode: 0440
    items: [{ key: NATS_{{ upper . }}_PASSWORD, path: password }]
{{- end }}
{{- with $.root.Values.nats.tls.existingSecret }}
- { name: nats-ca, secret: { secretName: {{ . }}, defaultMode: 0440, items: [{ key: ca.crt, path: ca.crt }] } }
{{- end }}
{{- end }}
{{- with .own.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}
